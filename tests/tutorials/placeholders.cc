// Feeds matrices of any height. The Python twin is placeholders.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {tf::None, 2}, {.name = "x"});
  const auto y = tf::matmul(x, {{1.0, 2.0}, {3.0, 4.0}}) + 1;
  tf::Session sess;
  show("one row", sess.run(y, {{x, {{1, 1}}}}));
  show("two rows", sess.run(y, {{x, {{1, 0}, {0, 1}}}}));
  return 0;
}
