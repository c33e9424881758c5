#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kComparisonCases{
    "comparison", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}) {
        for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,
                                 DType::i16, DType::i32, DType::i64, DType::u8})
          cases.push_back({.op = op,
                           .in = {values(type, {2, 4}, {1, 2, 3, 4, 4, 3, 2, 1}),
                                  values(type, {4}, {1, 3, 2, 4})}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({4}, {NAN, 1, INFINITY, -INFINITY}),
                                tensor<float>({4}, {NAN, NAN, INFINITY, INFINITY})}});
        cases.push_back({.op = op, .in = {random<float>({70}, 1), scalar<float>(0)}});
        cases.push_back({.op = op, .in = {scalar<float>(0), random<float>({70}, 1)}});
        cases.push_back({.op = op, .in = {tensor<float>({0}, {}), scalar<float>(0)}});
        cases.push_back({.op = op,
                         .in = {random<float>({2}, 1), random<float>({3}, 1)},
                         .error = "Incompatible shapes: \\[2\\] vs. \\[3\\]"});
      }
      for (const char* op : {"Equal", "NotEqual"}) {
        cases.push_back({.op = op, .in = {strings({3}, {"a", "b", ""}), strings({}, {"b"})}});
        cases.push_back(
            {.op = op,
             .in = {tensor<bool>({2}, {true, false}), tensor<bool>({2, 1}, {true, false})}});
        for (const DType type : {DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3}, 2), random(type, {3}, 2)}});
        cases.push_back({.op = op,
                         .in = {random<float>({2}, 1), random<float>({3}, 1)},
                         .attrs = {{"incompatible_shape_error", false}}});
        cases.push_back({.op = op,
                         .in = {values(DType::f32, {2}, {1, 2}), values(DType::f32, {2}, {1, 3})},
                         .attrs = {{"incompatible_shape_error", false}}});
      }
      for (const DType type : {DType::f32, DType::f64})
        cases.push_back({.op = "ApproximateEqual",
                         .in = {values(type, {3}, {1, 2, 3}), values(type, {3}, {1.05, 2.5, 3})},
                         .attrs = {{"tolerance", 0.1}}});
      return cases;
    }};

}  // namespace rill
