// Two datasets side by side, padded batches of rows of different lengths. The Python twin is
// zipped.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto rows = tf::data::Dataset::range(1, 5).map(
      [](tf::Output n) { return tf::fill(tf::reshape(n, {1}), n); });
  const auto names = tf::data::Dataset::from_tensor_slices({tf::constant({"a", "b", "c", "d"})});
  const auto data = tf::data::Dataset::zip({rows, names}).padded_batch(2, {{tf::None}, {}});
  const auto next = tf::data::make_one_shot_iterator(data).get_next();
  const auto row = next[0].tensor(), name = next[1].tensor();
  tf::Session sess;
  for (int i = 0; i < 2; ++i) {
    const auto values = sess.run({row, name});
    show("rows", values[0]);
    show("names", values[1]);
  }
  return 0;
}
