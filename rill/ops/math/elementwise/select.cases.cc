#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSelectCases{
    "select", [] {
      std::vector<OpCase> cases;
      const Tensor each = tensor<bool>({2, 3}, {true, false, true, false, false, true});
      const Tensor rows = tensor<bool>({2}, {true, false});
      for (const DType type : {DType::f16, DType::f32, DType::f64, DType::i8, DType::i32,
                               DType::i64, DType::u8, DType::boolean, DType::c64, DType::c128}) {
        const Tensor t = random(type, {2, 3}, 1, 0, 9), e = random(type, {2, 3}, 2, 0, 9);
        cases.push_back({.op = "Select", .in = {each, t, e}});
        cases.push_back({.op = "Select", .in = {rows, t, e}});
        cases.push_back({.op = "SelectV2", .in = {each, t, random(type, {3}, 3, 0, 9)}});
      }
      cases.push_back(
          {.op = "Select",
           .in = {scalar<bool>(true), random<float>({2, 3}, 1), random<float>({2, 3}, 2)}});
      cases.push_back(
          {.op = "Select", .in = {rows, strings({2}, {"a", "b"}), strings({2}, {"c", "d"})}});
      cases.push_back(
          {.op = "SelectV2", .in = {rows, strings({}, {"a"}), strings({2}, {"c", "d"})}});
      cases.push_back(
          {.op = "SelectV2",
           .in = {tensor<bool>({2, 1}, {true, false}), random<float>({3}, 1), scalar<float>(7)}});
      cases.push_back(
          {.op = "Select",
           .in = {tensor<bool>({1}, {true}), random<float>({2}, 1), random<float>({2}, 2)},
           .error = "must have the same size and shape|Dimension 0 in both shapes must be equal"});
      return cases;
    }};

}  // namespace rill
