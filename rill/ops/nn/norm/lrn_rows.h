#pragma once

#include <algorithm>
#include <cstddef>

namespace rill {

// How the channels of a pixel are normalised by their neighbours.
struct ResponseNorm {
  std::size_t radius;
  float bias, alpha, beta;
};

// Room for pixels of n channels that are normalised together: enough of them that what is written
// has left the processor's queues when the neighbours are read.
struct LrnRoom {
  static constexpr std::size_t kTogether = 1024;  // elements
  LrnRoom(std::size_t n, std::size_t radius) : pixels(std::max<std::size_t>(1, kTogether / n)) {
    rounded = (pixels * (n + radius) + kVector - 1) / kVector * kVector;
    padded = rounded + 2 * radius;
  }
  static constexpr std::size_t kVector = 16;
  std::size_t pixels, rounded, padded;
  std::size_t size() const { return padded + 2 * rounded; }
};

// Loops over `pixels` pixels of n channels, no more than a room holds. `scratch` has the room's
// size; its first `padded` elements are zero at first, the others whatever they are.
struct LrnRows {
  void (*normalize)(float* y, const float* x, std::size_t pixels, std::size_t n,
                    const ResponseNorm& norm, const LrnRoom& room, float* scratch);
  // dx from dy, x and y = normalize(x).
  void (*back)(float* dx, const float* dy, const float* x, const float* y, std::size_t pixels,
               std::size_t n, const ResponseNorm& norm, const LrnRoom& room, float* scratch);
};

const LrnRows& lrn_rows();

}  // namespace rill
