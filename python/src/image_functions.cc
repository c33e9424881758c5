#include "image_functions.h"

#include "call.h"
#include "errors.h"
#include "plain_values.h"
#include "rill/api/image/image.h"

namespace rill::python {
namespace {

using Method = image::ResizeMethod;

Method method_of(const Call& c) {
  const std::int64_t method = PyIndex_Check(c["method"].ptr()) ? c.integer("method") : -1;
  if (method < 0 || method > 3)
    value_error("Resize method is not implemented: ", repr_of(c["method"]));
  return static_cast<Method>(method);
}

nb::object resize_images(const Call& c) try {
  return give(image::resize_images(c.input("images"), c.input("size", DType::i32),
                                   {.method = method_of(c),
                                    .align_corners = c.flag("align_corners"),
                                    .preserve_aspect_ratio = c.flag("preserve_aspect_ratio"),
                                    .name = c.name()}));
} catch (nb::python_error& error) {
  if (!error.matches(PyExc_TypeError)) throw;
  value_error("'size' must be a 1-D int32 Tensor");
}

nb::object crop_or_pad(const Call& c) {
  return give(image::resize_image_with_crop_or_pad(c.input("image"), c.input("target_height"),
                                                   c.input("target_width")));
}

constexpr Function kImageShapes[] = {
    {"image.flip_left_right(image)",
     [](const Call& c) { return give(image::flip_left_right(c.input("image"))); },
     "Images mirrored from left to right."},
    {"image.flip_up_down(image)",
     [](const Call& c) { return give(image::flip_up_down(c.input("image"))); },
     "Images turned upside down."},
    {"image.random_flip_left_right(image, seed=None)",
     [](const Call& c) {
       return give(
           image::random_flip_left_right(c.input("image"), {.seed = c.optional_integer("seed")}));
     },
     "Images that are mirrored from left to right or not, by chance."},
    {"image.random_flip_up_down(image, seed=None)",
     [](const Call& c) {
       return give(
           image::random_flip_up_down(c.input("image"), {.seed = c.optional_integer("seed")}));
     },
     "Images that are turned upside down or not, by chance."},
    {"image.transpose(image, name=None)",
     [](const Call& c) { return give(image::transpose(c.input("image"), {.name = c.name()})); },
     "Images with rows and columns exchanged."},
    {"image.rot90(image, k=1, name=None)",
     [](const Call& c) {
       return give(
           image::rot90(c.input("image"), {.k = c.input("k", DType::i32), .name = c.name()}));
     },
     "Images turned by quarters, against the clock."},
    {"image.central_crop(image, central_fraction)",
     [](const Call& c) {
       return give(image::central_crop(c.input("image"), c.number("central_fraction")));
     },
     "The middle of images."},
    {"image.crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width)",
     [](const Call& c) {
       return give(image::crop_to_bounding_box(c.input("image"), c.input("offset_height"),
                                               c.input("offset_width"), c.input("target_height"),
                                               c.input("target_width")));
     },
     "A part of images."},
    {"image.pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width)",
     [](const Call& c) {
       return give(image::pad_to_bounding_box(c.input("image"), c.input("offset_height"),
                                              c.input("offset_width"), c.input("target_height"),
                                              c.input("target_width")));
     },
     "Images with zeros around them."},
    {"image.resize_with_crop_or_pad(image, target_height, target_width)", crop_or_pad,
     "Images cropped or padded around the middle."},
    {"image.resize_images(images, size, method=0, align_corners=False, "
     "preserve_aspect_ratio=False, name=None)",
     resize_images, "Images of another size."},
    {"image.resize_image_with_pad(image, target_height, target_width, method=0, "
     "align_corners=False)",
     [](const Call& c) {
       return give(image::resize_image_with_pad(
           c.input("image"), c.input("target_height"), c.input("target_width"),
           {.method = method_of(c), .align_corners = c.flag("align_corners")}));
     },
     "Images of another size with the same proportions, with zeros around them."},
};

constexpr Function kColors[] = {
    {"image.convert_image_dtype(image, dtype, saturate=False, name=None)",
     [](const Call& c) {
       return give(image::convert_image_dtype(c.input("image"), c.dtype("dtype"),
                                              {.saturate = c.flag("saturate"), .name = c.name()}));
     },
     "Images of another type."},
    {"image.rgb_to_grayscale(images, name=None)",
     [](const Call& c) {
       return give(image::rgb_to_grayscale(c.input("images"), {.name = c.name()}));
     },
     "Images without colours."},
    {"image.grayscale_to_rgb(images, name=None)",
     [](const Call& c) {
       return give(image::grayscale_to_rgb(c.input("images"), {.name = c.name()}));
     },
     "Images with three equal channels."},
    {"image.rgb_to_yuv(images)",
     [](const Call& c) { return give(image::rgb_to_yuv(c.input("images"))); },
     "Brightness and two colours of images."},
    {"image.yuv_to_rgb(images)",
     [](const Call& c) { return give(image::yuv_to_rgb(c.input("images"))); },
     "Images of brightness and two colours."},
    {"image.rgb_to_yiq(images)",
     [](const Call& c) { return give(image::rgb_to_yiq(c.input("images"))); },
     "Brightness and two colours of images."},
    {"image.yiq_to_rgb(images)",
     [](const Call& c) { return give(image::yiq_to_rgb(c.input("images"))); },
     "Images of brightness and two colours."},
    {"image.adjust_brightness(image, delta)",
     [](const Call& c) {
       return give(image::adjust_brightness(c.input("image"), c.input("delta")));
     },
     "Brighter or darker images."},
    {"image.adjust_contrast(images, contrast_factor)",
     [](const Call& c) {
       return give(
           image::adjust_contrast(c.input("images"), c.input("contrast_factor", DType::f32)));
     },
     "Images whose pixels are further from their mean."},
    {"image.adjust_hue(image, delta, name=None)",
     [](const Call& c) {
       return give(
           image::adjust_hue(c.input("image"), c.input("delta", DType::f32), {.name = c.name()}));
     },
     "Images with other colours."},
    {"image.adjust_saturation(image, saturation_factor, name=None)",
     [](const Call& c) {
       return give(image::adjust_saturation(
           c.input("image"), c.input("saturation_factor", DType::f32), {.name = c.name()}));
     },
     "Images with more or less of their colours."},
    {"image.adjust_gamma(image, gamma=1, gain=1)",
     [](const Call& c) {
       return give(image::adjust_gamma(c.input("image"),
                                       {.gamma = c.operand("gamma"), .gain = c.operand("gain")}));
     },
     "gain * image ** gamma"},
    {"image.adjust_jpeg_quality(image, jpeg_quality, name=None)",
     [](const Call& c) {
       return give(image::adjust_jpeg_quality(c.input("image"), c.input("jpeg_quality", DType::i32),
                                              {.name = c.name()}));
     },
     "Images as they look after they were stored as JPEG."},
    {"image.random_brightness(image, max_delta, seed=None)",
     [](const Call& c) {
       return give(image::random_brightness(c.input("image"), c.number("max_delta"),
                                            {.seed = c.optional_integer("seed")}));
     },
     "Images that are brighter or darker by chance."},
    {"image.random_contrast(image, lower, upper, seed=None)",
     [](const Call& c) {
       return give(image::random_contrast(c.input("image"), c.number("lower"), c.number("upper"),
                                          {.seed = c.optional_integer("seed")}));
     },
     "Images with a contrast that is left to chance."},
    {"image.random_hue(image, max_delta, seed=None)",
     [](const Call& c) {
       return give(image::random_hue(c.input("image"), c.number("max_delta"),
                                     {.seed = c.optional_integer("seed")}));
     },
     "Images with other colours, by chance."},
    {"image.random_saturation(image, lower, upper, seed=None)",
     [](const Call& c) {
       return give(image::random_saturation(c.input("image"), c.number("lower"), c.number("upper"),
                                            {.seed = c.optional_integer("seed")}));
     },
     "Images with more or less of their colours, by chance."},
    {"image.random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None)",
     [](const Call& c) {
       return give(image::random_jpeg_quality(c.input("image"), c.integer("min_jpeg_quality"),
                                              c.integer("max_jpeg_quality"),
                                              {.seed = c.optional_integer("seed")}));
     },
     "Images as JPEG of some quality leaves them."},
    {"image.per_image_standardization(image)",
     [](const Call& c) { return give(image::per_image_standardization(c.input("image"))); },
     "Images with mean 0 and variance 1 each."},
};

image::SsimMultiscaleOptions multiscale_options(const Call& c) {
  image::SsimMultiscaleOptions options{.power_factors = {},
                                       .filter_size = c.integer("filter_size"),
                                       .filter_sigma = c.number("filter_sigma"),
                                       .k1 = c.number("k1"),
                                       .k2 = c.number("k2")};
  for (nb::handle factor : c["power_factors"]) options.power_factors.push_back(number_of(factor));
  return options;
}

constexpr Function kMeasures[] = {
    {"image.psnr(a, b, max_val, name=None)",
     [](const Call& c) {
       return give(image::psnr(c.input("a"), c.input("b"), c.input("max_val"), {.name = c.name()}));
     },
     "The ratio of signal to noise between images, in decibels."},
    {"image.ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03)",
     [](const Call& c) {
       return give(image::ssim(c.input("img1"), c.input("img2"), c.input("max_val"),
                               {.filter_size = c.integer("filter_size"),
                                .filter_sigma = c.number("filter_sigma"),
                                .k1 = c.number("k1"),
                                .k2 = c.number("k2")}));
     },
     "How alike the structures of images are."},
    {"image.ssim_multiscale(img1, img2, max_val, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, "
     "0.1333), filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03)",
     [](const Call& c) {
       return give(image::ssim_multiscale(c.input("img1"), c.input("img2"), c.input("max_val"),
                                          multiscale_options(c)));
     },
     "How alike the structures of images are, large and small ones."},
    {"image.total_variation(images, name=None)",
     [](const Call& c) {
       return give(image::total_variation(c.input("images"), {.name = c.name()}));
     },
     "The sum of the differences between neighbouring pixels."},
    {"image.sobel_edges(image)",
     [](const Call& c) { return give(image::sobel_edges(c.input("image"))); },
     "Edges in images, along y and x."},
    {"image.image_gradients(image)",
     [](const Call& c) -> nb::object {
       const auto [dy, dx] = image::image_gradients(c.input("image"));
       return nb::make_tuple(give(dy), give(dx));
     },
     "The differences to the pixels below and to the right."},
};

}  // namespace

void bind_image_functions() {
  add_functions(kImageShapes);
  add_functions(kColors);
  add_functions(kMeasures);
}

}  // namespace rill::python
