#include "rill/ops/array/slice/extract_patches_shape.h"

#include <limits>

namespace rill {
namespace {

// The values of an attribute for the dimensions of space; those for batch and channels must be 1.
std::vector<std::int64_t> across_space(const std::string& op, const AttrMap& attrs,
                                       const char* name, std::size_t rank) {
  if (!attrs.contains(name)) return std::vector<std::int64_t>(rank - 2, 1);
  const auto& all = attr<std::vector<std::int64_t>>(attrs, name);
  require(all.size() == rank, op, " requires the ", name, " attribute to contain ", rank,
          " values, but got: ", all.size());
  if (all.front() != 1 || all.back() != 1)
    raise(Code::kUnimplemented, "Only support ", name, " across space.");
  for (const std::int64_t value : all)
    require(value <= std::numeric_limits<std::int32_t>::max(), "Attr ", name, " has value ", value,
            " out of range for an int32");
  return {all.begin() + 1, all.end() - 1};
}

void require_positive(const std::vector<std::int64_t>& values, const char* name) {
  for (const std::int64_t value : values)
    if (value < 1) raise(Code::kOutOfRange, name, " is out of range.");
}

}  // namespace

ConvProblem patch_windows(const std::string& op, const AttrMap& attrs, const PartialShape& images) {
  const auto rank = static_cast<std::size_t>(images.rank());
  const auto sizes = across_space(op, attrs, "ksizes", rank);
  const auto strides = across_space(op, attrs, "strides", rank);
  const auto rates = across_space(op, attrs, "rates", rank);
  require_positive(sizes, "ksizes");
  require_positive(rates, "rates");
  for (const std::int64_t stride : strides)
    require(stride > 0, "Stride must be > 0, but got ", stride);
  ConvProblem problem{.batch = images.dim(0), .in_channels = images.dim(images.rank() - 1)};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    WindowDim dim{.in = images.dim(static_cast<int>(i) + 1),
                  .size = sizes[i],
                  .stride = strides[i],
                  .dilation = rates[i]};
    place_window(dim, attr<std::string>(attrs, "padding"), 0, 0);
    problem.dims.push_back(dim);
  }
  return problem;
}

}  // namespace rill
