#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "rill/api/keras/image_data.h"
#include "rill/base/error.h"

namespace rill {
namespace {

using namespace keras::preprocessing::image;

Tensor ramp(const Shape& shape) {
  Tensor made(DType::f32, shape);
  std::iota(made.data<float>(), made.data<float>() + made.element_count(), 0.0f);
  return made;
}

TEST(KerasImages, pictures_are_moved) {
  const Tensor x = ramp({2, 2, 1});
  const Tensor turned = apply_affine_transform(x, {.theta = 90});
  for (const auto& [i, value] : {std::pair{0, 2.0f}, {1, 0.0f}, {2, 3.0f}, {3, 1.0f}})
    EXPECT_NEAR(turned.flat<float>()[static_cast<std::size_t>(i)], value, 1e-5);
  EXPECT_TRUE(identical(flip_axis(x, 1), Tensor::of<float>({2, 2, 1}, {1, 0, 3, 2})));
  EXPECT_TRUE(identical(apply_transform(x, {.flip_vertical = true, .channel_shift_intensity = 1.0}),
                        Tensor::of<float>({2, 2, 1}, {3, 3, 1, 2})));
  EXPECT_THROW(apply_affine_transform(x, {.tx = 1}, {.fill_mode = "mirror"}), Error);
  EXPECT_THROW(apply_affine_transform(ramp({2, 2}), {.tx = 1}), Error);
  EXPECT_THROW(apply_affine_transform(Tensor::scalar(1), {.tx = 1}), Error);
}

TEST(KerasImages, places_that_are_no_numbers_lie_outside) {
  const Tensor x = ramp({2, 2, 1});
  const double far = 1e300, none = std::numeric_limits<double>::quiet_NaN();
  for (const char* mode : {"nearest", "constant", "reflect", "wrap"})
    for (const double zoom : {far, none, std::numeric_limits<double>::infinity()})
      EXPECT_EQ(apply_affine_transform(x, {.tx = zoom, .zx = zoom}, {.fill_mode = mode}).shape(),
                x.shape());
}

TEST(KerasImages, batches_begin_again_after_the_last_picture) {
  ImageDataGenerator generator({.rotation_range = 10, .horizontal_flip = true, .rescale = 0.5});
  auto flow = generator.flow(ramp({5, 2, 2, 1}), ramp({5}), {.batch_size = 2});
  EXPECT_EQ(flow.size(), 3);
  for (const std::int64_t size : {2, 2, 1, 2}) {
    const auto [x, y] = flow.next();
    EXPECT_EQ(x.shape(), (Shape{size, 2, 2, 1}));
    EXPECT_EQ(y.shape(), (Shape{size}));
  }
  auto plain = ImageDataGenerator({.rescale = 0.5});
  EXPECT_EQ(plain.flow(ramp({1, 1, 2, 1})).next().first.flat<float>()[1], 0.5f);
  EXPECT_THROW(generator.flow(ramp({5, 2, 2})), Error);
  EXPECT_THROW(generator.flow(ramp({5, 2, 2, 1}), ramp({4})), Error);
}

TEST(KerasImages, fitted_pictures_have_no_mean) {
  ImageDataGenerator generator({.featurewise_std_normalization = true});
  const Tensor images = ramp({4, 2, 2, 3});
  generator.fit(images);
  EXPECT_EQ(generator.mean.shape(), (Shape{1, 1, 3}));
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < 4; ++i)
    for (const float v :
         generator.standardize(images.slice(i, i + 1).reshaped({2, 2, 3})).flat<float>()) {
      sum += v;
      squares += v * v;
    }
  EXPECT_NEAR(sum, 0, 1e-4);
  EXPECT_NEAR(squares / 48, 1, 1e-4);
}

}  // namespace
}  // namespace rill
