#pragma once

#include <cmath>

#include "rill/ops/random/philox_rows.h"

namespace rill {

// Doubles for samplers that need a number of them which is not known ahead. A block gives two, and
// the second one is handed out first.
class UniformDraws {
 public:
  double next(Philox& stream) {
    if (left_ == 0) {
      const Philox::Block words = stream.next();
      drawn_[0] = uniform_double(words[0], words[1]);
      drawn_[1] = uniform_double(words[2], words[3]);
      left_ = 2;
    }
    return drawn_[--left_];
  }

 private:
  double drawn_[2];
  int left_ = 0;
};

// The same with normal values.
class NormalDraws {
 public:
  double next(Philox& stream) {
    if (left_ == 0) {
      const Philox::Block words = stream.next();
      const double u = at_least_tiny(uniform_double(words[0], words[1]));
      const double angle = angle_of(uniform_double(words[2], words[3]));
      const double radius = std::sqrt(-2 * std::log(u));
      drawn_[0] = std::sin(angle) * radius;
      drawn_[1] = std::cos(angle) * radius;
      left_ = 2;
    }
    return drawn_[--left_];
  }

 private:
  double drawn_[2];
  int left_ = 0;
};

}  // namespace rill
