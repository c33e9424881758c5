// A convolution and a pool. The Python twin is convolution.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto image = tf::reshape(tf::range(16.0), {1, 4, 4, 1});
  const auto kernel = tf::reshape(tf::constant({1.0, 0.0, 0.0, -1.0}), {2, 2, 1, 1});
  const auto edges = tf::nn::conv2d(image, kernel, {1, 1, 1, 1}, "SAME");
  const auto pooled = tf::nn::max_pool(edges, {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID");
  tf::Session sess;
  show("edges", sess.run(edges));
  show("pooled", sess.run(pooled));
  return 0;
}
