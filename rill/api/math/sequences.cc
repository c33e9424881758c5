#include "rill/api/math/sequences.h"

#include <algorithm>
#include <array>

#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"

namespace rill {
namespace {

// In this order each type holds the one before it.
constexpr std::array kWidening = {DType::i32, DType::i64, DType::f32, DType::f64};

std::size_t width_of(Output x) {
  const auto* found = std::ranges::find(kWidening, math_parts::type_of(x));
  require(found != kWidening.end(), "a range of ", numpy_name(math_parts::type_of(x)),
          " is not possible; int32, int64, float32 and float64 are");
  return static_cast<std::size_t>(found - kWidening.begin());
}

}  // namespace

Output range(const Input& start, const Input& limit, const RangeOptions& options,
             std::source_location at) {
  const Block in(options.name, "range", at);
  Output from = start.as_output(current_scope(), "start", options.dtype);
  Output to = limit.as_output(current_scope(), "limit", options.dtype);
  Output step = options.delta.as_output(current_scope(), "delta", options.dtype);
  DType wanted = options.dtype;
  if (wanted == DType::invalid)
    wanted = kWidening[std::max({width_of(from), width_of(to), width_of(step)})];
  from = cast(from, wanted);
  to = cast(to, wanted);
  step = cast(step, wanted);
  return raw::Range(from, to, step, {.name = in.own_name()});
}

Output range(const Input& limit, const RangeOptions& options, std::source_location at) {
  return range(0, limit, options, at);
}

}  // namespace rill
