#pragma once

#include <cstdint>
#include <vector>

#include "rill/board/layout/embedding.h"

namespace rill::board {

// The nearest neighbours of each point, the nearest first, without the point itself.
struct Neighbours {
  std::size_t count = 0;               // of each point
  std::vector<std::uint32_t> indices;  // rows of `count`
  std::vector<float> distances;        // Euclidean
};
Neighbours nearest_neighbours(const PointMatrix& points, std::size_t count);

// Random numbers that are the same everywhere.
class SmallRandom {
 public:
  explicit SmallRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }  // from 0 to below 1

 private:
  std::uint64_t state_;
};

}  // namespace rill::board
