// Fits a line by gradient descent. The Python twin is line_fit.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const tf::Variable w(tf::constant({0.3f})), b(tf::constant({-0.3f}));
  const auto x = tf::placeholder(tf::float32), y = tf::placeholder(tf::float32);
  const auto loss = tf::reduce_sum(tf::square(w * x + b - y));
  auto& train = tf::train::GradientDescentOptimizer(0.01).minimize(loss);
  const tf::Feeds data{{x, {1, 2, 3, 4}}, {y, {0, -1, -2, -3}}};
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (int i = 0; i < 1000; ++i) sess.run(train, data);
  show("w", sess.run(w));
  show("b", sess.run(b));
  return 0;
}
