#pragma once

#include <cstddef>
#include <string>

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// y = f(y + offset + side) over rows of `width`: `offset` has an element for each column, `side`
// one for each of y; either may be nullptr.
using FinishRows = void (*)(float* y, const float* offset, const float* side, std::size_t rows,
                            std::size_t width, float alpha);

// One way to finish: the rows, then (if there is one) a function of each element.
struct FinishFn {
  FinishRows rows = nullptr;
  UnaryRow after = nullptr;
};

// For the name of an activation, "" for none. Its function is that of its op: NaN stays NaN. Holds
// no rows when there is no such activation.
FinishFn find_finish(const std::string& activation);

}  // namespace rill
