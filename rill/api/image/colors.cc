#include "rill/api/image/colors.h"

#include <array>
#include <cmath>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"

namespace rill::image {
namespace {

using namespace parts;
using math_parts::type_of;

// An integer type holds numbers below 2 to the power of its bits.
struct IntegerBits {
  DType dtype;
  int bits;
};
constexpr IntegerBits kBits[] = {{DType::u8, 8},   {DType::i8, 7},   {DType::u16, 16},
                                 {DType::i16, 15}, {DType::i32, 31}, {DType::i64, 63},
                                 {DType::u32, 32}, {DType::u64, 64}};

int bits_of(DType dtype) {
  for (const IntegerBits& row : kBits)
    if (row.dtype == dtype) return row.bits;
  raise(Code::kInvalidArgument, "images of ", numpy_name(dtype), " cannot be converted");
}

double largest_of(DType dtype) { return std::exp2(bits_of(dtype)) - 1; }

Output cast_maybe_saturated(Output x, DType dtype, bool saturate, const std::string& name = {}) {
  return saturate ? saturate_cast(x, dtype, {.name = name}) : cast(x, dtype, {.name = name});
}

Output between_integers(Output image, DType dtype, bool saturate, const std::string& name) {
  const int less = bits_of(type_of(image)) - bits_of(dtype);
  if (less > 0) {
    const Output scaled =
        operators::floordiv(image, std::int64_t{1} << less, std::source_location::current());
    return cast_maybe_saturated(scaled, dtype, saturate, name);
  }
  const Output wide = cast_maybe_saturated(image, dtype, saturate);
  return raw::Mul(wide, std::int64_t{1} << -less, {.name = name});
}

// Brightness first, as rows for red, green and blue; and back.
using Kernel = std::array<double, 9>;
constexpr Kernel kRgbToYuv = {0.299,       -0.14714119, 0.61497538, 0.587,      -0.28886916,
                              -0.51496512, 0.114,       0.43601035, -0.10001026};
constexpr Kernel kYuvToRgb = {1, 1, 1, 0, -0.394642334, 2.03206185, 1.13988303, -0.58062185, 0};
constexpr Kernel kRgbToYiq = {0.299,       0.59590059, 0.2115,      0.587,     -0.27455667,
                              -0.52273617, 0.114,      -0.32134392, 0.31119955};
constexpr Kernel kYiqToRgb = {1,           1,         1,           0.95598634, -0.27201283,
                              -1.10674021, 0.6208248, -0.64720424, 1.70423049};

Tensor matrix_of(const Kernel& kernel, DType dtype) {
  require_type(kFloatTypes.contains(dtype), "Expected ", numpy_name(dtype), ", but got ", kernel[3],
               " of type 'float'.");
  Tensor result(dtype, {3, 3});
  const std::size_t size = element_size(dtype);
  for (std::size_t i = 0; i < kernel.size(); ++i)
    copy_elements(dtype, static_cast<char*>(result.raw_data()) + i * size,
                  Input(kernel[i]).value(dtype).raw_data(), 1);
  return result;
}

Output converted(const Input& input, const Kernel& kernel, std::source_location at) {
  const MadeAt place(at);
  const Output images = as_tensor(input, "images");
  const Output factors = as_tensor(Input(matrix_of(kernel, type_of(images))), "kernel");
  require_type(images.shape().has_rank(), "images of unknown rank cannot be converted");
  return tensordot(images, factors, TensordotAxes({images.shape().rank() - 1}, {0}));
}

Output checked_grayscale(Output image) {
  const PartialShape& shape = image.shape();
  const std::string wrong_size = "Last dimension of a grayscale image should be size 1.";
  std::vector<Node*> checks;
  if (shape.has_rank()) {
    require(shape.rank() >= 2, "A grayscale image (shape ", shape,
            ") must be at least two-dimensional.");
    const std::int64_t last = shape[shape.rank() - 1];
    require(last < 0 || last == 1, wrong_size);
    if (last == 1) return with_dependencies({}, image);
  }
  const Output last = rill::parts::item(rill::shape(image), -1);
  checks.push_back(&debugging::assert_equal(last, 1, {.message = wrong_size}));
  checks.push_back(&debugging::assert_greater_equal(
      rank(image), 3, {.message = "A grayscale image must be at least two-dimensional."}));
  return with_dependencies(checks, image);
}

}  // namespace

Output convert_image_dtype(const Input& input, DType dtype, const ConvertImageDtypeOptions& options,
                           std::source_location at) {
  const MadeAt place(at);
  const Output image = as_tensor(input, "image");
  const DType own = type_of(image);
  if (own == dtype) return raw::Identity(image, {.name = options.name});
  const Block in(options.name, "convert_image", at);
  const bool from_integer = kIntTypes.contains(own), to_integer = kIntTypes.contains(dtype);
  if (from_integer && to_integer)
    return between_integers(image, dtype, options.saturate, in.own_name());
  if (!from_integer && !to_integer) return cast(image, dtype, {.name = in.own_name()});
  if (from_integer) {
    const Output whole = cast(image, dtype);
    return raw::Mul(whole, 1 / largest_of(own), {.name = in.own_name()});
  }
  // The half keeps numbers that are a little too small from losing one in the cast.
  const Output scaled = raw::Mul(image, largest_of(dtype) + 0.5);
  return cast_maybe_saturated(scaled, dtype, options.saturate, in.own_name());
}

Output rgb_to_grayscale(const Input& input, const ColorOptions& options, std::source_location at) {
  const Block in(options.name, "rgb_to_grayscale", at);
  const Output images = as_tensor(input, "images");
  const Output floats = convert_image_dtype(images, DType::f32);
  const Input weights = Tensor::vector<float>({0.2989F, 0.5870F, 0.1140F});
  const Output gray = tensordot(floats, weights, TensordotAxes({-1}, {-1}));
  return convert_image_dtype(expand_dims(gray, -1), type_of(images), {.name = in.own_name()});
}

Output grayscale_to_rgb(const Input& input, const ColorOptions& options, std::source_location at) {
  const Block in(options.name, "grayscale_to_rgb", at);
  const Output images = checked_grayscale(as_tensor(input, "images"));
  const Output others = expand_dims(rank(images) - 1, 0);
  const Output same = ones(Input(others), {.dtype = DType::i32});
  const Output thrice = expand_dims(3, 0);
  const Output result = raw::Tile(images, concat({same, thrice}, 0), {.name = in.own_name()});
  if (!images.shape().has_rank()) return result;
  return with_shape(result, images.shape().with_dim(images.shape().rank() - 1, 3));
}

Output rgb_to_yuv(const Input& images, std::source_location at) {
  return converted(images, kRgbToYuv, at);
}
Output yuv_to_rgb(const Input& images, std::source_location at) {
  return converted(images, kYuvToRgb, at);
}
Output rgb_to_yiq(const Input& images, std::source_location at) {
  return converted(images, kRgbToYiq, at);
}
Output yiq_to_rgb(const Input& images, std::source_location at) {
  return converted(images, kYiqToRgb, at);
}

}  // namespace rill::image
