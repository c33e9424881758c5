#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kStepProductsCases{
    "step_products", [] {
      std::vector<OpCase> rows;
      const auto a = [](int seed) { return random<float>({4, 3}, seed); };
      const auto b = [](int seed) { return random<float>({4, 5}, seed); };
      rows.push_back(
          {.op = "_ProductSum",
           .in = {list({random<float>({3, 5}, 9)}), list({a(1), a(2)}), list({b(3), b(4)})},
           .atol = 1e-6,
           .plain = R"(
        first = MatMul(in_1_0, in_2_0, transpose_a=true)
        second = MatMul(in_1_1, in_2_1, transpose_a=true)
        fetch AddV2(in_0_0, AddV2(first, second)))"});
      rows.push_back({.op = "_MatMulSlice",
                      .in = {random<float>({4, 3}, 1), random<float>({6, 3}, 2),
                             tensor<std::int32_t>({2}, {1, 2}), tensor<std::int32_t>({2}, {-1, 3})},
                      .atol = 1e-6,
                      .plain = "fetch Slice(MatMul(in_0, in_1, transpose_b=true), in_2, in_3)"});
      rows.push_back({.op = "_MatMulColumns",
                      .in = {random<float>({4, 3}, 1), random<float>({6, 3}, 2)},
                      .attrs = {{"first", 2}, {"count", 3}},
                      .atol = 1e-6,
                      .plain = R"(
        fetch Slice(MatMul(in_0, in_1, transpose_b=true), [0 2], [-1 3]))"});
      return rows;
    }};

}  // namespace rill
