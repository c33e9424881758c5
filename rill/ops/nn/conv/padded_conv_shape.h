#pragma once

#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {

// How images are enlarged, perhaps resized first, before they are convolved.
struct PaddedConv {
  // `size` and `paddings` are the values of these inputs, or nullptr where they are not known;
  // `resizes` says whether there is a size. Throws InvalidArgument when they do not fit.
  PaddedConv(const Op& op, const AttrMap& attrs, const PartialShape& images, bool resizes,
             const Tensor* size, const Tensor* paddings, const PartialShape& filter);

  // How one dimension of space is padded with its own mirror image.
  struct Border {
    std::int64_t before = 0, inside = kUnknownDim, after = 0;
  };
  Border rows, columns;
  ConvShapes conv;
};

}  // namespace rill
