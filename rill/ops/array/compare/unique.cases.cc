#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUniqueCases{
    "unique", [] {
      using I = std::int32_t;
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::boolean}) {
        const Tensor x = values(type, {7}, {1, 0, 1, 3, 2, 0, 1});
        cases.push_back({.op = "Unique", .in = {x}});
        cases.push_back({.op = "UniqueWithCounts", .in = {x}, .attrs = {{"out_idx", DType::i64}}});
      }
      const Tensor words = strings({4}, {"b", "a", "b", ""});
      cases.push_back({.op = "Unique", .in = {words}});
      cases.push_back({.op = "UniqueWithCounts", .in = {words}});
      cases.push_back({.op = "Unique", .in = {tensor<float>({4}, {0.0f, -0.0f, 1, 1})}});
      cases.push_back({.op = "Unique", .in = {tensor<float>({0}, {})}});
      cases.push_back({.op = "Unique", .in = {random<I>({5000}, 1, 0, 700)}});
      const Tensor matrix = tensor<I>({3, 4}, {1, 2, 1, 2, 3, 4, 3, 5, 1, 2, 1, 2});
      for (const char* op : {"UniqueV2", "UniqueWithCountsV2"}) {
        for (const int axis : {0, 1, -1})
          cases.push_back({.op = op, .in = {matrix, tensor<std::int64_t>({1}, {axis})}});
        cases.push_back({.op = op, .in = {words, tensor<I>({0}, {})}});
        cases.push_back({.op = op, .in = {random<I>({3, 4, 2}, 1, 0, 2), tensor<I>({1}, {1})}});
        cases.push_back({.op = op, .in = {matrix, tensor<I>({0}, {})}, .error = "1D|1-D"});
        cases.push_back({.op = op, .in = {matrix, tensor<I>({1}, {2})}, .error = "axis|range"});
      }
      cases.push_back({.op = "Unique", .in = {matrix}, .error = "1D|rank 1"});
      return cases;
    }};

}  // namespace rill
