// Metrics over several batches. The Python twin is metrics.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto labels = tf::placeholder(tf::int64, {tf::None});
  const auto predictions = tf::placeholder(tf::int64, {tf::None});
  const auto accuracy = tf::metrics::accuracy(labels, predictions);
  const auto precision = tf::metrics::precision(labels, predictions);
  const auto recall = tf::metrics::recall(labels, predictions);
  tf::Session sess;
  sess.run(tf::local_variables_initializer());
  const std::vector updates{accuracy.update_op, precision.update_op, recall.update_op};
  sess.run(updates, {{labels, {1, 0, 1}}, {predictions, {1, 1, 0}}});
  sess.run(updates, {{labels, {0, 1}}, {predictions, {0, 1}}});
  show("accuracy", sess.run(accuracy.value));
  show("precision", sess.run(precision.value));
  show("recall", sess.run(recall.value));
  return 0;
}
