#include <algorithm>
#include <cmath>

#include "rill/base/thread_pool.h"
#include "rill/board/layout/neighbours.h"

namespace rill::board {
namespace {

// How likely each point takes each of its neighbours, so wide that the perplexity is as wished.
std::vector<double> neighbour_weights(const Neighbours& near, std::size_t rows, double perplexity) {
  std::vector<double> weights(near.indices.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const float* const distance = &near.distances[i * near.count];
    double* const weight = &weights[i * near.count];
    double low = 0, high = HUGE_VAL, beta = 1;
    for (int round = 0; round < 60; ++round) {
      double sum = 0, moment = 0;
      for (std::size_t k = 0; k < near.count; ++k) {
        const double square = static_cast<double>(distance[k]) * distance[k] -
                              static_cast<double>(distance[0]) * distance[0];
        weight[k] = std::exp(-beta * square);
        sum += weight[k];
        moment += weight[k] * square;
      }
      const double entropy = std::log(sum) + beta * moment / sum;
      for (std::size_t k = 0; k < near.count; ++k) weight[k] /= sum;
      if (std::abs(entropy - std::log(perplexity)) < 1e-5) break;
      if (entropy > std::log(perplexity)) {
        low = beta;
        beta = std::isfinite(high) ? (low + high) / 2 : beta * 2;
      } else {
        high = beta;
        beta = (low + high) / 2;
      }
    }
  }
  return weights;
}

struct Pull {
  std::uint32_t from, to;
  float weight;
};

// What joins points, in both directions, of a sum of 1.
std::vector<Pull> pulls(const Neighbours& near, std::size_t rows, double perplexity) {
  const std::vector<double> weights = neighbour_weights(near, rows, perplexity);
  std::vector<Pull> all;
  all.reserve(2 * weights.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < near.count; ++k) {
      const auto j = near.indices[i * near.count + k];
      const auto weight =
          static_cast<float>(weights[i * near.count + k] / (2 * static_cast<double>(rows)));
      all.push_back({static_cast<std::uint32_t>(i), j, weight});
      all.push_back({j, static_cast<std::uint32_t>(i), weight});
    }
  return all;
}

}  // namespace

std::vector<float> tsne(const PointMatrix& points, const EmbeddingOptions& options) {
  const std::size_t rows = points.rows, size = options.dimensions;
  std::vector<float> places = pca(points, size).places;
  if (rows < 4) return places;
  const double perplexity = std::min(options.perplexity, static_cast<double>(rows - 1) / 3);
  const Neighbours near = nearest_neighbours(points, static_cast<std::size_t>(3 * perplexity) + 1);
  const std::vector<Pull> joined = pulls(near, rows, perplexity);
  float largest = 1e-12f;
  for (const float place : places) largest = std::max(largest, std::abs(place));
  SmallRandom random(1);  // points that are equal come apart
  for (float& place : places) place = place / largest * 1e-2f + (random.uniform() - 0.5f) * 1e-4f;
  std::vector<float> force(places.size()), speed(places.size(), 0), gain(places.size(), 1);
  std::vector<double> row_sums(rows);
  const auto rate = static_cast<float>(std::max(static_cast<double>(rows) / 48, 50.0));
  for (std::size_t round = 0; round < options.iterations; ++round) {
    // Everything pushes everything, weighted by how near it is.
    shared_pool().parallel_for(rows, 32, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        float push[3] = {}, sum = 0;
        const float* const a = &places[i * size];
        for (std::size_t j = 0; j < rows; ++j) {
          const float* const b = &places[j * size];
          float square = 1, difference[3] = {};
          for (std::size_t k = 0; k < size; ++k) {
            difference[k] = a[k] - b[k];
            square += difference[k] * difference[k];
          }
          const float near_weight = 1 / square;
          sum += near_weight;
          for (std::size_t k = 0; k < size; ++k)
            push[k] += near_weight * near_weight * difference[k];
        }
        row_sums[i] = sum - 1;
        for (std::size_t k = 0; k < size; ++k) force[i * size + k] = push[k];
      }
    });
    double total = 0;
    for (const double sum : row_sums) total += sum;
    for (float& one : force) one = static_cast<float>(-one / total);
    const float exaggeration = round < options.iterations / 4 ? 12 : 1;
    for (const Pull& pull : joined) {
      const float *const a = &places[pull.from * size], *const b = &places[pull.to * size];
      float square = 1;
      for (std::size_t k = 0; k < size; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
      for (std::size_t k = 0; k < size; ++k)
        force[pull.from * size + k] += exaggeration * pull.weight * (a[k] - b[k]) / square;
    }
    const float momentum = round < options.iterations / 4 ? 0.5f : 0.8f;
    for (std::size_t i = 0; i < places.size(); ++i) {
      gain[i] = (force[i] > 0) != (speed[i] > 0) ? gain[i] + 0.2f : std::max(gain[i] * 0.8f, 0.01f);
      speed[i] = momentum * speed[i] - rate * gain[i] * 4 * force[i];
      places[i] += speed[i];
    }
  }
  return places;
}

}  // namespace rill::board
