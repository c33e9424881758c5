#include "rill/api/math/histogram.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"

namespace rill {
namespace {

using namespace math_parts;

// The number of bins, which a step finds out to be positive.
Output checked_count(const Input& nbins) {
  const Output count = as_tensor(nbins, "nbins", DType::i32);
  const std::string message = str_cat("nbins Tensor(\"", count,
                                      "\", shape=", count.shape().rank() == 0 ? "()" : "<unknown>",
                                      ", dtype=int32) must > 0");
  Node& check = assert_true(raw::Greater(count, 0), {Input(message)});
  Node* const before[] = {&check};
  const ControlDependencies after(before);
  const ColocateWith beside(*count.node);
  return raw::Identity(count, {.name = "control_dependency"});
}

}  // namespace

Output histogram_fixed_width_bins(const Input& input, const Input& value_range,
                                  const HistogramBinsOptions& options, std::source_location at) {
  const Block in(options.name, "histogram_fixed_width_bins", at);
  const Output given = as_tensor(input, "values");
  const Output shape = rill::shape(given);
  const Output values = raw::Reshape(given, Input(int_vector({-1})));
  const Output range = as_tensor(value_range, "value_range");
  const Output count = cast(checked_count(options.nbins), type_of(values));
  const Output above = operators::sub(values, slice(range, {Input(0)}), at);
  const Output high = slice(range, {Input(1)});
  const Output width = operators::sub(high, slice(range, {Input(0)}), at);
  const Output scaled = truediv(above, width, {.name = "scaled_values"});
  const Output bins = raw::Floor(operators::mul(count, scaled, at), {.name = "indices"});
  const Output last = operators::sub(count, 1, at);
  const Output inside = clip_by_value(bins, 0, last);
  return raw::Reshape(cast(inside, options.dtype), shape);
}

}  // namespace rill
