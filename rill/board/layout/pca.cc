#include <algorithm>
#include <cmath>

#include "rill/base/thread_pool.h"
#include "rill/board/layout/neighbours.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostRounds = 100;

std::vector<double> centred(const PointMatrix& points) {
  std::vector<double> values(points.rows * points.columns);
  for (std::size_t k = 0; k < points.columns; ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < points.rows; ++i) {
      const float value = points.row(i)[k];
      values[i * points.columns + k] = std::isfinite(value) ? value : 0;
      mean += values[i * points.columns + k];
    }
    mean /= static_cast<double>(std::max<std::size_t>(points.rows, 1));
    for (std::size_t i = 0; i < points.rows; ++i) values[i * points.columns + k] -= mean;
  }
  return values;
}

// Makes the vectors, which are rows, of length 1 and perpendicular to each other.
void orthonormalize(std::vector<double>& vectors, std::size_t count, std::size_t size) {
  for (std::size_t a = 0; a < count; ++a) {
    double* const one = &vectors[a * size];
    for (int round = 0; round < 2; ++round)
      for (std::size_t b = 0; b < a; ++b) {
        const double* const other = &vectors[b * size];
        double dot = 0;
        for (std::size_t k = 0; k < size; ++k) dot += one[k] * other[k];
        for (std::size_t k = 0; k < size; ++k) one[k] -= dot * other[k];
      }
    double norm = 0;
    for (std::size_t k = 0; k < size; ++k) norm += one[k] * one[k];
    norm = std::sqrt(norm);
    for (std::size_t k = 0; k < size; ++k) one[k] = norm > 1e-12 ? one[k] / norm : 0;
  }
}

}  // namespace

Components pca(const PointMatrix& points, std::size_t dimensions) {
  const std::size_t rows = points.rows, size = points.columns;
  const std::vector<double> values = centred(points);
  // Subspace iteration with a few vectors more than are wanted, which converges sooner.
  const std::size_t count = std::min(dimensions + 5, std::max<std::size_t>(size, 1));
  std::vector<double> vectors(count * size), before;
  SmallRandom random(1);
  for (double& value : vectors) value = random.uniform() - 0.5;
  std::vector<double> weights(rows * count), variance(count);
  const auto project = [&] {
    shared_pool().parallel_for(rows, 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t a = 0; a < count; ++a) {
          double dot = 0;
          for (std::size_t k = 0; k < size; ++k)
            dot += values[i * size + k] * vectors[a * size + k];
          weights[i * count + a] = dot;
        }
    });
  };
  for (std::size_t round = 0; round < kMostRounds && size > 0; ++round) {
    orthonormalize(vectors, count, size);
    project();
    before = vectors;
    std::ranges::fill(vectors, 0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t k = 0; k < size; ++k)
          vectors[a * size + k] += weights[i * count + a] * values[i * size + k];
    double change = 0;
    for (std::size_t a = 0; a < std::min(dimensions, count); ++a) {
      double norm = 0, dot = 0;
      for (std::size_t k = 0; k < size; ++k) {
        norm += vectors[a * size + k] * vectors[a * size + k];
        dot += vectors[a * size + k] * before[a * size + k];
      }
      if (norm > 0) change = std::max(change, 1 - std::abs(dot) / std::sqrt(norm));
    }
    if (change < 1e-10) break;
  }
  orthonormalize(vectors, count, size);
  if (size > 0) project();
  Components components;
  components.places.assign(rows * dimensions, 0);
  for (std::size_t a = 0; a < dimensions; ++a) {
    double sum = 0;
    for (std::size_t i = 0; i < rows && a < count && size > 0; ++i) {
      components.places[i * dimensions + a] = static_cast<float>(weights[i * count + a]);
      sum += weights[i * count + a] * weights[i * count + a];
    }
    components.variance.push_back(sum / static_cast<double>(std::max<std::size_t>(rows, 1)));
  }
  return components;
}

}  // namespace rill::board
