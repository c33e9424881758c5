// Logistic regression on four points. The Python twin is logistic.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::constant({{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {1.0, 1.0}});
  const auto labels = tf::constant({{0.0}, {1.0}, {1.0}, {1.0}});
  const tf::Variable w(tf::zeros({2, 1})), b(tf::zeros({1}));
  const auto logits = tf::matmul(x, w) + b;
  const auto loss = tf::reduce_mean(tf::nn::sigmoid_cross_entropy_with_logits(labels, logits));
  auto& train = tf::train::MomentumOptimizer(0.5, 0.9).minimize(loss);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (int i = 0; i < 200; ++i) sess.run(train);
  show("loss", sess.run(loss));
  show("answers", sess.run(tf::round(tf::sigmoid(logits))));
  return 0;
}
