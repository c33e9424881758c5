// Reads digits by looking for the most similar known one. The Python twin is nearest_neighbor.py.
#include <cstdio>
#include <cstring>

#include "examples/drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

int main() {
  const auto known = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "known"});
  const auto picture = tf::placeholder(tf::float32, {digits::kPixels}, {.name = "picture"});
  const auto distance = tf::reduce_sum(tf::abs(known - picture), {.axis = 1});
  const auto nearest = tf::argmin(distance, {.axis = 0});

  digits::Pen pen(7);
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(2000));
  const digits::Batch unseen = pen.draw(100);
  tf::Session sess;
  int right = 0;
  for (std::size_t i = 0; i < unseen.labels.size(); ++i) {
    tf::Tensor one(tf::float32, {digits::kPixels});
    std::memcpy(one.raw_data(), &unseen.pixels[i * digits::kPixels], one.byte_size());
    const auto found = sess.run(nearest, {{known, pictures}, {picture, one}});
    right += numbers.data<std::int32_t>()[found.scalar_value<std::int64_t>()] == unseen.labels[i];
  }
  std::printf("right: %d of %zu\n", right, unseen.labels.size());
}
