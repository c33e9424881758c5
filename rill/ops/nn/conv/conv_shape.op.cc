#include "rill/ops/nn/conv/conv_shape.h"

namespace rill {
namespace {

ImageLayout conv_layout(const AttrMap& attrs, std::size_t default_rank) {
  const auto it = attrs.find("data_format");
  if (it == attrs.end()) return ImageLayout(default_rank == 5 ? "NDHWC" : "NHWC");
  return ImageLayout(attr<std::string>(attrs, "data_format"));
}

void require_rank(const char* what, const PartialShape& shape, int rank) {
  require(!shape.has_rank() || shape.rank() == rank,
          when_run(what, " must be ", rank, "-dimensional: ", shape),
          when_built("Shape must be rank ", rank, " but is rank ", shape.rank()));
}

}  // namespace

ConvShapes::ConvShapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
                       const PartialShape& filter)
    : layout(conv_layout(attrs, attr<std::vector<std::int64_t>>(attrs, "strides").size())) {
  const WindowRules rules(attrs, layout, op.name);
  const auto space_rank = static_cast<std::size_t>(layout.space_rank());
  std::vector<std::int64_t> sizes(space_rank, kUnknownDim);
  std::int64_t filter_channels = kUnknownDim;
  require_rank("input", images, layout.rank);
  require_rank("filter", filter, layout.rank);
  if (filter.has_rank()) {
    for (std::size_t i = 0; i < space_rank; ++i) {
      sizes[i] = filter.dim(static_cast<int>(i));
      require(sizes[i] != 0, "filter must not have zero elements (i.e. all dimensions must be ",
              "non-zero), not ", filter);
    }
    filter_channels = filter.dim(layout.space_rank());
    out_channels = filter.dim(layout.space_rank() + 1);
  }
  if (images.has_rank()) {
    batch = images.dim(0);
    in_channels = images.dim(layout.channel_dim());
  }
  find_groups(filter_channels);
  in_channels = in_channels == kUnknownDim ? filter_channels : in_channels;
  dims = windows_over(images, layout, sizes, rules);
}

// A filter for fewer channels than the images have takes them group by group.
void ConvShapes::find_groups(std::int64_t filter_channels) {
  if (compatible(in_channels, filter_channels)) return;
  require(in_channels > 0 && filter_channels > 0 && in_channels % filter_channels == 0,
          when_run("input depth must be evenly divisible by filter depth: ", in_channels, " vs ",
                   filter_channels),
          when_built("Depth of input (", in_channels,
                     ") is not a multiple of input depth of filter (", filter_channels, ")"));
  groups = in_channels / filter_channels;
  require(out_channels == kUnknownDim || out_channels % groups == 0,
          "output depth must be evenly divisible by number of groups: ", out_channels, " vs ",
          groups);
}

PartialShape ConvShapes::results() const {
  std::vector<std::int64_t> space;
  for (const WindowDim& dim : dims) space.push_back(dim.out);
  return image_shape(layout, batch, space, out_channels);
}

ConvProblem ConvShapes::problem(const Shape& given) const {
  if (groups != 1)
    raise(Code::kUnimplemented, "Convolutions of ", groups, " groups of channels (",
          in_channels / groups, " of the images' ", in_channels, " each)");
  require(results().accepts(given), "out_backprop has shape ", given, ", but the convolution's ",
          "results have shape ", results());
  return {.batch = batch, .in_channels = in_channels, .out_channels = out_channels, .dims = dims};
}

void require_strides_in_space(const AttrMap& attrs) {
  const auto& strides = attr<std::vector<std::int64_t>>(attrs, "strides");
  if (strides.size() != 4) return;  // which is another error
  const auto it = attrs.find("data_format");
  const bool channels_last = it == attrs.end() || attr<std::string>(attrs, "data_format") == "NHWC";
  require(strides[0] == 1 && strides[channels_last ? 3 : 1] == 1,
          "Current implementation does not yet support strides in the batch and depth dimensions.");
}

}  // namespace rill
