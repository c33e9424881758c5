// Gradients clipped by their norm before they are applied. The Python twin is clipping.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const tf::Variable a({3.0f, 4.0f}), b(12.0f);
  const auto loss = tf::reduce_sum(tf::square(a)) / 2 + tf::square(b) / 2;
  tf::train::GradientDescentOptimizer optimizer(1.0);
  const auto pairs = optimizer.compute_gradients(loss);
  std::vector<tf::Gradient> grads;
  for (const auto& [grad, variable] : pairs) grads.push_back(grad);
  const auto [clipped, norm] = tf::clip_by_global_norm(grads, 6.5);
  auto& train = optimizer.apply_gradients({{clipped[0], a}, {clipped[1], b}});
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("norm", sess.run(norm));
  sess.run(train);
  show("a", sess.run(a));
  show("b", sess.run(b));
  return 0;
}
