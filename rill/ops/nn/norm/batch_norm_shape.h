#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// What the shapes of a batch normalisation agree on: images of rank 4 and vectors with an element
// for each of their channels. Throws InvalidArgument where they do not.
class BatchNormShapes {
 public:
  // Images are input `image`; data_format says where their channels are, last if there is none.
  BatchNormShapes(const ShapeCtx& c, int image);

  void add_images(int input);
  void add_vector(int input);

  PartialShape images() const;
  PartialShape vector() const { return {channels_}; }

 private:
  const ShapeCtx& c_;
  PartialShape images_;
  int channel_dim_;
  std::int64_t channels_;
};

}  // namespace rill
