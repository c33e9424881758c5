// Decoders, attention and their loss: C++ twins of Python programs.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cpp/rnn_testing.h"

namespace tf = rill;
namespace cells = rill::nn::rnn_cell;
namespace seq2seq = rill::contrib::seq2seq;

namespace {

using rill::constant_start;
using rill::some_input;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

class Seq2Seq : public ::testing::Test {
 protected:
  template <class T = float>
  std::vector<T> value(tf::Output x, const tf::SessionOptions& options = {}) {
    tf::Session session(graph_, options);
    session.run(tf::global_variables_initializer());
    const tf::Tensor result = session.run(x);
    const auto flat = result.flat<T>();
    return {flat.begin(), flat.end()};
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Seq2Seq, training_is_dynamic_rnn) {
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  cells::GRUCell cell(2);
  const auto lengths = tf::constant({3, 2});
  const auto network = tf::nn::dynamic_rnn(cell, some_input(),
                                           {.sequence_length = lengths, .dtype = tf::DType::f32});
  seq2seq::TrainingHelper helper(some_input(), lengths);
  seq2seq::BasicDecoder decoder(cell, helper, cell.zero_state(2, tf::DType::f32));
  const auto decoded = seq2seq::dynamic_decode(decoder, {.impute_finished = true});
  // Step by step: a layer as a whole sums in another order.
  const tf::SessionOptions steps{.rewrites_off = {"rnn_layer"}};
  EXPECT_EQ(value(decoded.outputs[0]), value(network.output(), steps));
  EXPECT_EQ(value(decoded.state[0]), value(network.state[0], steps));
  EXPECT_EQ(value<std::int32_t>(decoded.lengths), (Ints{3, 2}));
}

// The word after the input's, with words as one-hot vectors.
struct Counting : cells::RNNCell {
  Counting() : RNNCell("Counting") {}
  cells::Sizes state_sizes() const override { return {{1}}; }
  cells::Sizes output_sizes() const override { return {{4}}; }
  cells::CellOutput compute(const std::vector<tf::Output>& inputs,
                            const cells::State& state) override {
    const auto parts = tf::split_sizes(inputs[0], tf::constant({3, 1}), {.axis = 1});
    return {{tf::concat({parts[1], parts[0]}, 1)}, state};
  }
};

TEST_F(Seq2Seq, greedy) {
  Counting cell;
  seq2seq::GreedyEmbeddingHelper helper([](tf::Output ids) { return tf::one_hot(ids, 4); },
                                        tf::constant({0, 1}), 3);
  seq2seq::BasicDecoder decoder(cell, helper, {tf::zeros({2, 1})});
  const auto decoded = seq2seq::dynamic_decode(decoder, {.impute_finished = true});
  EXPECT_EQ(value<std::int32_t>(decoded.outputs[1]), (Ints{1, 2, 3, 2, 3, 0}));
  EXPECT_EQ(value<std::int32_t>(decoded.lengths), (Ints{3, 2}));
  const auto short_one = seq2seq::dynamic_decode(decoder, {.maximum_iterations = 1});
  EXPECT_EQ(value<std::int32_t>(short_one.outputs[1]), (Ints{1, 2}));
}

TEST_F(Seq2Seq, beams) {
  Counting cell;
  seq2seq::BeamSearchDecoder decoder(
      cell, [](tf::Output ids) { return tf::one_hot(ids, 4) * 9.0F; }, tf::constant({0, 1}), 3,
      {seq2seq::tile_batch(tf::zeros({2, 1}), 2)}, 2);
  const auto decoded = seq2seq::dynamic_decode(decoder, {.maximum_iterations = 4});
  const auto best = tf::slice(decoded.outputs[0], {tf::SliceRange{}, tf::SliceRange{}, 0});
  const Ints words = value<std::int32_t>(best);
  ASSERT_EQ(words.size(), 8U);
  EXPECT_EQ((Ints{words.begin(), words.begin() + 3}), (Ints{1, 2, 3}));
  EXPECT_EQ((Ints{words.begin() + 4, words.begin() + 6}), (Ints{2, 3}));
}

TEST_F(Seq2Seq, attention) {
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  auto mechanism = std::make_shared<seq2seq::BahdanauAttention>(
      2, some_input(), seq2seq::AttentionOptions{.memory_sequence_length = tf::constant({3, 1})});
  seq2seq::AttentionWrapper cell(std::make_shared<cells::GRUCell>(2), mechanism,
                                 {.attention_layer_size = 4});
  const auto network = tf::nn::dynamic_rnn(cell, some_input(), {.dtype = tf::DType::f32});
  EXPECT_EQ(tf::to_text(network.output().shape()), "[2,3,4]");
  const Floats alignments = value(network.state.back());
  EXPECT_NEAR(alignments[0] + alignments[1] + alignments[2], 1, 1e-6);
  EXPECT_EQ((Floats{alignments.begin() + 3, alignments.end()}), (Floats{1, 0, 0}));
}

TEST_F(Seq2Seq, loss) {
  const auto logits = tf::zeros({1, 2, 4});
  const auto loss = seq2seq::sequence_loss(logits, tf::zeros({1, 2}, {.dtype = tf::DType::i32}),
                                           tf::ones({1, 2}));
  EXPECT_NEAR(value(loss)[0], std::log(4.0F), 1e-6);
  EXPECT_THROW(seq2seq::sequence_loss(logits, logits, logits), tf::Error);
}

TEST_F(Seq2Seq, legacy) {
  namespace legacy = tf::contrib::legacy_seq2seq;
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  cells::GRUCell cell(2);
  const auto inputs = tf::unstack(some_input(), {.axis = 1});
  const auto plain = legacy::rnn_decoder(inputs, cell.zero_state(2, tf::DType::f32), cell);
  const auto network = tf::nn::static_rnn(cell, inputs, {.dtype = tf::DType::f32});
  EXPECT_EQ(value(plain.outputs[2]), value(network.output()[2]));
  cells::GRUCell looking(2);
  const auto seen =
      legacy::attention_decoder(inputs, plain.state, some_input(), looking, {.output_size = 3});
  EXPECT_EQ(value(seen.outputs[2]).size(), 6U);
  const auto target = tf::constant({0, 1});
  const auto loss = legacy::sequence_loss(seen.outputs, {target, target, target},
                                          std::vector<tf::Output>(3, tf::ones({2})));
  EXPECT_GT(value(loss)[0], 0);
}

TEST_F(Seq2Seq, tiles) {
  EXPECT_EQ(value(seq2seq::tile_batch(tf::constant({1.0F, 2.0F}), 2)), (Floats{1, 1, 2, 2}));
}

}  // namespace
