#pragma once

#include "rill/ops/nn/window/window.h"

namespace rill {

// Windows of a pooling op over images of that shape. Sizes and strides come from the attributes of
// these names or, in the ops that take them as inputs, from `sizes` and `strides`. Throws
// InvalidArgument when they do not fit.
struct PoolWindows {
  PoolWindows(const Op& op, const AttrMap& attrs, const PartialShape& images,
              const Tensor* sizes = nullptr, const Tensor* strides = nullptr);

  ImageLayout layout;
  std::vector<WindowDim> dims;
  bool in_space = true;  // neither across the batch nor the channels

  // Throws Unimplemented otherwise: a graph may have such windows (those of MaxPool across
  // channels: pooled_channels), kernels not.
  void require_in_space(std::string_view op) const;
  PartialShape results(const PartialShape& images) const;
};

// MaxPool over channels alone: how many, which its strides must be as well, as the windows of such
// pooling do not overlap. 1 for all other windows. Throws as PoolWindows does.
std::int64_t pooled_channels(const AttrMap& attrs, const PartialShape& images);

}  // namespace rill
