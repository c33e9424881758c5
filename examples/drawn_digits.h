#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rill/tensor/tensor.h"

namespace digits {

inline constexpr int kSide = 16;
inline constexpr int kPixels = kSide * kSide;
inline constexpr int kClasses = 10;

struct Batch {
  std::vector<float> pixels;         // count x kPixels, from 0 to 1
  std::vector<std::int32_t> labels;  // count
};

struct Tensors {
  rill::Tensor pictures, labels;
};
inline Tensors as_tensors(const Batch& batch) {
  const auto count = static_cast<std::int64_t>(batch.labels.size());
  return {rill::Tensor::of<float>({count, kPixels}, batch.pixels),
          rill::Tensor::of<std::int32_t>({count}, batch.labels)};
}

// Draws digits: a seven-segment figure, moved, slanted, thickened and covered with noise, so that
// no two are alike and nothing need be downloaded.
class Pen {
 public:
  explicit Pen(std::uint32_t seed) : random_(seed) {}
  Batch draw(int count);

 private:
  void draw_one(int digit, float* pixels);
  float uniform(float low, float high) {
    return low + (high - low) * static_cast<float>(random_()) / 4294967296.0f;
  }
  std::mt19937 random_;
};

}  // namespace digits
