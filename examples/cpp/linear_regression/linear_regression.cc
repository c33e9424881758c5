// Fits a line to noisy points. The Python twin is examples/linear_regression.py.
#include <cstdio>
#include <random>

#include "rill/rill.h"

namespace tf = rill;

int main() {
  std::mt19937 random(0);
  std::uniform_real_distribution<float> anywhere(-1, 1);
  std::normal_distribution<float> noise(0, 0.1f);
  tf::Tensor points(tf::float32, {200}), values(tf::float32, {200});
  for (int i = 0; i < 200; ++i) {
    points.data<float>()[i] = anywhere(random);
    values.data<float>()[i] = 3 * points.data<float>()[i] - 2 + noise(random);
  }

  const auto x = tf::placeholder(tf::float32, {tf::None}, {.name = "x"});
  const auto y = tf::placeholder(tf::float32, {tf::None}, {.name = "y"});
  const tf::Variable weight(0.0f, {.name = "weight"});
  const tf::Variable bias(0.0f, {.name = "bias"});

  const auto loss = tf::reduce_mean(tf::square(x * weight + bias - y));
  auto& train = tf::train::GradientDescentOptimizer(0.3).minimize(loss);

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (int step = 0; step < 100; ++step) sess.run(train, {{x, points}, {y, values}});
  const auto found =
      sess.run(std::vector{weight.value(), bias.value(), loss}, {{x, points}, {y, values}});
  std::printf("y = %.2f x + %.2f, mean squared error %.4f\n", found[0].scalar_value<float>(),
              found[1].scalar_value<float>(), found[2].scalar_value<float>());
}
