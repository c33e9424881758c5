// A hidden layer that learns XOR. The Python twin is xor.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::constant({{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {1.0, 1.0}});
  const auto y = tf::constant({{0.0}, {1.0}, {1.0}, {0.0}});
  const tf::Variable w1({{0.5f, -0.4f, 0.3f}, {-0.6f, 0.7f, 0.2f}}), b1(tf::zeros({3}));
  const tf::Variable w2({{0.8f}, {0.9f}, {-0.5f}}), b2(tf::zeros({1}));
  const auto hidden = tf::tanh(tf::matmul(x, w1) + b1);
  const auto loss = tf::losses::mean_squared_error(y, tf::matmul(hidden, w2) + b2);
  auto& train = tf::train::AdamOptimizer(0.05).minimize(loss);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("before", sess.run(loss));
  for (int i = 0; i < 20; ++i) sess.run(train);
  show("after", sess.run(loss));
  return 0;
}
