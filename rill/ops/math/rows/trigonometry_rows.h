#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

enum class Trigonometric {
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh
};

// Vectorised rows: of float, and of double for kAtan; empty where there are none.
UnaryRows find_trigonometric_rows(Trigonometric function, DType type);
// The angle of the point (x, y), of y and x or of complex numbers.
BinaryRows find_atan2_rows(DType type);
UnaryRows find_angle_rows(DType type);

}  // namespace rill
