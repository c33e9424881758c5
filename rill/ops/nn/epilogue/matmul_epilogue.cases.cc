#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMatmulEpilogueCases{
    "matmul_epilogue", [] {
      std::vector<OpCase> rows;
      const Tensor a = random<float>({5, 7}, 1), b = random<float>({7, 9}, 2),
                   bias = random<float>({9}, 3), other = random<float>({5, 9}, 4);
      rows.push_back({.op = "_MatMulEpilogue",
                      .in = {a, b, list({bias})},
                      .attrs = {{"epilogue", std::vector<std::string>{"BiasAdd", "Relu"}}},
                      .atol = 1e-5,
                      .plain = "fetch Relu(BiasAdd(MatMul(in_0, in_1), in_2_0))"});
      rows.push_back({.op = "_MatMulEpilogue",
                      .in = {random<float>({7, 5}, 1), b, list({bias, other})},
                      .attrs = {{"epilogue", std::vector<std::string>{"BiasAdd", "Add", "Tanh"}},
                                {"transpose_a", true}},
                      .atol = 1e-5,
                      .plain = R"(
        product = MatMul(in_0, in_1, transpose_a=true)
        fetch Tanh(AddV2(BiasAdd(product, in_2_0), in_2_1)))"});
      return rows;
    }};

}  // namespace rill
