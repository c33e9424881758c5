#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rill/graph/shape_ctx.h"

namespace rill {

// A window that moves over one dimension of an image.
struct WindowDim {
  std::int64_t in = kUnknownDim, out = kUnknownDim;
  std::int64_t size = 1, stride = 1, dilation = 1;
  std::int64_t before = 0;  // elements of padding in front of the first one

  std::int64_t reach() const { return (size - 1) * dilation + 1; }  // elements it spans
  // Where window `o` starts, and which of its taps [first, end) lie inside.
  std::int64_t start(std::int64_t o) const { return o * stride - before; }
  std::int64_t first_tap(std::int64_t o) const {
    return start(o) >= 0 ? 0 : (-start(o) - 1) / dilation + 1;
  }
  std::int64_t end_tap(std::int64_t o) const {
    return start(o) >= in ? 0 : std::min(size, (in - 1 - start(o)) / dilation + 1);
  }
};

// Which dimensions of a tensor are space and which one holds channels, by data_format.
struct ImageLayout {
  explicit ImageLayout(std::string_view data_format);
  int rank;
  bool channels_last;

  int channel_dim() const { return channels_last ? rank - 1 : 1; }
  int space_dim(int i) const { return channels_last ? i + 1 : i + 2; }
  int space_rank() const { return rank - 2; }
};

// How windows of given sizes move: what the attributes strides, dilations, padding and
// explicit_paddings say about the dimensions of space, checked.
struct WindowRules {
  // `strides` and `dilations` have an element for every dimension of the tensor; neither may move
  // along the batch or the channels.
  WindowRules(const AttrMap& attrs, const ImageLayout& layout, std::string_view op);

  std::vector<std::int64_t> strides, dilations, before, after;  // the last two if explicit
  std::string padding;
};

// Fills in `out` and `before` from the rest; unknown `in` or `size` leave `out` unknown. Throws
// InvalidArgument when no window fits.
void place_window(WindowDim& dim, const std::string& padding, std::int64_t before,
                  std::int64_t after);

// Windows over an image of shape `image`, of the given sizes.
std::vector<WindowDim> windows_over(const PartialShape& image, const ImageLayout& layout,
                                    std::span<const std::int64_t> sizes, const WindowRules& rules);

// A shape of that layout.
PartialShape image_shape(const ImageLayout& layout, std::int64_t batch,
                         std::span<const std::int64_t> space, std::int64_t channels);

}  // namespace rill
