// Adds two constants. The Python twin is constants.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto a = tf::constant({1.0, 2.0, 3.0}), b = tf::constant(4.0);
  tf::Session sess;
  show("sum", sess.run(a + b));
  show("product", sess.run(tf::reduce_prod(a * b)));
  return 0;
}
