#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// Vectorised rows of float.
UnaryRows find_float_erfc_row();
UnaryRows find_float_digamma_row();

}  // namespace rill
