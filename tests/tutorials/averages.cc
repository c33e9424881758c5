// Moving averages of variables. The Python twin is averages.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const tf::Variable v(0.0f);
  tf::train::ExponentialMovingAverage ema(0.5);
  auto& update = ema.apply({v});
  const auto average = ema.average(v);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  for (const float value : {1.0f, 2.0f, 3.0f}) {
    sess.run(v.assign(value));
    sess.run(update);
    show("average", sess.run(average));
  }
  return 0;
}
