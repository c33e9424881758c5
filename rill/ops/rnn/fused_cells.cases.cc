#include "tests/optest/op_case.h"

namespace rill {
namespace {

// A step as BasicLSTMCell and GRUCell write it.
constexpr const char* kLstmStep = R"(
  product = BiasAdd(MatMul(ConcatV2((in_0_0, in_0_1), 1), in_2), in_3)
  gates = Split(1, product, num_split=4)
  i = Sigmoid(gates)
  j = Tanh(gates:1)
  f = Sigmoid(AddV2(gates:2, 1.0))
  o = Sigmoid(gates:3)
  c = AddV2(Mul(in_1, f), Mul(i, j))
  squashed = Tanh(c)
  fetch Mul(squashed, o), c)";
constexpr const char* kGruStep = R"(
  product = BiasAdd(MatMul(ConcatV2((in_0, in_1), 1), in_2), in_3)
  gates = Split(1, Sigmoid(product), num_split=2)
  read = ConcatV2((in_0, Mul(gates, in_1)), 1)
  c = Tanh(BiasAdd(MatMul(read, in_4), in_5))
  fetch AddV2(Mul(gates:1, in_1), Mul(Sub(1.0, gates:1), c)))";

// Backwards: of the gates before they were squashed, side by side, and of the state.
constexpr const char* kLstmGrad = R"(
  dc = AddV2(Mul(Mul(in_6, in_4), Sub(1.0, Mul(in_5, in_5))), in_7_0)
  di = Mul(Mul(dc, in_2), Mul(in_1, Sub(1.0, in_1)))
  dj = Mul(Mul(dc, in_1), Sub(1.0, Mul(in_2, in_2)))
  df = Mul(Mul(dc, in_0), Mul(in_3, Sub(1.0, in_3)))
  do = Mul(Mul(in_6, in_5), Mul(in_4, Sub(1.0, in_4)))
  fetch ConcatV2((di, dj, df, do), 1), Mul(dc, in_3))";

// Of both gates and of the candidate before they were squashed, and of the state beside the gates.
constexpr const char* kGruGrad = R"(
  gates = Split(1, in_0, num_split=2)
  dc = Mul(Mul(in_3, Sub(1.0, gates:1)), Sub(1.0, Mul(in_1, in_1)))
  dread = MatMul(dc, in_4, transpose_b=true)
  dlet = Slice(dread, [0 2], [-1 4])
  dr = Mul(Mul(dlet, in_2), Mul(gates, Sub(1.0, gates)))
  du = Mul(Mul(in_3, Sub(in_2, in_1)), Mul(gates:1, Sub(1.0, gates:1)))
  fetch ConcatV2((dr, du), 1), dc, AddV2(Mul(in_3, gates:1), Mul(dlet, gates)), dread)";

}  // namespace

extern const OpCases kFusedCellsCases{
    "fused_cells", [] {
      std::vector<OpCase> rows;
      const auto at = [](Shape shape, int seed) { return random<float>(std::move(shape), seed); };
      const auto gate = [](int seed) { return random<float>({3, 4}, seed, 0.1, 0.9); };
      rows.push_back({.op = "_LstmCell",
                      .in = {list({at({3, 2}, 1), at({3, 4}, 2)}), at({3, 4}, 3), at({6, 16}, 4),
                             at({16}, 5), list({})},
                      .attrs = {{"Q", 0}, {"N", 0}},
                      .atol = 1e-6,
                      .plain = kLstmStep});
      rows.push_back({.op = "_LstmCell",
                      .in = {list({at({3, 2}, 1), at({3, 4}, 2)}), at({3, 4}, 3), at({6, 16}, 4),
                             at({16}, 5), list({})},
                      .attrs = {{"Q", 0}, {"N", 5}},
                      .atol = 1e-6,
                      .plain = std::string(kLstmStep) + ", i, j, f, o, squashed"});
      rows.push_back({.op = "_LstmCellGrad",
                      .in = {at({3, 4}, 1), gate(2), gate(3), gate(4), gate(5), gate(6),
                             at({3, 4}, 7), list({at({3, 4}, 8)}), list({}), list({})},
                      .attrs = {{"Q", 0}, {"R", 0}, {"G", 0}},
                      .atol = 1e-6,
                      .plain = kLstmGrad});
      rows.push_back({.op = "_GruCell",
                      .in = {at({3, 2}, 1), at({3, 4}, 2), at({6, 8}, 3), at({8}, 4), at({6, 4}, 5),
                             at({4}, 6), list({})},
                      .attrs = {{"J", 0}, {"N", 0}},
                      .atol = 1e-6,
                      .plain = kGruStep});
      rows.push_back({.op = "_GruCellGrad",
                      .in = {random<float>({3, 8}, 1, 0.1, 0.9), gate(2), at({3, 4}, 3),
                             at({3, 4}, 4), at({6, 4}, 5)},
                      .attrs = {{"X", 1}},
                      .atol = 1e-6,
                      .plain = kGruGrad});
      return rows;
    }};

}  // namespace rill
