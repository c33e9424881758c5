// Batch normalization with its updates. The Python twin is batch_norm.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {tf::None, 2});
  const auto y = tf::layers::batch_normalization(x, {.momentum = 0.5, .training = true});
  auto& updates = tf::group(tf::get_collection(tf::GraphKeys::UPDATE_OPS));
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  const tf::Feeds feed{{x, {{1, 10}, {3, 30}}}};
  show("normalized", sess.run(y, feed));
  for (int i = 0; i < 2; ++i) sess.run(updates, feed);
  for (const auto& v : tf::global_variables()) show(v.name(), sess.run(v));
  return 0;
}
