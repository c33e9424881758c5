#pragma once

#include "rill/tensor/shape.h"

namespace rill {

// Whether two shapes broadcast by NumPy's rules.
inline bool broadcastable(const Shape& a, const Shape& b) {
  for (int i = 1; i <= a.rank() && i <= b.rank(); ++i) {
    const auto x = a.dim(a.rank() - i), y = b.dim(b.rank() - i);
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

}  // namespace rill
