#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUnbroadcastCases{
    "unbroadcast", [] {
      using I = std::int32_t;
      std::vector<OpCase> rows;
      const Tensor x = random<float>({2, 3, 4}, 1);
      rows.push_back({.op = "_Unbroadcast",
                      .in = {x, tensor<I>({2}, {3, 1})},
                      .atol = 1e-6,
                      .plain = "fetch Sum(Sum(in_0, [2], keep_dims=true), [0])"});
      rows.push_back({.op = "_Unbroadcast",
                      .in = {x, tensor<I>({0}, {})},
                      .atol = 1e-6,
                      .plain = "fetch Sum(in_0, [0 1 2])"});
      rows.push_back({.op = "_Unbroadcast",
                      .in = {random<double>({2, 3}, 2), tensor<I>({2}, {2, 3})},
                      .plain = "fetch Identity(in_0)"});
      return rows;
    }};

}  // namespace rill
