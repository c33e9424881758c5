// Averages of windows, and their gradients, beside the plain definition.
#include <gtest/gtest.h>

#include <random>

#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Windows {
  Shape images, results;
  std::int64_t size, stride;
};

// Padded as SAME says; rows of two and three pixels, which have loops of their own, and of more;
// numbers of channels that are whole vectors and not.
const Windows kWindows[] = {
    {{2, 8, 8, 32}, {2, 4, 4, 32}, 2, 2},   {{3, 9, 7, 37}, {3, 5, 4, 37}, 2, 2},
    {{2, 11, 9, 70}, {2, 11, 9, 70}, 3, 1}, {{1, 13, 6, 5}, {1, 7, 3, 5}, 5, 2},
    {{2, 10, 10, 16}, {2, 4, 4, 16}, 2, 3}, {{1, 4, 3, 129}, {1, 4, 3, 129}, 7, 1},
};

Tensor numbers(DType type, const Shape& shape, unsigned seed) {
  Tensor t(type, shape);
  std::mt19937 bits(seed);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double x = static_cast<double>(bits() % 2001) / 1000.0 - 1.0;
    type == DType::f32 ? void(t.data<float>()[i] = static_cast<float>(x))
                       : void(t.data<double>()[i] = x);
  }
  return t;
}

std::int64_t padding_before(const Windows& w, int dim) {
  const std::int64_t spanned = (w.results.dim(dim) - 1) * w.stride + w.size;
  return std::max<std::int64_t>(0, spanned - w.images.dim(dim)) / 2;
}

// Calls visit(first channel of the result, first channel of a pixel that it sees, their number).
template <class Visit>
void for_pixels(const Windows& w, Visit visit) {
  const std::int64_t height = w.images.dim(1), width = w.images.dim(2), channels = w.images.dim(3);
  std::int64_t result = 0;
  for (std::int64_t n = 0; n < w.images.dim(0); ++n)
    for (std::int64_t r = 0; r < w.results.dim(1); ++r)
      for (std::int64_t c = 0; c < w.results.dim(2); ++c, result += channels) {
        std::vector<std::int64_t> seen;
        for (std::int64_t i = 0; i < w.size * w.size; ++i) {
          const std::int64_t row = r * w.stride - padding_before(w, 1) + i / w.size;
          const std::int64_t column = c * w.stride - padding_before(w, 2) + i % w.size;
          if (row >= 0 && row < height && column >= 0 && column < width)
            seen.push_back(((n * height + row) * width + column) * channels);
        }
        for (const std::int64_t pixel : seen)
          visit(result, pixel, static_cast<double>(seen.size()));
      }
}

template <class T>
void check(const Windows& w, int threads) {
  const DType type = dtype_of<T>;
  const AttrMap attrs{{"T", type},
                      {"ksize", Numbers{1, w.size, w.size, 1}},
                      {"strides", Numbers{1, w.stride, w.stride, 1}},
                      {"padding", std::string("SAME")},
                      {"data_format", std::string("NHWC")}};
  const Tensor x = numbers(type, w.images, 1), dy = numbers(type, w.results, 2);
  const Tensor y(type, w.results), dx(type, w.images), shape(DType::i32, {4});
  for (int d = 0; d < 4; ++d)
    shape.data<std::int32_t>()[d] = static_cast<std::int32_t>(w.images.dim(d));
  KernelRunner("AvgPool", attrs, {type}, {type}, threads).run({x}, {y});
  KernelRunner("AvgPoolGrad", attrs, {DType::i32, type}, {type}, threads).run({shape, dy}, {dx});
  std::vector<double> mean(static_cast<std::size_t>(y.element_count())),
      gradient(static_cast<std::size_t>(dx.element_count()));
  for_pixels(w, [&](std::int64_t result, std::int64_t pixel, double count) {
    for (std::int64_t c = 0; c < w.images.dim(3); ++c) {
      mean[static_cast<std::size_t>(result + c)] += x.data<T>()[pixel + c] / count;
      gradient[static_cast<std::size_t>(pixel + c)] += dy.data<T>()[result + c] / count;
    }
  });
  for (std::int64_t i = 0; i < y.element_count(); ++i)
    ASSERT_NEAR(y.data<T>()[i], mean[static_cast<std::size_t>(i)], 1e-6) << i;
  for (std::int64_t i = 0; i < dx.element_count(); ++i)
    ASSERT_NEAR(dx.data<T>()[i], gradient[static_cast<std::size_t>(i)], 1e-6) << i;
}

TEST(AvgPool, IsTheMeanOfEachWindow) {
  for (const Windows& w : kWindows) {
    SCOPED_TRACE(str_cat(w.images, " to ", w.results));
    check<float>(w, 1);
    check<float>(w, 3);
    check<double>(w, 2);
  }
}

}  // namespace
}  // namespace rill
