// Depthwise convolutions beside the plain definition; small integers make every sum exact.
#include <gtest/gtest.h>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/nn/tensor_testing.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

// SAME padding, one result for each channel.
struct DepthwiseSizes {
  std::int64_t height, width, channels, window, stride;
  std::int64_t out(std::int64_t in) const { return (in + stride - 1) / stride; }
  std::int64_t before(std::int64_t in) const {
    return std::max<std::int64_t>(0, (out(in) - 1) * stride + window - in) / 2;
  }
  Shape images() const { return {2, height, width, channels}; }
  Shape filter() const { return {window, window, channels, 1}; }
  Shape results() const { return {2, out(height), out(width), channels}; }
};

// Calls visit(element of the images, of the filter, of the results) for each product.
template <class Visit>
void for_each_product(const DepthwiseSizes& p, Visit visit) {
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t r = 0; r < p.out(p.height); ++r)
      for (std::int64_t c = 0; c < p.out(p.width); ++c)
        for (std::int64_t a = 0; a < p.window; ++a)
          for (std::int64_t b = 0; b < p.window; ++b) {
            const std::int64_t row = r * p.stride - p.before(p.height) + a;
            const std::int64_t col = c * p.stride - p.before(p.width) + b;
            if (row < 0 || row >= p.height || col < 0 || col >= p.width) continue;
            for (std::int64_t channel = 0; channel < p.channels; ++channel)
              visit(((n * p.height + row) * p.width + col) * p.channels + channel,
                    (a * p.window + b) * p.channels + channel,
                    ((n * p.out(p.height) + r) * p.out(p.width) + c) * p.channels + channel);
          }
}

// Windows of three by three side by side, which have a loop of their own, and others; images that
// are hardly larger than a window; channels that fill two vectors, one, and neither: with
// rows of several pixels that do, and a few more.
const DepthwiseSizes kDepthwiseSizes[] = {
    {9, 11, 70, 3, 1}, {9, 11, 70, 3, 2}, {5, 8, 5, 3, 1},   {3, 3, 33, 3, 1}, {2, 2, 16, 3, 1},
    {1, 7, 40, 3, 1},  {8, 9, 24, 5, 1},  {7, 8, 1, 3, 1},   {6, 60, 3, 5, 1}, {5, 99, 1, 4, 1},
    {4, 41, 7, 3, 1},  {5, 70, 4, 3, 1},  {5, 30, 20, 3, 1}, {6, 61, 3, 5, 2}};

TEST(Depthwise, IsExactOnSmallIntegers) {
  for (const DepthwiseSizes& p : kDepthwiseSizes) {
    const AttrMap attrs{{"T", DType::f32},
                        {"strides", Numbers{1, p.stride, p.stride, 1}},
                        {"padding", std::string("SAME")},
                        {"dilations", Numbers(4, 1)},
                        {"data_format", std::string("NHWC")}};
    const Tensor x = small_integers<float>(p.images(), 1), w = small_integers<float>(p.filter(), 2),
                 dy = small_integers<float>(p.results(), 3);
    Tensor y(DType::f32, p.results()), dx(DType::f32, p.images());
    for (Tensor* wanted : {&y, &dx}) std::ranges::fill(wanted->flat<float>(), 0.0f);
    for_each_product(p, [&](std::int64_t image, std::int64_t filter, std::int64_t result) {
      y.data<float>()[result] += x.data<float>()[image] * w.data<float>()[filter];
      dx.data<float>()[image] += dy.data<float>()[result] * w.data<float>()[filter];
    });
    for (const int threads : {1, 3}) {
      const Tensor forward(DType::f32, p.results()), back(DType::f32, p.images());
      KernelRunner("DepthwiseConv2dNative", attrs, {DType::f32, DType::f32}, {DType::f32}, threads)
          .run({x, w}, {forward});
      KernelRunner("DepthwiseConv2dNativeBackpropInput", attrs,
                   {DType::i32, DType::f32, DType::f32}, {DType::f32}, threads)
          .run({shape_vector(p.images()), w, dy}, {back});
      for (std::int64_t i = 0; i < y.element_count(); ++i)
        ASSERT_EQ(forward.data<float>()[i], y.data<float>()[i]) << p.height << " " << p.channels;
      for (std::int64_t i = 0; i < dx.element_count(); ++i)
        ASSERT_EQ(back.data<float>()[i], dx.data<float>()[i]) << p.height << " " << p.channels;
    }
  }
}

}  // namespace
}  // namespace rill
