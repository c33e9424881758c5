#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/image/quality_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"

namespace rill::image {
namespace parts {
namespace {

using rill::parts::ints;
using rill::parts::item;
using rill::parts::list_of;
using rill::parts::range_of;

// [size, size, 1, 1], with sum 1.
Output gauss_filter(Output size, Output sigma) {
  const DType dtype = math_parts::type_of(sigma);
  const Output places = cast(range(size), dtype);
  const Output middle = cast(size - 1, dtype) / 2.0;
  const Output squares = raw::Square(places - middle);
  const Output falloff = -0.5 / raw::Square(sigma);
  const Output logs = squares * falloff;
  const Output row = raw::Reshape(logs, ints({1, -1})), column = raw::Reshape(logs, ints({-1, 1}));
  const Output flat = raw::Reshape(row + column, ints({1, -1}));
  return raw::Reshape(raw::Softmax(flat), list_of({size, size, 1, 1}));
}

// Averages of the neighbours of each pixel; the leading dimensions may be any.
class Averages {
 public:
  explicit Averages(Output filter) : filter_(filter) {}

  Output of(Output x) const {
    const Output dims = rill::shape(x);
    const Output image = range_of(dims, -3, {});
    const Output images = raw::Reshape(x, concat({ints({-1}), image}, 0));
    const Output filtered = depthwise(images, filter_, false);
    const Output before = range_of(dims, {}, -3);
    const Output within = range_of(rill::shape(filtered), 1, {});
    return raw::Reshape(filtered, concat({before, within}, 0));
  }

 private:
  Output filter_;
};

struct Likeness {
  Output luminance, contrast;
};

Likeness likeness_of(Output x, Output y, const Averages& averages, Output max_val,
                     const SsimOptions& options) {
  const auto constant_of = [&](double k) {
    return operators::pow(k * max_val, 2, std::source_location::current());
  };
  const Output c1 = constant_of(options.k1), c2 = constant_of(options.k2);
  const Output mean_x = averages.of(x), mean_y = averages.of(y);
  const Output product = mean_x * mean_y;
  const Output twice = product * 2.0;
  const Output square_x = raw::Square(mean_x), square_y = raw::Square(mean_y);
  const Output squares = square_x + square_y;
  const Output above = twice + c1, below = squares + c1;
  const Output luminance = above / below;
  const Output covered = averages.of(x * y) * 2.0;
  const Output own_x = raw::Square(x), own_y = raw::Square(y);
  const Output variances = averages.of(own_x + own_y);
  const Output scaled = c2 * 1.0;
  const Output numerator = (covered - twice) + scaled;
  const Output denominator = (variances - squares) + scaled;
  return {luminance, numerator / denominator};
}

}  // namespace

Output depthwise(Output images, Output filter, bool is_shape_known) {
  const Block in("", "depthwise", std::source_location::current());
  rill::shape(filter, {.optimize = is_shape_known});
  as_tensor(ints({1, 1}), "dilation_rate");
  return raw::DepthwiseConv2dNative(images, filter, {1, 1, 1, 1}, "VALID", {.name = in.own_name()});
}

ChannelLikeness ssim_per_channel(const Pair& images, const SsimOptions& options) {
  const DType dtype = math_parts::type_of(images.first);
  const Output size = as_tensor(Tensor::scalar(static_cast<std::int32_t>(options.filter_size)));
  const Output sigma = as_tensor(options.filter_sigma, "Const", dtype);
  const std::vector<Output> shapes = raw::ShapeN({images.first, images.second});
  std::vector<Node*> checks;
  for (const Output& shape : shapes) {
    const Output is_large = reduce_all(raw::GreaterEqual(range_of(shape, -3, -1), size));
    checks.push_back(&assert_true(is_large, {shape, size}, {.summarize = 8}));
  }
  const Output x = after(checks, images.first), y = images.second;
  const Output kernel = gauss_filter(size, sigma);
  const Output filter = raw::Tile(kernel, list_of({1, 1, item(shapes[0], -1), 1}));
  const Likeness found = likeness_of(x, y, Averages(filter), images.max_val, options);
  const Output axes = as_tensor(ints({-3, -2}));
  const Output both = reduce_mean(found.luminance * found.contrast, {.axis = axes});
  return {both, reduce_mean(found.contrast, {.axis = axes})};
}

namespace {

// Both images at half their size; an odd row or column is doubled before.
class Halving {
 public:
  explicit Halving(const std::vector<Output>& shapes) {
    for (const Output& shape : shapes) before_.push_back(range_of(shape, {}, -3));
    for (const Output& shape : shapes) within_.push_back(range_of(shape, -3, {}));
    divisor_ = as_tensor(ints({2, 2, 1}));
  }

  void apply(Pair& images) {
    std::vector<Output> flat;
    const Output both[] = {images.first, images.second};
    for (int i = 0; i < 2; ++i)
      flat.push_back(raw::Reshape(both[i], concat({ints({-1}), within_[i]}, 0)));
    const Output rest = rill::parts::modulo(within_[0], divisor_);
    const Output is_odd = reduce_any(raw::NotEqual(rest, 0));
    const std::vector<Output> even = cond(
        is_odd, [&] { return padded(flat, rest); }, [&] { return flat; });
    std::vector<Output> halves;
    for (const Output& image : even)
      halves.push_back(raw::AvgPool(image, {1, 2, 2, 1}, {1, 2, 2, 1}, "VALID"));
    const std::vector<Output> dims = raw::ShapeN({halves[0], halves[1]});
    for (int i = 0; i < 2; ++i) within_[i] = range_of(dims[i], 1, {});
    images.first = raw::Reshape(halves[0], concat({before_[0], within_[0]}, 0));
    images.second = raw::Reshape(halves[1], concat({before_[1], within_[1]}, 0));
  }

 private:
  static std::vector<Output> padded(const std::vector<Output>& images, Output rest) {
    const Output behind = expand_dims(rest, -1);
    const Tensor around = Tensor::vector<std::int32_t>({1, 0, 1, 0}).reshaped({2, 2});
    const Output paddings = pad(behind, around);
    std::vector<Output> result;
    for (const Output& image : images)
      result.push_back(pad(image, paddings, {.mode = "SYMMETRIC"}));
    return result;
  }

  std::vector<Output> before_, within_;
  Output divisor_;
};

}  // namespace
}  // namespace parts

Output ssim(const Input& img1, const Input& img2, const Input& max_val, const SsimOptions& options,
            std::source_location at) {
  const Block in("", "SSIM", at);
  const Output first = as_tensor(img1, "img1"), second = as_tensor(img2, "img2");
  const Output checked = parts::after(parts::compatible_shapes(first, second).checks, first);
  const parts::Pair pair = parts::as_floats(checked, second, max_val);
  const Output each = parts::ssim_per_channel(pair, options).ssim;
  return reduce_mean(each, {.axis = rill::parts::ints({-1})});
}

Output ssim_multiscale(const Input& img1, const Input& img2, const Input& max_val,
                       const SsimMultiscaleOptions& options, std::source_location at) {
  require(!options.power_factors.empty(), "power_factors must not be empty");
  const Block in("", "MS-SSIM", at);
  const Output first = as_tensor(img1, "img1"), second = as_tensor(img2, "img2");
  const parts::PairShapes known = parts::compatible_shapes(first, second);
  const Output checked = parts::after(known.checks, first);
  parts::Pair pair = parts::as_floats(checked, second, max_val);
  const SsimOptions each{.filter_size = options.filter_size,
                         .filter_sigma = options.filter_sigma,
                         .k1 = options.k1,
                         .k2 = options.k2};
  parts::Halving halving(known.shapes);
  std::vector<Input> factors;
  Output structure;
  const std::size_t count = options.power_factors.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Block scale("", str_cat("Scale", k), at);
    if (k > 0) halving.apply(pair);
    const parts::ChannelLikeness found = parts::ssim_per_channel(pair, each);
    factors.emplace_back(raw::Relu(found.contrast));
    structure = found.ssim;
  }
  factors.back() = raw::Relu(structure);
  Tensor powers(DType::f32, {static_cast<std::int64_t>(count)});
  for (std::size_t k = 0; k < count; ++k)
    powers.data<float>()[k] = static_cast<float>(options.power_factors[k]);
  const Output all = stack(factors, {.axis = -1});
  const Output product = reduce_prod(raw::Pow(all, powers), {.axis = rill::parts::ints({-1})});
  return reduce_mean(product, {.axis = rill::parts::ints({-1})});
}

}  // namespace rill::image
