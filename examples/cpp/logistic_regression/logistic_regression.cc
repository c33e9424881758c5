// Reads digits with one layer of weights. The Python twin is examples/logistic_regression.py.
#include <cstdio>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const tf::Variable weights(tf::zeros({digits::kPixels, digits::kClasses}), {.name = "weights"});
  const tf::Variable bias(tf::zeros({digits::kClasses}), {.name = "bias"});

  const auto logits = tf::matmul(x, weights) + bias;
  const auto wanted = tf::one_hot(labels, digits::kClasses);
  const auto log_probability = logits - tf::reduce_logsumexp(logits, {.axis = 1, .keepdims = true});
  const auto loss = -tf::reduce_mean(tf::reduce_sum(wanted * log_probability, {.axis = 1}));
  auto& train = tf::train::AdamOptimizer(0.01).minimize(loss);
  const auto right = tf::equal(tf::argmax(logits, {.axis = 1, .output_type = tf::int32}), labels);
  const auto accuracy = tf::reduce_mean(tf::cast(right, tf::float32));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int step = 1; step <= 400; ++step) {
    const auto [pictures, numbers] = digits::as_tensors(pen.draw(64));
    sess.run(train, {{x, pictures}, {labels, numbers}});
    if (step % 100 == 0)
      std::printf("step %d: loss %.3f\n", step,
                  sess.run(loss, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
  }
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(1000));
  std::printf("accuracy on unseen digits: %.3f\n",
              sess.run(accuracy, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
}
