#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// x log(y), 0 where x is.
BinaryRows find_xlogy_rows(DType type);
// exp of complex64.
UnaryRows find_complex_exp_row();

}  // namespace rill
