// Reads digits with two layers. The Python twin is examples/mlp.py.
#include <cstdio>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kHidden = 64;

tf::Output layer(tf::Output inputs, std::int64_t size, const char* name) {
  const tf::VariableScopeBlock scope(name);
  const auto weights = tf::get_variable("weights", {inputs.shape()[1], size});
  const auto bias = tf::get_variable("bias", {size}, {.initializer = tf::zeros_initializer()});
  return tf::matmul(inputs, weights) + bias;
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto logits = layer(tf::tanh(layer(x, kHidden, "hidden")), digits::kClasses, "output");
  const auto wanted = tf::one_hot(labels, digits::kClasses);
  const auto log_probability = logits - tf::reduce_logsumexp(logits, {.axis = 1, .keepdims = true});
  const auto loss = -tf::reduce_mean(tf::reduce_sum(wanted * log_probability, {.axis = 1}));
  const auto step = tf::train::get_or_create_global_step();
  const auto rate = tf::train::exponential_decay(0.005, step, 200, 0.7);
  auto& train = tf::train::AdamOptimizer(rate).minimize(loss, {.global_step = step});
  const auto right = tf::equal(tf::argmax(logits, {.axis = 1, .output_type = tf::int32}), labels);
  const auto accuracy = tf::reduce_mean(tf::cast(right, tf::float32));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int i = 1; i <= 600; ++i) {
    const auto [pictures, numbers] = digits::as_tensors(pen.draw(64));
    sess.run(train, {{x, pictures}, {labels, numbers}});
    if (i % 150 == 0)
      std::printf("step %d: loss %.3f\n", i,
                  sess.run(loss, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
  }
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(1000));
  std::printf("accuracy on unseen digits: %.3f\n",
              sess.run(accuracy, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
}
