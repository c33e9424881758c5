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
      cases.push_back(
          {.op = "ScatterNd",
           .in = {rows, tensor<bool>({3}, {true, false, false}), tensor<std::int32_t>({1}, {4})}});
      cases.push_back(
          {.op = "ScatterNd",
           .in = {rows, strings({3}, {"a", "b", "c"}), tensor<std::int32_t>({1}, {4})}});
      cases.push_back({.op = "ScatterNd",
                       .in = {tensor<std::int32_t>({1, 1}, {4}), random<float>({1}, 1),
                              tensor<std::int32_t>({1}, {4})},
                       .name = "out_of_range",
                       .error = "indices"});
      for (const char* op : {"TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate",
                             "ScatterNdNonAliasingAdd"}) {
        for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64, DType::c64})
          cases.push_back(
              {.op = op,
               .in = {random(type, {4, 2}, 1, 0, 9), tensor<std::int32_t>({2, 1}, {3, 0}),
                      random(type, {2, 2}, 2, 0, 9)}});
        cases.push_back(
            {.op = op,
             .in = {random<float>({2, 3}, 1), tensor<std::int64_t>({2, 2}, {0, 1, 1, 0}),
                    random<float>({2}, 2)}});
        cases.push_back({.op = op,
                         .in = {random<float>({2, 3}, 1), tensor<std::int32_t>({1, 1}, {2}),
                                random<float>({1, 3}, 2)},
                         .error = "indices\\[0\\].* does not index into shape \\[2,3\\]"});
        cases.push_back({.op = op,
                         .in = {random<float>({2, 3}, 1), tensor<std::int32_t>({1, 1}, {0}),
                                random<float>({1, 2}, 2)},
                         .error = "[Mm]ust"});
      }
      // A slice named twice: sums add up, and the last one is kept.
      cases.push_back({.op = "TensorScatterUpdate",
                       .in = {random<float>({4, 2}, 1), rows, filled<float>({3, 2}, 7)},
                       .grad = false});
      cases.push_back({.op = "TensorScatterUpdate",
                       .in = {strings({3}, {"a", "b", "c"}), tensor<std::int32_t>({1, 1}, {1}),
                              strings({1}, {"new"})}});
      return cases;
    }};

}  // namespace rill
