// Cells of recurrent networks, built of the ops that tf.nn.rnn_cell makes, as single kernels.
// tests/python/test_fused_rnn.py has the networks themselves.
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

constexpr std::int64_t kFusedInputs = 5, kFusedCells = 7;

struct Lstm {
  Output i, j, f, o, c, squashed, h;
};

class RnnFusion : public FusionTest {
 protected:
  Output axis() { return constant(1, {.dtype = DType::i32}); }
  Output gates(const Output& x, const Output& h, std::int64_t width, unsigned seed) {
    const Output both = raw::ConcatV2({x, h}, axis());
    const Output product = raw::MatMul(both, noise({kFusedInputs + kFusedCells, width}, seed));
    return raw::BiasAdd(product, noise({width}, seed + 1));
  }
  Lstm lstm(const Output& x, const Output& c, const Output& h, float bias = 0.5f) {
    const std::vector<Output> parts = raw::Split(axis(), gates(x, h, 4 * kFusedCells, 20), 4);
    Lstm cell;
    cell.f = raw::Sigmoid(raw::Add(parts[2], Tensor::scalar(bias)));
    cell.i = raw::Sigmoid(parts[0]);
    cell.j = raw::Tanh(parts[1]);
    cell.c = raw::Add(raw::Mul(cell.f, c), raw::Mul(cell.i, cell.j));
    cell.o = raw::Sigmoid(parts[3]);
    cell.squashed = raw::Tanh(cell.c);
    cell.h = raw::Mul(cell.squashed, cell.o);
    return cell;
  }
  // `inside`: where its values between are noted.
  Output gru(const Output& x, const Output& h, std::vector<Output>* inside = nullptr) {
    const Output both = raw::Sigmoid(gates(x, h, 2 * kFusedCells, 30));
    const std::vector<Output> parts = raw::Split(axis(), both, 2);
    const Output through = raw::Mul(parts[0], h);
    const Output made = raw::Tanh(gates(x, through, kFusedCells, 40));
    const Output open = raw::Sub(Tensor::scalar(1.0f), parts[1]);
    const Output kept = raw::Mul(parts[1], h), added = raw::Mul(open, made);
    if (inside != nullptr) *inside = {parts[0], parts[1], through, open, kept, added};
    return raw::Add(kept, added);
  }
  Lstm peepholed(const Output& x, const Output& c, const Output& h) {
    const std::vector<Output> parts = raw::Split(axis(), gates(x, h, 4 * kFusedCells, 20), 4);
    const auto seen = [&](const Output& part, const Output& state, int k) {
      return raw::Sigmoid(raw::Add(part, raw::Mul(peepholes[static_cast<std::size_t>(k)], state)));
    };
    Lstm cell;
    cell.f = seen(raw::Add(parts[2], Tensor::scalar(0.5f)), c, 1);
    cell.i = seen(parts[0], c, 0);
    cell.j = raw::Tanh(parts[1]);
    cell.c = raw::Add(raw::Mul(cell.f, c), raw::Mul(cell.i, cell.j));
    cell.o = seen(parts[3], cell.c, 2);
    cell.squashed = raw::Tanh(cell.c);
    cell.h = raw::Mul(cell.squashed, cell.o);
    return cell;
  }
  std::vector<Output> gradients_of(const std::vector<Output>& values,
                                   const std::vector<Output>& to) {
    std::vector<Output> losses, grads;
    for (const Output& value : values) losses.push_back(raw::L2Loss(value));
    for (const Gradient& g : gradients(losses, to)) grads.push_back(g.dense());
    return grads;
  }
  std::vector<Feed> feeds(std::int64_t rows = 3) const {
    return {{x, noise({rows, kFusedInputs}, 1)},
            {c, noise({rows, kFusedCells}, 2)},
            {h, noise({rows, kFusedCells}, 3)}};
  }

  Output x = placeholder({-1, kFusedInputs}), c = placeholder({-1, kFusedCells}, "c"),
         h = placeholder({-1, kFusedCells}, "h");
  const std::vector<Output> peepholes{constant(noise({kFusedCells}, 5)),
                                      constant(noise({kFusedCells}, 6)),
                                      constant(noise({kFusedCells}, 7))};
};

TEST_F(RnnFusion, AStepOfAnLstmIsOneKernel) {
  const Lstm first = lstm(x, c, h), second = lstm(x, first.c, first.h);
  const Ran on = compare({second.h, second.c}, feeds(), "lstm_cell", "_LstmCell", 2);
  EXPECT_EQ(on.ops.size(), 2u) << join(on.ops, " ");
  const Ran off = run({second.h}, feeds(), {.rewrites_off = {"all"}});
  EXPECT_EQ(off.ops.size(), 2u * 14) << join(off.ops, " ");
}

TEST_F(RnnFusion, GatesThatAreReadAreOutputs) {
  const Lstm cell = lstm(x, c, h);
  const std::vector<Output> all{cell.i, cell.j, cell.f, cell.o, cell.squashed, cell.c, cell.h};
  compare(all, feeds(), "lstm_cell", "_LstmCell", 1);
  for (const Output& one : all) compare({one, cell.h}, feeds(), "lstm_cell", "_LstmCell", 1);
}

TEST_F(RnnFusion, ValuesInBetweenKeepTheirNodes) {
  const Lstm cell = lstm(x, c, h);
  for (const Output& inside : {cell.i.node->input(0), cell.c.node->input(0), cell.c.node->input(1)})
    EXPECT_EQ(run({inside, cell.h}, feeds()).count("_LstmCell"), 0) << inside.name();
}

TEST_F(RnnFusion, GradientsOfACellAreOneKernel) {
  const Lstm first = lstm(x, c, h), second = lstm(x, first.c, first.h);
  std::vector<Output> grads;
  for (const Gradient& g : gradients({raw::L2Loss(second.h), raw::L2Loss(second.c)}, {x, c, h}))
    grads.push_back(g.dense());
  const Ran on = compare(grads, feeds(), "lstm_cell_grad", "_LstmCellGrad", 2, 1e-5);
  EXPECT_EQ(on.count("SigmoidGrad") + on.count("TanhGrad") + on.count("_ElementwiseChain"), 0)
      << join(on.ops, " ");
}

TEST_F(RnnFusion, AStateOfOneRowCountsForAll) {
  const Lstm cell = lstm(x, c, h);
  std::vector<Output> all{cell.h, cell.c, cell.i, cell.squashed};
  for (const Gradient& g : gradients({raw::L2Loss(cell.h), raw::L2Loss(cell.c)}, {x, c, h}))
    all.push_back(g.dense());
  std::vector<Feed> one = feeds();
  one[1].value = noise({1, kFusedCells}, 2);
  const Ran on = compare(all, one, "lstm_cell", "_LstmCell", 1, 1e-5);
  EXPECT_EQ(on.count("_LstmCellGrad"), 1) << join(on.ops, " ");
  std::vector<Feed> other = feeds(1);
  other[1].value = noise({4, kFusedCells}, 2);
  compare(all, other, "lstm_cell", "_LstmCell", 1, 1e-5);
}

TEST_F(RnnFusion, ManyRowsAndNone) {
  const Lstm cell = lstm(x, c, h);
  const Output other = gru(x, h);
  for (const std::int64_t rows : {0, 1, 2, 3, 4, 5, 100})
    compare({cell.h, cell.c, other}, feeds(rows), "lstm_cell", "_LstmCell", 1, 1e-5);
}

TEST_F(RnnFusion, AStepOfAGruIsOneKernel) {
  const Output next = gru(x, gru(x, h));
  const Ran on = compare({next}, feeds(), "gru_cell", "_GruCell", 2);
  EXPECT_EQ(on.ops.size(), 2u) << join(on.ops, " ");
}

TEST_F(RnnFusion, GradientsOfAGruAreOneKernel) {
  const Output next = gru(x, gru(x, h));
  for (const auto& to : {std::vector<Output>{h}, std::vector<Output>{x, h}})
    for (const std::int64_t rows : {0, 1, 3, 70}) {
      const Ran on =
          compare(gradients_of({next}, to), feeds(rows), "gru_cell_grad", "_GruCellGrad", 2, 1e-5);
      EXPECT_EQ(on.count("_GruCell"), 2);
      EXPECT_EQ(on.count("SigmoidGrad") + on.count("TanhGrad") + on.count("Split"), 0)
          << join(on.ops, " ");
    }
}

TEST_F(RnnFusion, AGruWhoseValuesAreReadKeepsTheirNodes) {
  std::vector<Output> inside;
  const Output next = gru(x, h, &inside);
  const std::vector<Output> grads = gradients_of({next}, {h});
  for (const Output& one : inside) {
    const Ran on = run({one, next, grads[0]}, feeds());
    const Ran off = run({one, next, grads[0]}, feeds(), {.rewrites_off = {"all"}});
    EXPECT_EQ(on.count("_GruCell"), 0) << one.name();
    for (const std::size_t k : {0, 1, 2}) expect_near(on.values[k], off.values[k], 1e-5);
  }
}

TEST_F(RnnFusion, GradientsOfPeepholesAreOfTheSameKernel) {
  const Lstm first = peepholed(x, c, h), second = peepholed(x, first.c, first.h);
  for (const std::vector<Output>& to :
       {std::vector<Output>{x, c, h},
        std::vector<Output>{x, peepholes[0], peepholes[1], peepholes[2]},
        std::vector<Output>{x, c, h, peepholes[0], peepholes[1], peepholes[2]}}) {
    const Ran on = compare(gradients_of({second.h, second.c}, to), feeds(), "lstm_cell_grad",
                           "_LstmCellGrad", 2, 1e-5);
    EXPECT_EQ(on.count("SigmoidGrad") + on.count("TanhGrad"), 0) << join(on.ops, " ");
  }
  // Of some peepholes only, or without the gates: what does not fit stays as it is.
  for (const std::vector<Output>& to :
       {std::vector<Output>{x, peepholes[1]}, std::vector<Output>{peepholes[0], peepholes[2]}}) {
    const std::vector<Output> some = gradients_of({second.h}, to);
    const Ran on = run(some, feeds()), off = run(some, feeds(), {.rewrites_off = {"all"}});
    for (const std::size_t k : {0, 1}) expect_near(on.values[k], off.values[k], 1e-5);
  }
}

TEST_F(RnnFusion, CellsThatReadEachOthersGatesAreNotFused) {
  const std::vector<Output> a = raw::Split(axis(), gates(x, h, 4 * kFusedCells, 50), 4);
  const std::vector<Output> b = raw::Split(axis(), gates(x, h, 4 * kFusedCells, 60), 4);
  const auto rest = [&](const std::vector<Output>& parts, const Output& in, const Output& before) {
    const Output kept = raw::Mul(raw::Sigmoid(parts[2]), before);
    const Output state = raw::Add(kept, raw::Mul(in, raw::Tanh(parts[1])));
    return raw::Mul(raw::Tanh(state), raw::Sigmoid(parts[3]));
  };
  const Output in_a = raw::Sigmoid(a[0]), in_b = raw::Sigmoid(b[0]);
  const std::vector<Output> both{rest(a, in_a, in_b), rest(b, in_b, in_a)};
  const Ran on = run(both, feeds()), off = run(both, feeds(), {.rewrites_off = {"all"}});
  EXPECT_EQ(on.count("_LstmCell"), 1);  // the other one would be needed for its own input
  for (const std::size_t k : {0, 1}) expect_near(on.values[k], off.values[k]);
}

TEST_F(RnnFusion, SumsOfWeightGradientsAreOneKernel) {
  std::vector<Output> products;
  std::vector<Feed> all;
  for (unsigned k = 0; k < 4; ++k) {
    const Output a = placeholder({-1, 20}, "a"), b = placeholder({-1, 300}, "b");
    products.push_back(raw::MatMul(a, b, {.transpose_a = true}));
    const std::int64_t rows = k == 2 ? 0 : 3 + k;
    all.push_back({a, noise({rows, 20}, k)});
    all.push_back({b, noise({rows, 300}, k + 10)});
  }
  const Ran on = compare({raw::AddN({products.begin(), products.end()})}, all, "product_sums",
                         "_ProductSum", 1, 1e-5);
  EXPECT_EQ(on.ops.size(), 1u);
  // Others are left alone.
  const Output turned = raw::MatMul(
      raw::Transpose(products[0], Tensor::vector<std::int32_t>({0, 1})), noise({300, 300}, 5));
  EXPECT_EQ(run({raw::AddN({products[1], turned})}, all).count("_ProductSum"), 0);
}

TEST_F(RnnFusion, OnlyTheSliceOfAProductIsComputed) {
  const Output a = placeholder({-1, 9}, "a"), b = placeholder({-1, 9}, "b");
  const Output begin = raw::Placeholder(DType::i32, {.shape = PartialShape{2}});
  const Output size = raw::Placeholder(DType::i32, {.shape = PartialShape{2}});
  const Output box = raw::Slice(raw::MatMul(a, b, {.transpose_b = true}), begin, size);
  struct Box {
    std::int32_t row, column, rows, columns;
  };
  const auto cut = [&](Box of) {
    return std::vector<Feed>{{a, noise({6, 9}, 1)},
                             {b, noise({8, 9}, 2)},
                             {begin, Tensor::vector<std::int32_t>({of.row, of.column})},
                             {size, Tensor::vector<std::int32_t>({of.rows, of.columns})}};
  };
  for (const Box& fits : {Box{0, 3, 6, 4}, Box{2, 0, -1, -1}, Box{6, 8, 0, 0}})
    compare({box}, cut(fits), "product_slices", "_MatMulSlice", 1);
  for (const Box& wrong : {Box{0, 7, 6, 4}, Box{-1, 0, 2, 2}, Box{0, 0, -2, 2}}) {
    const Error on = thrown_by([&] { run({box}, cut(wrong)); });
    const Error off = thrown_by([&] { run({box}, cut(wrong), {.rewrites_off = {"all"}}); });
    EXPECT_EQ(on.code(), Code::kInvalidArgument);
    EXPECT_EQ(on.message(), off.message());
  }
}

TEST_F(RnnFusion, MatricesSideBySideHaveGradientsOfTheirOwn) {
  const Output w = constant(noise({kFusedInputs + kFusedCells, 9}, 4));
  const Output product = raw::MatMul(raw::ConcatV2({x, h}, axis()), w);
  for (const std::int64_t rows : {0, 1, 6}) {
    const auto columns = [&](const std::vector<Output>& to, int places) {
      const Ran on = compare(gradients_of({product}, to), feeds(rows), "product_columns",
                             "_MatMulColumns", places, 1e-5);
      EXPECT_EQ(on.count("Slice") + on.count("ConcatOffset"), 0) << join(on.ops, " ");
    };
    columns({x, h, w}, 2);
    columns({h, w}, 1);
    columns({x, w}, 1);
  }
  // Nothing says how many rows there are, or how many columns.
  EXPECT_EQ(run(gradients_of({product}, {x, h}), feeds()).count("_MatMulColumns"), 0);
  const Output wide = placeholder({-1, -1}, "wide");
  const Output other = raw::MatMul(raw::ConcatV2({wide, h}, axis()), w);
  std::vector<Feed> all = feeds();
  all.push_back({wide, noise({3, kFusedInputs}, 8)});
  EXPECT_EQ(run(gradients_of({other}, {wide, w}), all).count("_MatMulColumns"), 0);
  // Who reads the whole product keeps it.
  const std::vector<Output> grads = gradients_of({product}, {x, h, w});
  const Output whole = grads[0].node->input(0);
  EXPECT_EQ(run({whole, grads[0], grads[2]}, feeds()).count("_MatMulColumns"), 0);
}

TEST_F(RnnFusion, ErrorsNameTheProgramsNode) {
  const Lstm cell = lstm(x, c, h);
  std::vector<Feed> wrong = feeds();
  wrong[2].value = noise({4, kFusedCells}, 3);
  const Error on = thrown_by([&] { run({cell.h}, wrong); });
  const Error off = thrown_by([&] { run({cell.h}, wrong, {.rewrites_off = {"all"}}); });
  EXPECT_EQ(on.code(), Code::kInvalidArgument);
  EXPECT_EQ(on.node(), off.node());
  EXPECT_EQ(on.message(), off.message());
  wrong = feeds();
  wrong[1].value = noise({4, kFusedCells}, 3);
  EXPECT_EQ(thrown_by([&] { run({cell.h}, wrong); }).node(),
            thrown_by([&] { run({cell.h}, wrong, {.rewrites_off = {"all"}}); }).node());
}

}  // namespace
}  // namespace rill
