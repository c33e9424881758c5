// A variable that counts. The Python twin is counter.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const tf::Variable state(0, {.name = "counter"});
  const auto update = state.assign(state + 1);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("first", sess.run(state));
  for (int i = 0; i < 3; ++i) show("next", sess.run(update));
  return 0;
}
