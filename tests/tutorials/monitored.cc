// Trains until a hook says that it is enough. The Python twin is monitored.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto step = tf::train::get_or_create_global_step();
  const tf::Variable w(10.0f);
  auto& train =
      tf::train::GradientDescentOptimizer(0.1).minimize(tf::square(w), {.global_step = step});
  auto stop = tf::train::make_hook<tf::train::StopAtStepHook>({.last_step = 5});
  auto sess = tf::train::MonitoredTrainingSession({.hooks = {stop}});
  while (!sess.should_stop()) {
    const auto [_, value] = sess.run(std::tie(train, w));
    show("w", value);
  }
  return 0;
}
