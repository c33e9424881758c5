#include "rill/api/image/quality.h"

#include <cmath>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/colors.h"
#include "rill/api/image/quality_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill::image {
namespace parts {
namespace {

using rill::parts::range_of;

// The dimensions of one image must agree, those of batches may broadcast.
bool may_fit(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  const auto fits = [&](int from_end, bool may_broadcast) {
    const std::int64_t x = a[a.rank() - from_end], y = b[b.rank() - from_end];
    return x < 0 || y < 0 || x == y || (may_broadcast && (x == 1 || y == 1));
  };
  for (int i = 1; i <= 3; ++i)
    if (!fits(i, false)) return false;
  for (int i = 4; i <= std::min(a.rank(), b.rank()); ++i)
    if (!fits(i, true)) return false;
  return true;
}

}  // namespace

Pair as_floats(Output first, Output second, const Input& max_val) {
  const DType own = math_parts::type_of(first);
  Pair pair;
  pair.max_val = convert_image_dtype(rill::parts::cast_to(max_val, own), DType::f32);
  pair.first = convert_image_dtype(first, DType::f32);
  pair.second = convert_image_dtype(second, DType::f32);
  return pair;
}

PairShapes compatible_shapes(Output first, Output second) {
  for (const Output& image : {first, second})
    require(!image.shape().has_rank() || image.shape().rank() >= 3, "Shape ", image.shape(),
            " must have rank at least 3");
  require(may_fit(first.shape(), second.shape()), "Two images are not compatible: ", first.shape(),
          " and ", second.shape());
  PairShapes result{.shapes = raw::ShapeN({first, second}), .checks = {}};
  const Output a = result.shapes[0], b = result.shapes[1];
  const auto check = [&](Output holds) {
    result.checks.push_back(&assert_true(holds, {a, b}, {.summarize = 10}));
  };
  check(raw::GreaterEqual(size(a), 3));
  const Output last_a = range_of(a, -3, {}), last_b = range_of(b, -3, {});
  check(reduce_all(raw::Equal(last_a, last_b)));
  return result;
}

Output after(const std::vector<Node*>& checks, Output x) {
  const ControlDependencies wait(checks);
  return raw::Identity(x);
}

}  // namespace parts

Output psnr(const Input& a, const Input& b, const Input& max_val, const PsnrOptions& options,
            std::source_location at) {
  const Block in(options.name, "PSNR", at);
  const parts::Pair pair = parts::as_floats(as_tensor(a, "a"), as_tensor(b, "b"), max_val);
  const Output difference = raw::SquaredDifference(pair.first, pair.second);
  const Output error = reduce_mean(difference, {.axis = rill::parts::ints({-3, -2, -1})});
  const Output peak = 20 * raw::Log(pair.max_val);
  const Output decades = peak / raw::Log(10.0);
  const Output noise = static_cast<float>(10 / std::log(10.0)) * raw::Log(error);
  const Output ratio = raw::Sub(decades, noise, {.name = "psnr"});
  return parts::after(parts::compatible_shapes(pair.first, pair.second).checks, ratio);
}

}  // namespace rill::image
