#include "rill/ops/nn/window/window.h"

namespace rill {
namespace {

std::vector<std::int64_t> space_of(const AttrMap& attrs, const char* name,
                                   const ImageLayout& layout, std::string_view op) {
  const auto it = attrs.find(name);
  if (it == attrs.end())
    return std::vector<std::int64_t>(static_cast<std::size_t>(layout.space_rank()), 1);
  const auto& all = attr<std::vector<std::int64_t>>(attrs, name);
  require(static_cast<int>(all.size()) == layout.rank, op, " requires the ", name,
          " attribute to contain ", layout.rank, " values, but got: ", all.size());
  const auto at = [&](int d) { return all[static_cast<std::size_t>(d)]; };
  if (at(0) != 1 || at(layout.channel_dim()) != 1)
    raise(Code::kUnimplemented, "Current implementation does not yet support ", name,
          " in the batch and depth dimensions.");
  std::vector<std::int64_t> space;
  for (int i = 0; i < layout.space_rank(); ++i) {
    space.push_back(at(layout.space_dim(i)));
    require(space.back() > 0, name, " must be positive, got ", space.back());
  }
  return space;
}

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  require(!__builtin_add_overflow(a, b, &a), "padding is too large");
  return a;
}

}  // namespace

ImageLayout::ImageLayout(std::string_view format)
    : rank(static_cast<int>(format.size())), channels_last(format.back() == 'C') {
  if (format != "NHWC" && format != "NCHW" && format != "NDHWC" && format != "NCDHW")
    raise(Code::kUnimplemented, "data_format ", format);
}

WindowRules::WindowRules(const AttrMap& attrs, const ImageLayout& layout, std::string_view op)
    : strides(space_of(attrs, "strides", layout, op)),
      dilations(space_of(attrs, "dilations", layout, op)),
      before(strides.size(), 0),
      after(strides.size(), 0),
      padding(attr<std::string>(attrs, "padding")) {
  const auto it = attrs.find("explicit_paddings");
  if (it == attrs.end()) return;
  const auto& given = attr<std::vector<std::int64_t>>(attrs, "explicit_paddings");
  if (padding != "EXPLICIT") {
    require(given.empty(), "explicit_paddings must be empty if the padding attribute is not ",
            "EXPLICIT");
    return;
  }
  require(static_cast<int>(given.size()) == 2 * layout.rank,
          "explicit_paddings attribute must contain ", 2 * layout.rank,
          " values, but got: ", given.size());
  for (const std::int64_t amount : given)
    require(amount >= 0, "All elements of explicit_paddings must be nonnegative, got ", amount);
  const auto at = [&](int d, int side) { return given[static_cast<std::size_t>(2 * d + side)]; };
  for (const int d : {0, layout.channel_dim()})
    require(at(d, 0) == 0 && at(d, 1) == 0,
            "Nonzero explicit padding in the batch or depth dimensions is not supported");
  for (int i = 0; i < layout.space_rank(); ++i) {
    before[static_cast<std::size_t>(i)] = at(layout.space_dim(i), 0);
    after[static_cast<std::size_t>(i)] = at(layout.space_dim(i), 1);
  }
}

void place_window(WindowDim& dim, const std::string& padding, std::int64_t before,
                  std::int64_t after) {
  dim.before = before;
  if (dim.in < 0 || (dim.size < 0 && padding != "SAME")) return;
  if (padding == "SAME") {
    dim.out = dim.in / dim.stride + (dim.in % dim.stride != 0);
    if (dim.size < 0) return;
    std::int64_t reach = 0;
    const bool overflow = __builtin_mul_overflow(dim.size - 1, dim.dilation, &reach);
    require(!overflow, "the window is too large");
    const std::int64_t spanned = dim.out == 0 ? 0 : (dim.out - 1) * dim.stride;
    dim.before = std::max<std::int64_t>(0, checked_sum(spanned - dim.in, reach + 1)) / 2;
    return;
  }
  std::int64_t reach = 0;
  require(!__builtin_mul_overflow(dim.size - 1, dim.dilation, &reach), "the window is too large");
  const std::int64_t whole = checked_sum(checked_sum(dim.in, before), after);
  require(whole > reach || dim.size == 0, "Negative dimension size caused by subtracting ",
          reach + 1, " from ", whole);
  dim.out = (whole - reach - 1) / dim.stride + 1;
}

std::vector<WindowDim> windows_over(const PartialShape& image, const ImageLayout& layout,
                                    std::span<const std::int64_t> sizes, const WindowRules& rules) {
  std::vector<WindowDim> dims;
  for (int i = 0; i < layout.space_rank(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    WindowDim dim{.in = image.has_rank() ? image.dim(layout.space_dim(i)) : kUnknownDim,
                  .size = sizes[k],
                  .stride = rules.strides[k],
                  .dilation = rules.dilations[k]};
    place_window(dim, rules.padding, rules.before[k], rules.after[k]);
    dims.push_back(dim);
  }
  return dims;
}

PartialShape image_shape(const ImageLayout& layout, std::int64_t batch,
                         std::span<const std::int64_t> space, std::int64_t channels) {
  PartialShape shape{batch};
  if (!layout.channels_last) shape.add_dim(channels);
  for (const std::int64_t dim : space) shape.add_dim(dim);
  if (layout.channels_last) shape.add_dim(channels);
  return shape;
}

}  // namespace rill
