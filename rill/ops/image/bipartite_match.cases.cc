#include "tests/optest/op_case.h"

// TensorFlow 2.15 has no such op: what is wanted is worked out by hand.
namespace rill {

extern const OpCases kBipartiteMatchCases{
    "bipartite_match", [] {
      std::vector<OpCase> cases;
      const Tensor distances = tensor<float>({2, 3}, {0.5, 0.1, 0.8, 0.3, 0.2, 0.9});
      const auto add = [&](float rows, std::int64_t top_k,
                           std::initializer_list<std::int32_t> of_rows,
                           std::initializer_list<std::int32_t> of_columns) {
        cases.push_back(
            {.op = "BipartiteMatch",
             .in = {distances, tensor<float>({1}, {rows})},
             .attrs = {{"top_k", top_k}},
             .want = {tensor<std::int32_t>({2}, of_rows), tensor<std::int32_t>({3}, of_columns)}});
      };
      add(-1, -1, {1, 0}, {1, 0, -1});  // (0, 1) is nearest; (1, 1) is taken by then
      add(2, 1, {1, -1}, {-1, 0, -1});
      add(1, -1, {1, -1}, {-1, 0, -1});
      add(0, -1, {-1, -1}, {-1, -1, -1});
      add(9, 9, {1, 0}, {1, 0, -1});
      cases.push_back({.op = "BipartiteMatch",
                       .in = {Tensor(DType::f32, {0, 2}), tensor<float>({1}, {-1})},
                       .want = {Tensor(DType::i32, {0}), tensor<std::int32_t>({2}, {-1, -1})}});
      return cases;
    }};

}  // namespace rill
