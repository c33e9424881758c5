// Rows of a table, and training of those that are looked up. The Python twin is embeddings.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto table = tf::get_variable(
      "table", {4, 2}, {.initializer = tf::constant_initializer({0, 1, 2, 3, 4, 5, 6, 7})});
  const auto ids = tf::placeholder(tf::int32, {tf::None});
  const auto rows = tf::nn::embedding_lookup(table, ids);
  auto& train = tf::train::AdagradOptimizer(0.5).minimize(tf::reduce_sum(tf::square(rows)));
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("rows", sess.run(rows, {{ids, {3, 0, 3}}}));
  sess.run(train, {{ids, {3, 0, 3}}});
  show("table", sess.run(table));
  return 0;
}
