// Softmax regression, as MNIST for beginners. The Python twin is softmax.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {tf::None, 3});
  const auto y_ = tf::placeholder(tf::float32, {tf::None, 2});
  const tf::Variable W(tf::zeros({3, 2})), b(tf::zeros({2}));
  const auto y = tf::nn::softmax(tf::matmul(x, W) + b);
  const auto cross_entropy = tf::reduce_mean(-tf::reduce_sum(y_ * tf::log(y), {.axis = 1}));
  auto& train_step = tf::train::GradientDescentOptimizer(0.5).minimize(cross_entropy);
  const auto correct = tf::equal(tf::argmax(y, {.axis = 1}), tf::argmax(y_, {.axis = 1}));
  const auto accuracy = tf::reduce_mean(tf::cast(correct, tf::float32));
  const tf::Feeds feed{{x, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {y_, {{1, 0}, {0, 1}, {1, 0}}}};
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (int i = 0; i < 50; ++i) sess.run(train_step, feed);
  const auto [loss, right] = sess.run(std::tuple(cross_entropy, accuracy), feed);
  show("loss", loss);
  show("accuracy", right);
  show("W", sess.run(W));
  return 0;
}
