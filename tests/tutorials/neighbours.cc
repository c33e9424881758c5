// Nearest words by cosine. The Python twin is neighbours.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto vectors = tf::constant({{1.0, 0.0}, {0.9, 0.1}, {0.0, 1.0}, {-1.0, 0.2}});
  const auto unit = tf::nn::l2_normalize(vectors, {.axis = 1});
  const auto similar = tf::matmul(unit, unit, {.transpose_b = true});
  const auto best = tf::nn::top_k(similar, {.k = 2});
  tf::Session sess;
  show("indices", sess.run(best.indices));
  show("values", sess.run(best.values));
  return 0;
}
