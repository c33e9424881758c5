#include "rill/board/layout/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rill/base/thread_pool.h"

namespace rill::board {

Neighbours nearest_neighbours(const PointMatrix& points, std::size_t count) {
  Neighbours found;
  found.count = points.rows > 0 ? std::min(count, points.rows - 1) : 0;
  found.indices.resize(points.rows * found.count);
  found.distances.resize(points.rows * found.count);
  if (found.count == 0) return found;
  std::vector<float> norms(points.rows);
  for (std::size_t i = 0; i < points.rows; ++i)
    for (const float value : points.row(i)) norms[i] += value * value;
  shared_pool().parallel_for(points.rows, 16, [&](std::size_t begin, std::size_t end) {
    std::vector<float> squares(points.rows);
    std::vector<std::uint32_t> order(points.rows);
    for (std::size_t i = begin; i < end; ++i) {
      const float* const a = points.row(i).data();
      for (std::size_t j = 0; j < points.rows; ++j) {
        const float* const b = points.row(j).data();
        float dot = 0;
        for (std::size_t k = 0; k < points.columns; ++k) dot += a[k] * b[k];
        const float square = norms[i] + norms[j] - 2 * dot;
        squares[j] = j == i ? -1 : std::isfinite(square) ? std::max(square, 0.0f) : 1e30f;
      }
      std::iota(order.begin(), order.end(), 0u);
      const auto nearer = [&](std::uint32_t x, std::uint32_t y) {
        return squares[x] != squares[y] ? squares[x] < squares[y] : x < y;
      };
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(found.count + 1),
                        order.end(), nearer);
      for (std::size_t k = 0; k < found.count; ++k) {  // the first is the point itself
        found.indices[i * found.count + k] = order[k + 1];
        found.distances[i * found.count + k] = std::sqrt(squares[order[k + 1]]);
      }
    }
  });
  return found;
}

std::uint64_t SmallRandom::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace rill::board
