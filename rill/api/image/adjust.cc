#include "rill/api/image/adjust.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/image.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/colors.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"

namespace rill::image {
namespace {

using namespace parts;
using math_parts::type_of;

// An image as floats, which half ones are already.
struct Floats {
  explicit Floats(Output image) : dtype(type_of(image)), values(image) {
    if (dtype != DType::f16 && dtype != DType::f32) values = convert_image_dtype(image, DType::f32);
  }
  Output back(Output x, bool saturate) const {
    return convert_image_dtype(x, dtype, {.saturate = saturate});
  }
  DType dtype;
  Output values;
};

Output between(double low, double high, const RandomAdjustOptions& options) {
  return random_uniform({}, {.minval = low, .maxval = high, .seed = options.seed});
}

void check_bounds(double lower, double upper) {
  require(upper > lower, "upper must be > lower.");
  require(lower >= 0, "lower must be non-negative.");
}

}  // namespace

Output adjust_brightness(const Input& image, const Input& delta, std::source_location at) {
  const Block in("", "adjust_brightness", at);
  const Floats floats(as_tensor(image, "image"));
  const Output shift = rill::parts::cast_to(delta, type_of(floats.values));
  return floats.back(add(floats.values, shift, {.name = in.own_name()}), true);
}

Output adjust_contrast(const Input& images, const Input& factor, std::source_location at) {
  const Block in("", "adjust_contrast", at);
  const Floats floats(as_tensor(images, "images"));
  const Output adjusted = raw::AdjustContrastv2(floats.values, factor, {.name = in.own_name()});
  return floats.back(adjusted, true);
}

Output adjust_hue(const Input& image, const Input& delta, const AdjustOptions& options,
                  std::source_location at) {
  const Block in(options.name, "adjust_hue", at);
  const Floats floats(as_tensor(image, "image"));
  return floats.back(raw::AdjustHue(floats.values, delta), false);
}

Output adjust_saturation(const Input& image, const Input& factor, const AdjustOptions& options,
                         std::source_location at) {
  const Block in(options.name, "adjust_saturation", at);
  const Floats floats(as_tensor(image, "image"));
  return floats.back(raw::AdjustSaturation(floats.values, factor), false);
}

Output adjust_jpeg_quality(const Input& input, const Input& quality, const AdjustOptions& options,
                           std::source_location at) {
  const Block in(options.name, "adjust_jpeg_quality", at);
  const Output image = as_tensor(input, "image");
  const PartialShape& shape = image.shape();
  require(shape.has_rank() && shape.rank() > 0 && shape[shape.rank() - 1] >= 0,
          "adjust_jpeg_quality needs an image with a known number of channels, got shape ", shape);
  const std::int64_t channels = shape[shape.rank() - 1];
  const Output bytes = convert_image_dtype(image, DType::u8, {.saturate = true});
  const Output wanted = as_tensor(quality, "Const", DType::i32);
  const Output encoded = raw::EncodeJpegVariableQuality(bytes, wanted);
  const Output decoded = raw::DecodeJpeg(encoded, {.channels = channels});
  return convert_image_dtype(decoded, type_of(image), {.saturate = true});
}

Output adjust_gamma(const Input& image, const AdjustGammaOptions& options,
                    std::source_location at) {
  const Block in("", "adjust_gamma", at);
  const Floats floats(as_tensor(image, "image"));
  const std::string complaint = "Gamma should be a non-negative real number.";
  Input gamma = options.gamma;
  if (gamma.is_value()) {
    const Tensor value = gamma.value(DType::f64);
    require(value.rank() != 0 || *value.data<double>() >= 0, complaint);
  } else {
    const Output tensor = as_tensor(gamma);
    Checks checks;
    checks.non_negative(tensor, complaint);
    gamma = checks.then(tensor);
  }
  const Output powered = operators::pow(floats.values, gamma, at);
  return floats.back(operators::mul(options.gain, powered, at), true);
}

Output random_brightness(const Input& image, double max_delta, const RandomAdjustOptions& options,
                         std::source_location at) {
  require(max_delta >= 0, "max_delta must be non-negative.");
  const MadeAt place(at);
  return adjust_brightness(image, between(-max_delta, max_delta, options));
}

Output random_contrast(const Input& image, double lower, double upper,
                       const RandomAdjustOptions& options, std::source_location at) {
  check_bounds(lower, upper);
  const MadeAt place(at);
  return adjust_contrast(image, between(lower, upper, options));
}

Output random_hue(const Input& image, double max_delta, const RandomAdjustOptions& options,
                  std::source_location at) {
  require(max_delta <= 0.5, "max_delta must be <= 0.5.");
  require(max_delta >= 0, "max_delta must be non-negative.");
  const MadeAt place(at);
  return adjust_hue(image, between(-max_delta, max_delta, options));
}

Output random_saturation(const Input& image, double lower, double upper,
                         const RandomAdjustOptions& options, std::source_location at) {
  check_bounds(lower, upper);
  const MadeAt place(at);
  return adjust_saturation(image, between(lower, upper, options));
}

Output random_jpeg_quality(const Input& image, std::int64_t lowest, std::int64_t highest,
                           const RandomAdjustOptions& options, std::source_location at) {
  require(lowest >= 0 && highest >= 0 && lowest <= 100 && highest <= 100,
          "jpeg encoding range must be between 0 and 100.");
  require(lowest < highest, "`min_jpeg_quality` must be less than `max_jpeg_quality`.");
  const MadeAt place(at);
  const Output quality = random_uniform(
      {}, {.minval = lowest, .maxval = highest, .dtype = DType::i32, .seed = options.seed});
  return adjust_jpeg_quality(image, quality);
}

Output per_image_standardization(const Input& input, std::source_location at) {
  const Block in("", "per_image_standardization", at);
  const Output image = cast(checked_image(as_tensor(input, "image")), DType::f32);
  const Output pixels = reduce_prod(rill::parts::range_of(rill::shape(image), -3, {}));
  const ReduceOptions each{.axis = rill::parts::ints({-1, -2, -3}), .keepdims = true};
  const Output mean = reduce_mean(image, each), deviation = math::reduce_std(image, each);
  const Output least = raw::Rsqrt(cast(pixels, DType::f32));
  const Output divisor = raw::Maximum(deviation, least);
  return divide(image - mean, divisor, {.name = in.own_name()});
}

}  // namespace rill::image
