// Feature columns: what a model takes from raw features. The Python twin is columns.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  namespace fc = tf::feature_column;
  const auto price = fc::numeric_column("price");
  const auto age = fc::bucketized_column(fc::numeric_column("age"), {18, 65});
  const auto color = fc::indicator_column(fc::categorical_column_with_vocabulary_list(
      "color", {"red", "green"}, {.num_oov_buckets = 1}));
  const auto features = fc::input_layer({{"price", tf::constant({1.5, 2.5})},
                                         {"age", tf::constant({17.0, 70.0})},
                                         {"color", tf::constant({"green", "blue"})}},
                                        {price, age, color});
  tf::Session sess;
  sess.run(tf::tables_initializer());
  show("features", sess.run(features));
  return 0;
}
