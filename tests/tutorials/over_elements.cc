// map_fn, scan and foldl. The Python twin is over_elements.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::constant({1.0, 2.0, 3.0, 4.0});
  const auto squares = tf::map_fn([](tf::Output v) { return v * v; }, x);
  const auto sums = tf::scan([](tf::Output so_far, tf::Output v) { return so_far + v; }, x);
  const auto product = tf::foldl([](tf::Output so_far, tf::Output v) { return so_far * v; }, x);
  tf::Session sess;
  const auto values = sess.run({squares, sums, product});
  show("squares", values[0]);
  show("sums", values[1]);
  show("product", values[2]);
  return 0;
}
