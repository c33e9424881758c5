// Sparse tensors. The Python twin is sparse.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const tf::SparseTensor a(tf::constant({{0, 1}, {2, 0}}, {.dtype = tf::int64}),
                           tf::constant({5.0, 7.0}), tf::constant({3, 2}, {.dtype = tf::int64}));
  const auto dense = tf::sparse::to_dense(a);
  const auto product = tf::sparse::matmul(a, tf::constant({{1.0}, {2.0}}));
  const auto sums = tf::sparse::reduce_sum(a, {.axis = 1});
  tf::Session sess;
  show("dense", sess.run(dense));
  show("product", sess.run(product));
  show("sums", sess.run(sums));
  return 0;
}
