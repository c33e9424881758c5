// Recurrent networks and their cells: C++ twins of Python programs.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cpp/rnn_testing.h"

namespace tf = rill;
namespace cells = rill::nn::rnn_cell;

namespace {

using rill::constant_start;
using rill::some_input;
using Floats = std::vector<float>;

class Rnn : public ::testing::Test {
 protected:
  Floats value(tf::Output x) {
    tf::Session session(graph_);
    session.run(tf::global_variables_initializer());
    const tf::Tensor result = session.run(x);
    const auto flat = result.flat<float>();
    return {flat.begin(), flat.end()};
  }
  std::vector<std::string> variables() {
    std::vector<std::string> names;
    for (const tf::Variable& variable : tf::global_variables()) names.push_back(variable.name());
    return names;
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Rnn, one_step) {
  const tf::VariableScopeBlock scope("net", constant_start(0.5));
  cells::BasicRNNCell cell(1);
  const auto x = tf::constant(tf::Input(tf::Tensor::of<float>({1, 1}, {0.5F})));
  const auto [outputs, state] = cell(x, cell.zero_state(1, tf::DType::f32));
  EXPECT_EQ(outputs[0].name(), "net/basic_rnn_cell/Tanh:0");
  EXPECT_EQ(variables(),
            (std::vector<std::string>{"net/basic_rnn_cell/kernel:0", "net/basic_rnn_cell/bias:0"}));
  EXPECT_EQ(cell.trainable_weights().size(), 2U);
  EXPECT_FLOAT_EQ(value(outputs[0])[0], std::tanh(0.25F));
}

TEST_F(Rnn, dynamic) {
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  cells::BasicLSTMCell cell(2);
  const auto network = tf::nn::dynamic_rnn(
      cell, some_input(), {.sequence_length = tf::constant({3, 1}), .dtype = tf::DType::f32});
  EXPECT_EQ(network.output().name(), "net/rnn/transpose_1:0");
  EXPECT_EQ(tf::to_text(network.output().shape()), "[2,3,2]");
  const cells::LSTMStateTuple last(network.state);
  const Floats outputs = value(network.output()), h = value(last.h);
  EXPECT_FLOAT_EQ(outputs[4], h[0]);  // of the long sequence, the last step
  EXPECT_FLOAT_EQ(outputs[6], h[2]);  // of the short one, the first
  EXPECT_EQ((Floats{outputs.begin() + 8, outputs.end()}), (Floats{0, 0, 0, 0}));
}

TEST_F(Rnn, static_is_dynamic) {
  const auto x = some_input();
  tf::VariableScopeOptions options = constant_start(0.1);
  tf::Output looped, unrolled;
  {
    const tf::VariableScopeBlock scope("net", options);
    cells::GRUCell cell(2, {.name = "gru"});
    looped = tf::nn::dynamic_rnn(cell, x, {.dtype = tf::DType::f32}).output();
  }
  {
    options.reuse = tf::Reuse::kYes;
    const tf::VariableScopeBlock scope("net", options);
    cells::GRUCell cell(2, {.name = "gru"});
    const auto network =
        tf::nn::static_rnn(cell, tf::unstack(x, {.axis = 1}), {.dtype = tf::DType::f32});
    const auto steps = network.output();
    unrolled = tf::stack({steps[0], steps[1], steps[2]}, {.axis = 1});
  }
  EXPECT_EQ(variables().size(), 4U);
  const Floats a = value(looped), b = value(unrolled);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_FLOAT_EQ(a[i], b[i]);
}

TEST_F(Rnn, stacks_and_wrappers) {
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  auto lower = std::make_shared<cells::ResidualWrapper>(std::make_shared<cells::BasicRNNCell>(1));
  auto upper = std::make_shared<cells::DropoutWrapper>(
      std::make_shared<cells::LSTMCell>(2, cells::LSTMCellOptions{.num_proj = 1}));
  cells::MultiRNNCell cell({lower, upper});
  EXPECT_EQ(cell.state_sizes().size(), 3U);
  const auto network = tf::nn::dynamic_rnn(cell, some_input(), {.dtype = tf::DType::f32});
  EXPECT_EQ(tf::to_text(network.output().shape()), "[2,3,1]");
  EXPECT_EQ(variables()[0], "net/rnn/multi_rnn_cell/cell_0/basic_rnn_cell/kernel:0");
  EXPECT_EQ(cell.weights().size(), 5U);
  EXPECT_EQ(value(network.output()).size(), 6U);
}

TEST_F(Rnn, bidirectional) {
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  cells::BasicRNNCell forward(2), backward(2);
  const auto [fw, bw] =
      tf::nn::bidirectional_dynamic_rnn(forward, backward, some_input(), {.dtype = tf::DType::f32});
  EXPECT_EQ(bw.output().name(), "net/ReverseV2:0");
  EXPECT_FLOAT_EQ(value(bw.output())[0], value(bw.state[0])[0]);
  EXPECT_FLOAT_EQ(value(fw.output())[4], value(fw.state[0])[0]);
}

// Counts in its state and learns a scale.
struct Scaled : cells::RNNCell {
  Scaled() : RNNCell("Scaled") {}
  cells::Sizes state_sizes() const override { return {{1}}; }
  cells::Sizes output_sizes() const override { return {{1}}; }
  cells::CellOutput compute(const std::vector<tf::Output>& inputs,
                            const cells::State& state) override {
    const tf::Variable scale = tf::get_variable("scale", {1});
    return {{inputs[0] * scale + state[0]}, {state[0] + 1.0}};
  }
};

TEST_F(Rnn, own_cell) {
  const tf::VariableScopeBlock scope("net", constant_start(2));
  Scaled cell;
  const auto network = tf::nn::dynamic_rnn(cell, some_input(), {.dtype = tf::DType::f32});
  EXPECT_EQ(value(network.output()), (Floats{2, 5, 8, 8, 11, 14}));
  EXPECT_EQ(value(network.state[0]), (Floats{3, 3}));
  EXPECT_EQ(variables(), (std::vector<std::string>{"net/rnn/scaled/scale:0"}));
  EXPECT_EQ(cell.trainable_weights().size(), 1U);
  const auto gradient = tf::gradients({network.output()}, {tf::global_variables()[0].handle()});
  EXPECT_EQ(value(gradient[0].dense()), (Floats{21}));
}

TEST_F(Rnn, cells_of_contrib) {
  namespace contrib = tf::contrib::rnn;
  const tf::VariableScopeBlock scope("net", constant_start(0.1));
  const auto x = tf::transpose(some_input(), {.perm = tf::Tensor::vector<std::int32_t>({1, 0, 2})});
  cells::BasicLSTMCell plain(2);
  contrib::LSTMBlockCell block(2);
  contrib::LSTMBlockFusedCell fused(2);
  const tf::nn::DynamicRnnOptions by_time{.dtype = tf::DType::f32, .time_major = true};
  const Floats wanted = value(tf::nn::dynamic_rnn(plain, x, by_time).output());
  const Floats got = value(tf::nn::dynamic_rnn(block, x, by_time).output());
  const Floats at_once = value(fused(x).outputs);
  ASSERT_EQ(wanted.size(), at_once.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(got[i], wanted[i], 1e-6);
    EXPECT_NEAR(at_once[i], wanted[i], 1e-6);
  }
  contrib::OutputProjectionWrapper projected(std::make_shared<contrib::UGRNNCell>(2), 3);
  EXPECT_EQ(value(tf::nn::dynamic_rnn(projected, x, by_time).output()).size(), 18U);
  contrib::LayerNormBasicLSTMCell normalised(2);
  EXPECT_EQ(value(tf::nn::dynamic_rnn(normalised, x, by_time).output()).size(), 12U);
  contrib::AttentionCellWrapper looking(std::make_shared<cells::GRUCell>(2), 3);
  EXPECT_EQ(value(tf::nn::dynamic_rnn(looking, x, by_time).output()).size(), 12U);
  contrib::ConvLSTMCell pictures({2, 1}, 3, {3});
  const auto lines = tf::ones({2, 4, 2, 1});
  EXPECT_EQ(
      tf::to_text(tf::nn::dynamic_rnn(pictures, lines, {.dtype = tf::DType::f32}).output().shape()),
      "[2,4,2,3]");
  cells::GRUCell a(2), b(2), c(2), d(2);
  const auto stack = contrib::stack_bidirectional_dynamic_rnn({&a, &b}, {&c, &d}, some_input(),
                                                              {.dtype = tf::DType::f32});
  EXPECT_EQ(tf::to_text(stack.outputs.shape()), "[2,3,4]");
}

TEST_F(Rnn, raw) {
  const tf::VariableScopeBlock scope("net", constant_start(1));
  Scaled cell;
  const auto network = tf::nn::raw_rnn(cell, [&](const tf::nn::RawRnnNow& now) {
    tf::nn::RawRnnNext next;
    next.finished = tf::raw::Fill(tf::constant({2}), now.time >= 3);
    next.input = now.output == nullptr ? std::vector{tf::ones({2, 1})} : *now.output;
    next.state = now.state == nullptr ? std::vector{tf::zeros({2, 1})} : *now.state;
    if (now.output != nullptr) next.emit = *now.output;
    return next;
  });
  EXPECT_EQ(value(network.emitted[0].stack()), (Floats{1, 1, 2, 2, 4, 4}));
}

TEST_F(Rnn, errors) {
  cells::BasicRNNCell cell(2);
  EXPECT_THROW(tf::nn::dynamic_rnn(cell, some_input()), tf::Error);  // no dtype, no state
  EXPECT_THROW(tf::nn::dynamic_rnn(cell, tf::placeholder(tf::DType::f32, {2, 3, -1}),
                                   {.dtype = tf::DType::f32}),
               tf::Error);
  EXPECT_THROW(tf::nn::static_rnn(cell, std::vector<tf::Output>{}, {.dtype = tf::DType::f32}),
               tf::Error);
  EXPECT_THROW(cells::MultiRNNCell({}), tf::Error);
  EXPECT_THROW(
      cells::DropoutWrapper(std::make_shared<cells::GRUCell>(1), {.output_keep_prob = 2.0}),
      tf::Error);
}

}  // namespace
