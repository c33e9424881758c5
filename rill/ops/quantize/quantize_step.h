#pragma once

namespace rill {

// Numbers are clamped to [low, high] and become multiples of `step`, the inverse of `scale`.
template <class T>
struct QuantizeStep {
  T low, high, scale, step;
  bool half_up;
};

}  // namespace rill
