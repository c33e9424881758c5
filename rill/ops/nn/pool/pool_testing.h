#pragma once

#include <vector>

#include "rill/ops/kernel_runner.h"

namespace rill {

// Windows of `size` by `size` pixels that a test pools.
struct Windows {
  Shape images, results;
  std::int64_t size, stride;
  const char* padding = "SAME";

  AttrMap attrs(DType type) const {
    using Numbers = std::vector<std::int64_t>;
    return {{"T", type},
            {"ksize", Numbers{1, size, size, 1}},
            {"strides", Numbers{1, stride, stride, 1}},
            {"padding", std::string(padding)},
            {"explicit_paddings", Numbers{}},
            {"data_format", std::string("NHWC")}};
  }
  std::int64_t padding_before(int dim) const {
    if (padding == std::string_view("VALID")) return 0;
    const std::int64_t spanned = (results.dim(dim) - 1) * stride + size;
    return std::max<std::int64_t>(0, spanned - images.dim(dim)) / 2;
  }
};

// Calls visit(first channel of the result, first channels of the pixels that it sees).
template <class Visit>
void for_windows_of(const Windows& w, Visit visit) {
  const std::int64_t height = w.images.dim(1), width = w.images.dim(2), channels = w.images.dim(3);
  std::int64_t result = 0;
  for (std::int64_t n = 0; n < w.images.dim(0); ++n)
    for (std::int64_t r = 0; r < w.results.dim(1); ++r)
      for (std::int64_t c = 0; c < w.results.dim(2); ++c, result += channels) {
        std::vector<std::int64_t> pixels;
        for (std::int64_t i = 0; i < w.size * w.size; ++i) {
          const std::int64_t row = r * w.stride - w.padding_before(1) + i / w.size;
          const std::int64_t column = c * w.stride - w.padding_before(2) + i % w.size;
          if (row >= 0 && row < height && column >= 0 && column < width)
            pixels.push_back(((n * height + row) * width + column) * channels);
        }
        visit(result, pixels);
      }
}

}  // namespace rill
