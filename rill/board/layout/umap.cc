#include <algorithm>
#include <cmath>
#include <map>

#include "rill/board/layout/neighbours.h"

namespace rill::board {
namespace {

// The curve 1 / (1 + a d^2b) for points that may come as near as 0.1.
constexpr float kCurveA = 1.577f, kCurveB = 0.8951f;

struct Joint {
  std::uint32_t from, to;
  float weight;
};

// How strongly points belong together: the nearest neighbour fully, others less the farther they
// are, so that each point has about as much of it; joined for both directions.
std::vector<Joint> joints_of(const Neighbours& near, std::size_t rows) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, float> weights;
  const double wanted = std::log2(static_cast<double>(near.count) + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const float* const distance = &near.distances[i * near.count];
    double low = 0, high = HUGE_VAL, width = 1;
    for (int round = 0; round < 60; ++round) {
      double sum = 0;
      for (std::size_t k = 0; k < near.count; ++k)
        sum += std::exp(-(static_cast<double>(distance[k]) - distance[0]) / width);
      if (std::abs(sum - wanted) < 1e-5) break;
      if (sum > wanted) {
        high = width;
        width = (low + high) / 2;
      } else {
        low = width;
        width = std::isfinite(high) ? (low + high) / 2 : width * 2;
      }
    }
    width = std::max(width, 1e-6);
    for (std::size_t k = 0; k < near.count; ++k)
      weights[{static_cast<std::uint32_t>(i), near.indices[i * near.count + k]}] =
          static_cast<float>(std::exp(-(static_cast<double>(distance[k]) - distance[0]) / width));
  }
  std::vector<Joint> joints;
  for (const auto& [ends, weight] : weights) {
    const auto back = weights.find({ends.second, ends.first});
    const float other = back == weights.end() ? 0 : back->second;
    if (back != weights.end() && ends.first > ends.second) continue;  // was there already
    joints.push_back({ends.first, ends.second, weight + other - weight * other});
  }
  return joints;
}

float clipped(float value) { return std::clamp(value, -4.0f, 4.0f); }

}  // namespace

std::vector<float> umap(const PointMatrix& points, const EmbeddingOptions& options) {
  const std::size_t rows = points.rows, size = options.dimensions;
  std::vector<float> places = pca(points, size).places;
  if (rows < 4) return places;
  const std::vector<Joint> joints = joints_of(nearest_neighbours(points, options.neighbours), rows);
  float largest = 1e-12f, strongest = 1e-12f;
  for (const float place : places) largest = std::max(largest, std::abs(place));
  for (const Joint& joint : joints) strongest = std::max(strongest, joint.weight);
  SmallRandom random(1);
  for (float& place : places) place = place / largest * 10 + (random.uniform() - 0.5f) * 1e-3f;
  std::vector<float> due(joints.size(), 0);  // weak joints pull in some of the rounds only
  for (std::size_t round = 0; round < options.iterations; ++round) {
    const float rate = 1 - static_cast<float>(round) / static_cast<float>(options.iterations);
    for (std::size_t e = 0; e < joints.size(); ++e) {
      due[e] += joints[e].weight / strongest;
      if (due[e] < 1) continue;
      due[e] -= 1;
      float *const a = &places[joints[e].from * size], *const b = &places[joints[e].to * size];
      float square = 0;
      for (std::size_t k = 0; k < size; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
      if (square > 0) {
        const float power = std::pow(square, kCurveB);
        const float pull = -2 * kCurveA * kCurveB * power / square / (1 + kCurveA * power);
        for (std::size_t k = 0; k < size; ++k) {
          const float move = rate * clipped(pull * (a[k] - b[k]));
          a[k] += move;
          b[k] -= move;
        }
      }
      for (int sample = 0; sample < 5; ++sample) {
        const std::size_t other = random.below(rows);
        if (other == joints[e].from) continue;
        const float* const c = &places[other * size];
        float apart = 0;
        for (std::size_t k = 0; k < size; ++k) apart += (a[k] - c[k]) * (a[k] - c[k]);
        const float push =
            2 * kCurveB / ((0.001f + apart) * (1 + kCurveA * std::pow(apart, kCurveB)));
        for (std::size_t k = 0; k < size; ++k) a[k] += rate * clipped(push * (a[k] - c[k]));
      }
    }
  }
  return places;
}

}  // namespace rill::board
