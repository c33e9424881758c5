#pragma once

#include "rill/ops/nn/window/window.h"

namespace rill {

// A filter [height, width, channels] that moves over images in the way the attributes strides,
// rates and padding say. Throws InvalidArgument when the shapes do not fit.
struct DilationWindows {
  DilationWindows(const Op& op, const AttrMap& attrs, const PartialShape& images,
                  const PartialShape& filter);

  std::int64_t batch = kUnknownDim, channels = kUnknownDim;
  WindowDim rows, columns;

  PartialShape results() const { return {batch, rows.out, columns.out, channels}; }
};

}  // namespace rill
