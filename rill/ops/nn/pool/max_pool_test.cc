// Largest elements of windows, and their gradients, beside the plain definition.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/ops/nn/pool/pool_testing.h"
#include "rill/ops/nn/tensor_testing.h"

namespace rill {
namespace {

// Windows side by side, apart from each other, overlapping; some reach outside, some leave pixels
// out; numbers of channels that are no multiple of a vector.
const Windows kMaxWindows[] = {
    {{5, 8, 8, 32}, {5, 4, 4, 32}, 2, 2, "VALID"}, {{2, 9, 7, 37}, {2, 5, 4, 37}, 2, 2, "SAME"},
    {{2, 9, 7, 3}, {2, 4, 3, 3}, 2, 2, "VALID"},   {{2, 10, 10, 5}, {2, 4, 4, 5}, 2, 3, "SAME"},
    {{3, 11, 9, 70}, {3, 6, 5, 70}, 3, 2, "SAME"}, {{1, 6, 6, 33}, {1, 4, 4, 33}, 3, 1, "VALID"},
};

// Calls visit(result, element of the image that is the first largest).
template <class T, class Visit>
void for_largest(const Windows& w, const T* x, Visit visit) {
  for_windows_of(w, [&](std::int64_t result, const std::vector<std::int64_t>& pixels) {
    for (std::int64_t channel = 0; channel < w.images.dim(3); ++channel) {
      std::int64_t best = pixels.at(0) + channel;
      for (const std::int64_t pixel : pixels)
        if (x[pixel + channel] > x[best]) best = pixel + channel;
      visit(result + channel, best);
    }
  });
}

template <class T>
void check_largest(const Windows& w, int threads) {
  const DType type = dtype_of<T>;
  const Tensor x = small_integers<T>(w.images, 1), dy = small_integers<T>(w.results, 2);
  const Tensor y(type, w.results), dx(type, w.images);
  KernelRunner("MaxPool", w.attrs(type), {type}, {type}, threads).run({x}, {y});
  std::fill_n(dx.data<T>(), dx.element_count(), T(77));  // that nothing is left as it was
  KernelRunner("MaxPoolGrad", w.attrs(type), {type, type, type}, {type}, threads)
      .run({x, y, dy}, {dx});
  std::vector<T> wanted(static_cast<std::size_t>(dx.element_count()));
  for_largest(w, x.data<T>(), [&](std::int64_t result, std::int64_t largest) {
    ASSERT_EQ(y.data<T>()[result], x.data<T>()[largest]);
    wanted[static_cast<std::size_t>(largest)] += dy.data<T>()[result];
  });
  for (std::int64_t i = 0; i < dx.element_count(); ++i)
    ASSERT_EQ(dx.data<T>()[i], wanted[static_cast<std::size_t>(i)]) << i;
}

TEST(MaxPool, FindsTheFirstLargestOfEachWindow) {
  for (const Windows& w : kMaxWindows) {
    SCOPED_TRACE(str_cat(w.images, " to ", w.results));
    check_largest<float>(w, 1);
    check_largest<float>(w, 3);
    check_largest<double>(w, 2);
    check_largest<std::int32_t>(w, 1);  // without vectors
  }
}

template <class T, class Place>
void check_largest_places(const Windows& w, bool with_batch, int threads) {
  const DType type = dtype_of<T>, place = dtype_of<Place>;
  AttrMap all = w.attrs(type);
  all.insert({"Targmax", place});
  all.insert({"include_batch_in_index", with_batch});
  const Tensor x = small_integers<T>(w.images, 3), y(type, w.results), places(place, w.results);
  KernelRunner("MaxPoolWithArgmax", all, {type}, {type, place}, threads).run({x}, {y, places});
  const std::int64_t image = w.images.element_count() / w.images.dim(0);
  for_largest(w, x.data<T>(), [&](std::int64_t result, std::int64_t largest) {
    ASSERT_EQ(y.data<T>()[result], x.data<T>()[largest]);
    ASSERT_EQ(places.data<Place>()[result], with_batch ? largest : largest % image) << result;
  });
}

TEST(MaxPoolWithArgmax, TellsTheFirstLargestOfEachWindow) {
  for (const Windows& w : kMaxWindows) {
    SCOPED_TRACE(str_cat(w.images, " to ", w.results));
    check_largest_places<float, std::int64_t>(w, true, 3);
    check_largest_places<float, std::int32_t>(w, false, 1);
    check_largest_places<double, std::int64_t>(w, false, 2);
    check_largest_places<std::int16_t, std::int64_t>(w, true, 2);  // without vectors
  }
}

TEST(MaxPool, ComparesNothingWithNan) {
  const Windows w{{1, 2, 4, 9}, {1, 1, 2, 9}, 2, 2, "VALID"};
  const Tensor x = small_integers<float>(w.images, 1), y(DType::f32, w.results);
  for (int channel = 0; channel < 9; ++channel) x.data<float>()[channel] = std::nanf("");
  KernelRunner("MaxPool", w.attrs(DType::f32), {DType::f32}, {DType::f32}, 1).run({x}, {y});
  for (int channel = 0; channel < 9; ++channel) EXPECT_TRUE(std::isnan(y.data<float>()[channel]));
  for (int channel = 9; channel < 18; ++channel) EXPECT_FALSE(std::isnan(y.data<float>()[channel]));
}

}  // namespace
}  // namespace rill
