#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kElementwiseChainCases{
    "elementwise_chain", [] {
      using Ints = std::vector<std::int64_t>;
      std::vector<OpCase> rows;
      const Tensor x = random<float>({5, 37}, 1), y = random<float>({37}, 2),
                   z = scalar<float>(0.5);
      // Values 3 = x + y, 4 = tanh(3), 5 = 4 z.
      rows.push_back({.op = "_ElementwiseChain",
                      .in = {list({x, y, z})},
                      .attrs = {{"N", 2},
                                {"op_names", std::vector<std::string>{"Add", "Tanh", "Mul"}},
                                {"operands", Ints{0, 1, 3, -1, 4, 2}},
                                {"results", Ints{5, 3}}},
                      .atol = 1e-6,
                      .plain = R"(
        sum = AddV2(in_0_0, in_0_1)
        fetch Mul(Tanh(sum), in_0_2), sum)"});
      return rows;
    }};

}  // namespace rill
