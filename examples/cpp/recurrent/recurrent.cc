// Reads digits line by line with an LSTM. The Python twin is examples/recurrent.py.
#include <cstdio>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {
constexpr int kSteps = 400;
}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto lines = tf::reshape(x, tf::ShapeInput({-1, digits::kSide, digits::kSide}));
  tf::nn::rnn_cell::LSTMCell cell(64);
  const auto network = tf::nn::dynamic_rnn(cell, lines, {.dtype = tf::float32});
  const tf::nn::rnn_cell::LSTMStateTuple state(network.state);
  const auto logits = tf::layers::dense(state.h, digits::kClasses);
  const auto loss = tf::losses::sparse_softmax_cross_entropy(labels, logits);
  auto& train = tf::train::AdamOptimizer(0.005).minimize(loss);
  const auto right = tf::equal(tf::argmax(logits, {.axis = 1, .output_type = tf::int32}), labels);
  const auto accuracy = tf::reduce_mean(tf::cast(right, tf::float32));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int step = 1; step <= kSteps; ++step) {
    const auto [pictures, numbers] = digits::as_tensors(pen.draw(32));
    sess.run(train, {{x, pictures}, {labels, numbers}});
    if (step % 100 == 0)
      std::printf("step %d of %d: loss %.3f\n", step, kSteps,
                  sess.run(loss, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
  }
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(1000));
  std::printf("accuracy on unseen digits: %.3f\n",
              sess.run(accuracy, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
}
