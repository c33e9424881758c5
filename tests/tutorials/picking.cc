// Elements picked from tensors and put into them. The Python twin is picking.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::reshape(tf::range(12), {3, 4});
  tf::Session sess;
  show("row", sess.run(x[1]));
  show("column", sess.run(x[{tf::SliceRange{}, -1}]));
  show("part", sess.run(x[{tf::SliceRange{1, 3}, tf::SliceRange{.step = 2}}]));
  show("picked", sess.run(tf::gather_nd(x, {{0, 3}, {2, 1}})));
  show("put", sess.run(tf::scatter_nd({{1}, {3}}, {9, 8}, {5})));
  show("rows", sess.run(tf::boolean_mask(x, {true, false, true})));
  show("places", sess.run(tf::where(x > 9)));
  show("marks", sess.run(tf::one_hot({0, 2}, 3)));
  return 0;
}
