// Gradients of recurrent cells against central differences, and shapes that must be refused. Values
// are compared with TensorFlow's in rill/ops/rnn/recurrent.cases.cc.
#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

constexpr std::int64_t kTimeSteps = 3, kBatch = 2, kInputs = 3, kCells = 2;

Tensor some(const Shape& shape, unsigned seed) {
  Tensor t(DType::f32, shape);
  for (float& value : t.flat<float>()) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / 16777216.0F - 0.5F;
  }
  return t;
}

struct Recurrent {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};
  std::vector<Output> inputs;
  std::vector<Tensor> values;

  Output input(const Shape& shape) {
    values.push_back(some(shape, static_cast<unsigned>(values.size() + 1)));
    inputs.push_back(
        scope.add("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape(shape)}})
            .output());
    return inputs.back();
  }
  Tensor run(Output fetch) {
    std::vector<Feed> feeds;
    for (std::size_t i = 0; i < inputs.size(); ++i) feeds.push_back({inputs[i], values[i]});
    return Session(graph).run(feeds, {{fetch}})[0];
  }
  Node& block(const char* op, bool peephole, std::int64_t used) {
    const Shape state{kBatch, kCells}, peepholes{kCells};
    return scope.add(op,
                     {scope.constant(Tensor::scalar(used)), input({kTimeSteps, kBatch, kInputs}),
                      input(state), input(state), input({kInputs + kCells, 4 * kCells}),
                      input(peepholes), input(peepholes), input(peepholes), input({4 * kCells})},
                     {{"use_peephole", peephole}, {"cell_clip", 0.0F}});
  }
};

// Compares the gradients of the squares of some outputs with differences.
void check_gradients(Recurrent& net, Node& node, const std::vector<int>& outputs,
                     const std::string& what) {
  std::vector<Input> sums;
  for (const int output : outputs) {
    const Output squared = net.scope.add("Square", {node.output(output)}).output();
    const Output flat =
        net.scope.add("Reshape", {squared, Tensor::vector<std::int32_t>({-1})}).output();
    sums.emplace_back(net.scope.add("Sum", {flat, 0}).output());
  }
  const Output loss = net.scope.add("AddN", {sums}).output();
  const auto found = gradients(net.scope, {{loss}}, net.inputs, {});
  for (std::size_t i = 0; i < net.inputs.size(); ++i) {
    const Tensor got = net.run(found[i].dense());
    for (std::int64_t j = 0; j < got.element_count(); ++j) {
      float& at = net.values[i].data<float>()[j];
      const float kept = at;
      const auto moved = [&](float by) {
        at = kept + by;
        const float value = net.run(loss).scalar_value<float>();
        at = kept;
        return value;
      };
      const float want = (moved(0.02F) - moved(-0.02F)) / 0.04F;
      EXPECT_NEAR(got.data<float>()[j], want, 2e-3F)
          << what << ", input " << i << ", element " << j;
    }
  }
}

TEST(Recurrent, gradients) {
  for (const char* op : {"BlockLSTM", "BlockLSTMV2"})
    for (const bool peephole : {false, true})
      for (const std::int64_t used : {kTimeSteps, kTimeSteps - 1}) {
        Recurrent net;
        check_gradients(net, net.block(op, peephole, used), {1, 6}, str_cat(op, ", used ", used));
      }
}

TEST(Recurrent, gradients_of_cells) {
  const Shape state{kBatch, kCells}, peepholes{kCells};
  for (const bool peephole : {false, true}) {
    Recurrent net;
    const std::vector<Output> in{net.input({kBatch, kInputs}), net.input(state), net.input(state),
                                 net.input({kInputs + kCells, 4 * kCells})};
    const std::vector<Output> diagonals{net.input(peepholes), net.input(peepholes),
                                        net.input(peepholes)};
    const Output bias = net.input({4 * kCells});
    Node& cell =
        net.scope.add("LSTMBlockCell",
                      {in[0], in[1], in[2], in[3], diagonals[0], diagonals[1], diagonals[2], bias},
                      {{"use_peephole", peephole}, {"cell_clip", -1.0F}});
    check_gradients(net, cell, {1, 6}, "LSTMBlockCell");
  }
  Recurrent net;
  const std::vector<Output> in{net.input({kBatch, kInputs}),
                               net.input(state),
                               net.input({kInputs + kCells, 2 * kCells}),
                               net.input({kInputs + kCells, kCells}),
                               net.input({2 * kCells}),
                               net.input({kCells})};
  Node& cell = net.scope.add("GRUBlockCell", {in[0], in[1], in[2], in[3], in[4], in[5]});
  check_gradients(net, cell, {3}, "GRUBlockCell");
}

TEST(Recurrent, steps_beyond_the_length_are_zeros) {
  Recurrent net;
  const Tensor h = net.run(net.block("BlockLSTM", false, 1).output(6));
  const auto values = h.flat<float>();
  const std::size_t first = kBatch * kCells;
  EXPECT_NE(values[0], 0.0F);
  for (std::size_t i = first; i < values.size(); ++i) EXPECT_EQ(values[i], 0.0F);
}

TEST(Recurrent, shapes_and_lengths_are_checked) {
  EXPECT_EQ(thrown_by([] { Recurrent().block("BlockLSTM", false, kTimeSteps + 1); }).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(thrown_by([] { Recurrent().block("BlockLSTMV2", false, -1); }).code(),
            Code::kInvalidArgument);
  Recurrent net;
  const Output x = net.input({3}), state = net.input({2, 4}), w = net.input({7, 16});
  const Output p = net.input({4}), b = net.input({16});
  EXPECT_EQ(thrown_by([&] {
              net.scope.add("LSTMBlockCell", {x, state, state, w, p, p, p, b});
            }).code(),
            Code::kInvalidArgument);
  // What only the kernel sees.
  const Output length = net.scope
                            .add("PlaceholderWithDefault", {Tensor::scalar(std::int64_t{9})},
                                 {{"shape", PartialShape::scalar()}})
                            .output();
  const Output series = net.input({2, 2, 3});
  Node& late = net.scope.add("BlockLSTM", {length, series, state, state, w, p, p, p, b});
  EXPECT_EQ(thrown_by([&] { net.run(late.output(6)); }).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace rill
