#include "tests/optest/op_case.h"

namespace rill {

// Two steps of a plain cell; the other cells: tests/python/test_fused_rnn.py.
extern const OpCases kLayerCases{
    "layer", [] {
      std::vector<OpCase> rows;
      rows.push_back({.op = "_RnnLayer",
                      .in = {random<float>({2, 3, 2}, 1), scalar<std::int32_t>(2), list({}),
                             list({random<float>({3, 4}, 2)}),
                             list({random<float>({6, 4}, 3), random<float>({4}, 4)})},
                      .attrs = {{"L", 0},
                                {"Y", 1},
                                {"cells", std::vector<std::string>{"rnn"}},
                                {"forget_biases", std::vector<float>{1}},
                                {"adds_x", std::vector<bool>{false}}},
                      .atol = 1e-6,
                      .plain = R"(
        x = Unpack(in_0, num=2)
        h1 = Tanh(BiasAdd(MatMul(ConcatV2((x, in_3_0), 1), in_4_0), in_4_1))
        h2 = Tanh(BiasAdd(MatMul(ConcatV2((x:1, h1), 1), in_4_0), in_4_1))
        fetch Pack((h1, h2)), h2)"});
      return rows;
    }};

}  // namespace rill
