#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kScatterNdCases{
    "scatter_nd", [] {
      std::vector<OpCase> cases;
      const Tensor rows = tensor<std::int32_t>({3, 1}, {3, 0, 3});
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::c64, DType::c128})
        cases.push_back(
            {.op = "ScatterNd",
             .in = {rows, random(type, {3, 2}, 1, 0, 9), tensor<std::int32_t>({2}, {4, 2})}});
      cases.push_back({.op = "ScatterNd",
                       .in = {tensor<std::int64_t>({2, 2}, {0, 1, 1, 0}), random<float>({2}, 1),
                              tensor<std::int64_t>({2}, {2, 3})},
                       .name = "elements"});
      cases.push_back({.op = "ScatterNd",
                       .in = {tensor<std::int32_t>({1, 1}, {4}), random<float>({1}, 1),
                              tensor<std::int32_t>({1}, {4})},
                       .name = "out_of_range",
                       .error = "indices"});
      return cases;
    }};

}  // namespace rill
