#pragma once

#include <string>

#include "rill/ops/nn/channels/batch_norm_rows.h"

namespace rill {

// y = activation((x - mean) slope + offset + side) over a block of rows; without side where it is
// nullptr. y may be x or side.
using NormalizeEpilogue = void (*)(float* y, const float* x, const ColumnScale<float>& by,
                                   const float* side, std::size_t rows, std::size_t width);

// For Relu, Relu6 or Identity: NaN stays NaN. nullptr for others.
NormalizeEpilogue find_normalize_epilogue(const std::string& activation);

}  // namespace rill
