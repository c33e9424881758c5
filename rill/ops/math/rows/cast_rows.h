#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// Converts between float, double, bool and integers; nullptr for other types. Integers wrap. A
// float outside the range of an integer type becomes what x86 and TensorFlow make of it: the most
// negative number of the 32- or 64-bit type, cut down to narrower ones.
UnaryRow find_cast_row(DType from, DType to);

}  // namespace rill
