#include "rill/ops/nn/window/dilation_shape.h"

namespace rill {

DilationWindows::DilationWindows(const Op& op, const AttrMap& attrs, const PartialShape& images,
                                 const PartialShape& filter) {
  require(!images.has_rank() || images.rank() == 4, when_run("input must be 4-dimensional"),
          when_built("Shape must be rank 4 but is rank ", images.rank()));
  require(!filter.has_rank() || filter.rank() == 3, when_run("filter must be 3-dimensional"),
          when_built("Shape must be rank 3 but is rank ", filter.rank()));
  const std::int64_t depth = images.has_rank() ? images.dim(3) : kUnknownDim;
  const std::int64_t filter_depth = filter.has_rank() ? filter.dim(2) : kUnknownDim;
  require(compatible(depth, filter_depth),
          when_run("input and filter must have the same depth: ", depth, " vs ", filter_depth),
          when_built("Dimensions must be equal, but are ", depth, " and ", filter_depth));
  channels = merge_dim(depth, filter_depth);
  if (images.has_rank()) batch = images.dim(0);
  AttrMap named_as_windows = attrs;
  named_as_windows.insert_or_assign("dilations", attrs.at("rates"));
  const ImageLayout layout("NHWC");
  const std::int64_t sizes[] = {filter.has_rank() ? filter.dim(0) : kUnknownDim,
                                filter.has_rank() ? filter.dim(1) : kUnknownDim};
  const auto dims =
      windows_over(images, layout, sizes, WindowRules(named_as_windows, layout, op.name));
  rows = dims[0];
  columns = dims[1];
}

}  // namespace rill
