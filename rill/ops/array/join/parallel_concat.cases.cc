#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kParallelConcatCases{
    "parallel_concat", [] {
      std::vector<OpCase> cases;
      const char* op = "ParallelConcat";
      const auto shape = [](std::initializer_list<std::int64_t> dims) {
        return AttrMap{{"shape", PartialShape(dims)}};
      };
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
        cases.push_back({.op = op,
                         .in = {list({random(type, {1, 3}, 1), random(type, {1, 3}, 2)})},
                         .attrs = shape({2, 3})});
      cases.push_back({.op = op,
                       .in = {list({strings({1}, {"a"}), strings({1}, {"b"})})},
                       .attrs = shape({2})});
      cases.push_back(
          {.op = op, .in = {list({sequence<float>({1, 2, 2})})}, .attrs = shape({1, 2, 2})});
      cases.push_back(
          {.op = op, .in = {list({tensor<float>({1, 0}, {})})}, .attrs = shape({1, 0})});
      cases.push_back({.op = op,
                       .in = {list({sequence<float>({1}), sequence<float>({2})})},
                       .attrs = shape({2}),
                       .error = "Size of first dimension must be 1"});
      AttrMap start = shape({2, 3});
      start["dtype"] = DType::f32;
      cases.push_back({.op = "_ParallelConcatStart", .attrs = start, .compare = Compare::kShapes});
      for (const int loc : {0, 2, -1})
        cases.push_back({.op = "_ParallelConcatUpdate",
                         .in = {sequence<float>({3, 2}), sequence<float>({1, 2}, 10)},
                         .attrs = {{"loc", loc}}});
      cases.push_back({.op = "_ParallelConcatUpdate",
                       .in = {strings({2}, {"a", "b"}), strings({1}, {"c"})},
                       .attrs = {{"loc", 1}}});
      cases.push_back({.op = "_ParallelConcatUpdate",
                       .in = {sequence<float>({3, 2}), sequence<float>({2, 2})},
                       .attrs = {{"loc", 0}},
                       .error = "update|value"});
      cases.push_back({.op = "_ParallelConcatUpdate",
                       .in = {sequence<float>({3, 2}), sequence<float>({1, 2})},
                       .attrs = {{"loc", 4}},
                       .error = "0th dimension of value = 3 must be greater than loc_ = 4"});
      return cases;
    }};

}  // namespace rill
