// tf.image in C++: the nodes that Python's functions make, and their values.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Image : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const tf::Node* node : graph_->nodes()) result.push_back(node->name());
    return result;
  }
  template <class T = float>
  std::vector<T> values(tf::Output output) const {
    tf::Session session(graph_);
    const tf::Tensor tensor = session.run({}, {&output, 1})[0];
    const auto flat = tensor.flat<T>();
    return {flat.begin(), flat.end()};
  }
  // 0, 1, 2, ... divided by `by`.
  static tf::Output counting(const tf::Shape& shape, float by = 1) {
    tf::Tensor tensor(tf::float32, shape);
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      tensor.data<float>()[i] = static_cast<float>(i) / by;
    return tf::constant(tf::Input(tensor));
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

using Floats = std::vector<float>;

TEST_F(Image, flips_and_rotations) {
  const auto x = counting({2, 3, 1});
  EXPECT_EQ(values(tf::image::flip_left_right(x)), (Floats{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(tf::image::flip_up_down(x)), (Floats{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(values(tf::image::transpose_image(x)), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(tf::image::rot90(x)), (Floats{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(values(tf::image::rot90(x, {.k = 2})), (Floats{5, 4, 3, 2, 1, 0}));
}

TEST_F(Image, flip_nodes) {
  tf::image::flip_left_right(counting({2, 3, 1}));
  EXPECT_EQ(names(), (std::vector<std::string>{"Const", "flip_left_right/control_dependency",
                                               "flip_left_right/ReverseV2/axis",
                                               "flip_left_right/ReverseV2"}));
}

TEST_F(Image, random_flip_is_the_image_or_its_mirror) {
  const auto y = values(tf::image::random_flip_left_right(counting({1, 2, 1}), {.seed = 3}));
  EXPECT_TRUE(y == (Floats{0, 1}) || y == (Floats{1, 0}));
}

TEST_F(Image, crops_and_pads) {
  const auto x = counting({3, 4, 1});
  EXPECT_EQ(values(tf::image::crop_to_bounding_box(x, 1, 2, 2, 1)), (Floats{6, 10}));
  EXPECT_EQ(values(tf::image::central_crop(x, 0.5)), (Floats{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(values(tf::image::pad_to_bounding_box(counting({1, 1, 1}, 0.5F), 1, 0, 2, 2)),
            (Floats{0, 0, 0, 0}));
  const auto y = tf::image::resize_image_with_crop_or_pad(x, 1, 6);
  EXPECT_EQ(y.shape(), (tf::PartialShape{1, 6, 1}));
  EXPECT_EQ(values(y), (Floats{0, 4, 5, 6, 7, 0}));
}

TEST_F(Image, sizes_may_be_tensors) {
  const auto x = counting({3, 4, 1});
  const auto size = tf::raw::Identity(tf::constant(2));
  EXPECT_EQ(values(tf::image::crop_to_bounding_box(x, 0, 0, size, 1)), (Floats{0, 4}));
}

TEST_F(Image, resize) {
  const auto x = counting({2, 2, 1});
  const auto y = tf::image::resize_images(x, tf::ShapeInput{4, 4}, {.align_corners = true});
  EXPECT_EQ(y.shape(), (tf::PartialShape{4, 4, 1}));
  EXPECT_NEAR(values(y)[15], 3, 1e-6);
  const auto near = tf::image::resize(x, tf::ShapeInput{1, 4},
                                      {.method = tf::image::ResizeMethod::NEAREST_NEIGHBOR});
  EXPECT_EQ(values(near), (Floats{0, 0, 1, 1}));
  EXPECT_EQ(tf::image::resize_image_with_pad(counting({2, 4, 1}), 3, 3).shape(),
            (tf::PartialShape{3, 3, 1}));
}

TEST_F(Image, colours) {
  const auto x = counting({1, 1, 3}, 4);  // 0, 0.25, 0.5
  EXPECT_EQ(values<std::uint8_t>(tf::image::convert_image_dtype(x, tf::uint8)),
            (std::vector<std::uint8_t>{0, 63, 127}));
  EXPECT_NEAR(values(tf::image::rgb_to_grayscale(x))[0], 0.587 * 0.25 + 0.114 * 0.5, 1e-6);
  EXPECT_EQ(values(tf::image::adjust_brightness(x, 0.5)), (Floats{0.5F, 0.75F, 1}));
  EXPECT_EQ(values(tf::image::adjust_gamma(x, {.gamma = 2, .gain = 4})), (Floats{0, 0.25F, 1}));
  const auto back = values(tf::image::yuv_to_rgb(tf::image::rgb_to_yuv(x)));
  EXPECT_NEAR(back[2], 0.5, 1e-5);
  const auto standard = values(tf::image::per_image_standardization(x));
  EXPECT_NEAR(std::accumulate(standard.begin(), standard.end(), 0.0), 0, 1e-5);
}

TEST_F(Image, measures) {
  const auto a = counting({12, 12, 1}, 144), b = counting({12, 12, 1}, 150);
  EXPECT_NEAR(values(tf::image::ssim(a, a, 1.0))[0], 1, 1e-4);
  EXPECT_GT(values(tf::image::psnr(a, b, 1.0))[0], 30);
  EXPECT_EQ(values(tf::image::total_variation(counting({2, 2, 1})))[0], 6);
  const auto [dy, dx] = tf::image::image_gradients(counting({1, 2, 2, 1}));
  EXPECT_EQ(values(dy), (Floats{2, 2, 0, 0}));
  EXPECT_EQ(values(dx), (Floats{1, 0, 1, 0}));
}

TEST_F(Image, boxes) {
  const auto boxes = tf::constant(
      tf::Input(tf::Tensor::of<float>({3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9F, 2, 2, 3, 3})));
  const auto best = tf::image::non_max_suppression(boxes, tf::constant({0.9F, 0.8F, 0.7F}), 3);
  EXPECT_EQ(values<std::int32_t>(best), (std::vector<std::int32_t>{0, 2}));
}

TEST_F(Image, files) {
  tf::Tensor pixels(tf::uint8, {2, 2, 3});
  std::iota(pixels.data<std::uint8_t>(), pixels.data<std::uint8_t>() + 12, std::uint8_t{0});
  const auto png = tf::image::encode_png(tf::Input(pixels));
  EXPECT_EQ(values<std::uint8_t>(tf::image::decode_image(png))[11], 11);
  EXPECT_EQ(values<bool>(tf::image::is_jpeg(png)), (std::vector<bool>{false}));
}

TEST_F(Image, projective_transforms) {
  const auto x = counting({2, 2});
  EXPECT_EQ(values(tf::contrib::image::rotate(x, std::acos(-1.0F) / 2)), (Floats{1, 3, 0, 2}));
  EXPECT_EQ(values(tf::contrib::image::translate(x, tf::constant({1.0F, 0.0F}))),
            (Floats{0, 0, 0, 2}));
  const auto warp = tf::constant(tf::Input(tf::Tensor::of<float>({1, 1, 2}, {0.5F, 0.5F})));
  EXPECT_EQ(values(tf::contrib::resampler::resampler(counting({1, 2, 2, 1}), warp)),
            (Floats{1.5F}));
}

TEST_F(Image, what_is_known_to_be_wrong_throws) {
  EXPECT_THROW(tf::image::flip_left_right(counting({2, 3})), tf::Error);
  EXPECT_THROW(tf::image::crop_to_bounding_box(counting({3, 4, 1}), 1, 2, 2, 9), tf::Error);
  EXPECT_THROW(tf::image::random_hue(counting({1, 1, 3}), 0.7), tf::Error);
}

}  // namespace
