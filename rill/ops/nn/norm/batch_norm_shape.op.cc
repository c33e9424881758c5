#include "rill/ops/nn/norm/batch_norm_shape.h"

#include "rill/ops/nn/window/window.h"

namespace rill {

BatchNormShapes::BatchNormShapes(const ShapeCtx& c, int image)
    : c_(c), images_(c.with_rank(image, 4)) {
  const bool has_format = c.attrs().contains("data_format");
  channel_dim_ = has_format ? ImageLayout(c.attr<std::string>("data_format")).channel_dim() : 3;
  channels_ = images_.dim(channel_dim_);
}

void BatchNormShapes::add_images(int input) {
  const PartialShape other = c_.with_rank(input, 4);
  require(images().is_compatible(other), "x and ",
          c_.op().inputs[static_cast<std::size_t>(input)].name,
          " must have same shape, but x has shape ", images(), " and the other has shape ", other);
  images_ = merge_shapes(images(), other);
  channels_ = images_.dim(channel_dim_);
}

void BatchNormShapes::add_vector(int input) {
  const std::int64_t size = c_.vector(input).dim(0);
  require(compatible(channels_, size),
          when_run(c_.op().inputs[static_cast<std::size_t>(input)].name,
                   " must have the same number of elements as the channels of x"),
          when_built("Dimensions must be equal, but are ", channels_, " and ", size));
  channels_ = merge_dim(channels_, size);
}

PartialShape BatchNormShapes::images() const { return images_.with_dim(channel_dim_, channels_); }

}  // namespace rill
