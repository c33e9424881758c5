#pragma once

#include "rill/graph/attr.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// The windows that ksizes, strides, rates (where there are any) and padding describe over images
// or volumes, channels last; unknown dimensions are -1. Throws what is wrong with the attributes.
ConvProblem patch_windows(const std::string& op, const AttrMap& attrs, const PartialShape& images);

}  // namespace rill
