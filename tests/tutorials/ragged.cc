// Rows of different lengths. The Python twin is ragged.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto rows = tf::ragged::from_row_splits({3, 1, 4, 1, 5}, {0, 2, 2, 5});
  tf::Session sess;
  show("sums", sess.run(std::get<tf::Output>(tf::reduce_sum(rows, {.axes = {1}}))));
  show("dense", sess.run(tf::ragged::to_tensor(rows)));
  show("lengths", sess.run(tf::ragged::row_lengths(rows)));
  show("doubled", sess.run((rows * 2).flat_values));
  return 0;
}
