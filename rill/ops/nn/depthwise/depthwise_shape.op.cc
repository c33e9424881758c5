#include "rill/ops/nn/depthwise/depthwise_shape.h"

namespace rill {

ConvShapes depthwise_shapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
                            const PartialShape& filter) {
  if (images.rank() == 4 && filter.rank() == 4) {
    const bool stated = attrs.contains("data_format");
    const ImageLayout layout(stated ? attr<std::string>(attrs, "data_format") : "NHWC");
    const std::int64_t depth = images.dim(layout.channel_dim());
    require(compatible(depth, filter.dim(2)),
            when_run("input and filter must have the same depth: ", depth, " vs ", filter.dim(2)),
            when_built("Dimensions must be equal, but are ", depth, " and ", filter.dim(2)));
  }
  require_strides_in_space(attrs);
  ConvShapes shapes(op, attrs, images, filter);
  const std::int64_t multiplier = std::exchange(shapes.out_channels, kUnknownDim);
  if (shapes.in_channels >= 0 && multiplier >= 0)
    require(!__builtin_mul_overflow(shapes.in_channels, multiplier, &shapes.out_channels),
            "too many channels: ", shapes.in_channels, " times ", multiplier);
  return shapes;
}

}  // namespace rill
