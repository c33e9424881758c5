#include "rill/api/signal/signal_parts.h"

#include <bit>
#include <limits>
#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"

namespace rill::signal {
namespace {

constexpr auto kHere = [] { return std::source_location::current(); };

SliceRange up_to(const Extent& size) { return {.stop = size.input()}; }

}  // namespace

void require_scalar(Output x) {
  require(!x.shape().has_rank() || x.shape().rank() == 0, "Shape ", x.shape(), " must have rank 0");
}

void require_rank_at_least(Output x, int rank) {
  require(!x.shape().has_rank() || x.shape().rank() >= rank, "Shape ", x.shape(),
          " must have rank at least ", rank);
}

std::optional<std::int64_t> known_number(Output x) {
  const std::optional<Tensor> value = static_value(x);
  if (!value || value->rank() != 0) return {};
  if (value->dtype() == DType::i32) return *value->data<std::int32_t>();
  if (value->dtype() != DType::i64) return {};
  const std::int64_t number = *value->data<std::int64_t>();
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  require(number >= -kMax && number <= kMax, "a length of ", number, " is too large");
  return number;
}

Extent extent_of(Output x) {
  const auto known = known_number(x);
  return known ? Extent(*known) : Extent(x);
}

Output rounded_up_quotient(Output a, Output b) {
  return raw::Neg(operators::floordiv(raw::Neg(a), b, kHere()));
}

Extent rounded_up_quotient(const Extent& a, const Extent& b) { return -floor_div(-a, b); }

Output first_of_last(Output x, const Extent& size) { return slice(x, {Ellipsis{}, up_to(size)}); }

Output rows_of_last_two(Output x, const Extent& size) {
  return slice(x, {Ellipsis{}, up_to(size), SliceRange{}});
}

Output head_of(Output x, Output size) { return slice(x, {up_to(size)}); }

Output gcd(Output a, Output b) {
  const Block in("", "gcd", kHere());
  require(kIntTypes.contains(math_parts::type_of(a)) && kIntTypes.contains(math_parts::type_of(b)),
          "a and b must be integers");
  const auto known_a = known_number(a), known_b = known_number(b);
  if (known_a && known_b)
    return as_tensor(std::gcd(*known_a, *known_b), "Const", math_parts::type_of(a));
  WhileLoopOptions options;
  options.back_prop = false;
  return while_loop(
      [](const std::vector<Output>& v) { return raw::Greater(v[1], zeros_like(v[1])); },
      [](const std::vector<Output>& v) {
        return std::vector<Output>{v[1], parts::modulo(v[0], v[1])};
      },
      {a, b}, options)[0];
}

Output enclosing_power_of_two(Output x) {
  const DType dtype = math_parts::type_of(x);
  if (const auto known = known_number(x)) {
    require(*known > 0 && *known <= (std::int64_t{1} << 30), "a frame of length ", *known,
            " has no transform");
    return as_tensor(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(*known))),
                     "Const", dtype);
  }
  const Output log = raw::Log(cast(x, DType::f32));
  const Output exponent = raw::Ceil(log / raw::Log(2.0));
  return cast(raw::Pow(2.0, exponent), dtype);
}

}  // namespace rill::signal
