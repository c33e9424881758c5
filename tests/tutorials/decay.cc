// A learning rate that falls with the global step. The Python twin is decay.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto step = tf::train::get_or_create_global_step();
  const auto rate = tf::train::exponential_decay(0.1, step, 2, 0.5, {.staircase = true});
  const tf::Variable w(1.0f);
  auto& train = tf::train::GradientDescentOptimizer(rate).minimize(w * w, {.global_step = step});
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (int i = 0; i < 5; ++i) {
    show("rate", sess.run(rate));
    sess.run(train);
  }
  show("step", sess.run(step));
  show("w", sess.run(w));
  return 0;
}
