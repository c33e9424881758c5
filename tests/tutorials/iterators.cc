// One iterator for two sets of data. The Python twin is iterators.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto limit = tf::placeholder(tf::int64, {});
  const auto data = tf::data::Dataset::range(limit).batch(3, {.drop_remainder = true});
  const auto iterator = tf::data::make_initializable_iterator(data);
  const auto total = tf::reduce_sum(iterator.get_next()[0].tensor());
  tf::Session sess;
  for (const int size : {6, 3}) {
    sess.run(iterator.initializer(), {{limit, size}});
    for (int i = 0; i < size / 3; ++i) show("total", sess.run(total));
  }
  return 0;
}
