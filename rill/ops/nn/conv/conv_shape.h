#pragma once

#include "rill/ops/nn/window/patches.h"

namespace rill {

// How the shapes of images, a filter and results hang together in one convolution; dimensions that
// are not known while a graph is built are -1. Throws InvalidArgument when they do not fit.
struct ConvShapes {
  ConvShapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
             const PartialShape& filter);

  ImageLayout layout;
  std::vector<WindowDim> dims;
  std::int64_t batch = kUnknownDim, in_channels = kUnknownDim, out_channels = kUnknownDim;
  std::int64_t groups = 1;  // of channels; graphs have more, no kernel does

  PartialShape results() const;
  // With everything known; throws InvalidArgument when `results` have another shape, Unimplemented
  // for more than one group.
  ConvProblem problem(const Shape& results) const;

 private:
  void find_groups(std::int64_t filter_channels);
};

// For the ops that call strides along the batch or the channels invalid where others call them
// unimplemented.
void require_strides_in_space(const AttrMap& attrs);

}  // namespace rill
