#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/signal/transforms.h"
#include "rill/graph/whole_number.h"

namespace rill::signal {
namespace {

// Which axes, and their sizes.
struct Shifted {
  Input axes = 0;
  Output sizes;
};

Shifted shifted_axes(Output x, const FftShiftOptions& options) {
  if (options.axes.empty()) {
    require_type(x.shape().has_rank(), "a tensor of unknown rank cannot be shifted along all axes");
    std::vector<std::int64_t> all(static_cast<std::size_t>(x.shape().rank()));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return {parts::ints(all), rill::shape(x)};
  }
  if (options.single)
    return {whole_number(options.axes[0]), parts::item(rill::shape(x), options.axes[0])};
  const Input axes = parts::ints(options.axes);
  const Output count = rank(x);
  const Output is_negative = raw::Less(axes, 0);
  const Output from_end = operators::add(axes, count, std::source_location::current());
  const Output all = where(is_negative, from_end, axes);
  return {all, gather(rill::shape(x), all)};
}

Output shift(const Input& input, const char* name, bool is_back, const FftShiftOptions& options,
             std::source_location at) {
  const Block in(options.name, name, at);
  const Output x = as_tensor(input);
  const Shifted shifted = shifted_axes(x, options);
  Output by = operators::floordiv(shifted.sizes, 2, at);
  if (is_back) by = raw::Neg(by);
  return raw::Roll(x, by, shifted.axes, {.name = in.own_name()});
}

}  // namespace

Output fftshift(const Input& x, const FftShiftOptions& options, std::source_location at) {
  return shift(x, "fftshift", false, options, at);
}

Output ifftshift(const Input& x, const FftShiftOptions& options, std::source_location at) {
  return shift(x, "ifftshift", true, options, at);
}

}  // namespace rill::signal
