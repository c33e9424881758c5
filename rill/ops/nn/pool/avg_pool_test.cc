// Averages of windows, and their gradients, beside the plain definition.
#include <gtest/gtest.h>

#include <random>

#include "rill/ops/nn/pool/pool_testing.h"
#include "rill/ops/nn/tensor_testing.h"

namespace rill {
namespace {

// Padded as SAME says; rows of two and three pixels, which have loops of their own, and of more;
// numbers of channels that are whole vectors and not.
const Windows kAvgWindows[] = {
    {{2, 8, 8, 32}, {2, 4, 4, 32}, 2, 2},   {{3, 9, 7, 37}, {3, 5, 4, 37}, 2, 2},
    {{2, 11, 9, 70}, {2, 11, 9, 70}, 3, 1}, {{1, 13, 6, 5}, {1, 7, 3, 5}, 5, 2},
    {{2, 10, 10, 16}, {2, 4, 4, 16}, 2, 3}, {{1, 4, 3, 129}, {1, 4, 3, 129}, 7, 1},
};

Tensor random_fractions(DType type, const Shape& shape, unsigned seed) {
  Tensor t(type, shape);
  std::mt19937 bits(seed);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double x = static_cast<double>(bits() % 2001) / 1000.0 - 1.0;
    type == DType::f32 ? void(t.data<float>()[i] = static_cast<float>(x))
                       : void(t.data<double>()[i] = x);
  }
  return t;
}

template <class T>
void check_average(const Windows& w, int threads) {
  const DType type = dtype_of<T>;
  const AttrMap attrs = w.attrs(type);
  const Tensor x = random_fractions(type, w.images, 1), dy = random_fractions(type, w.results, 2);
  const Tensor y(type, w.results), dx(type, w.images), shape = shape_vector(w.images);
  KernelRunner("AvgPool", attrs, {type}, {type}, threads).run({x}, {y});
  KernelRunner("AvgPoolGrad", attrs, {DType::i32, type}, {type}, threads).run({shape, dy}, {dx});
  std::vector<double> mean(static_cast<std::size_t>(y.element_count())),
      gradient(static_cast<std::size_t>(dx.element_count()));
  for_windows_of(w, [&](std::int64_t result, const std::vector<std::int64_t>& pixels) {
    const auto count = static_cast<double>(pixels.size());
    for (const std::int64_t pixel : pixels)
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
  for (const Windows& w : kAvgWindows) {
    SCOPED_TRACE(str_cat(w.images, " to ", w.results));
    check_average<float>(w, 1);
    check_average<float>(w, 3);
    check_average<double>(w, 2);
  }
}

}  // namespace
}  // namespace rill
