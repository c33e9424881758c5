// Gradients, and gradients of gradients. The Python twin is gradients.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {2});
  const auto y = tf::reduce_sum(x * x * x);
  const auto first = tf::gradients(y, x)[0].dense();
  const auto second = tf::gradients(first, x)[0].dense();
  const auto hessian = tf::hessians({y}, {x})[0];
  tf::Session sess;
  const tf::Feeds feed{{x, {1, 2}}};
  show("first", sess.run(first, feed));
  show("second", sess.run(second, feed));
  show("hessian", sess.run(hessian, feed));
  return 0;
}
