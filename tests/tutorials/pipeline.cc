// A pipeline: numbers that are chosen, changed and batched. The Python twin is pipeline.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto data = tf::data::Dataset::range(10)
                        .filter([](tf::Output n) { return tf::equal(n % 2, 0); })
                        .map([](tf::Output n) { return n * n; })
                        .repeat(2)
                        .batch(4);
  const auto next = tf::data::make_one_shot_iterator(data).get_next()[0].tensor();
  tf::Session sess;
  try {
    while (true) show("batch", sess.run(next));
  } catch (const tf::errors::OutOfRangeError&) {
    std::printf("the end\n");
  }
  return 0;
}
