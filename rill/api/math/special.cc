#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill::math {
namespace {

using namespace math_parts;

Output scaled_bessel(const char* block, const char* op, const Input& x, const std::string& name,
                     std::source_location at) {
  const Block in(name, block, at);
  return current_scope().add(op, {x}).output();
}

}  // namespace

Output reciprocal_no_nan(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "reciprocal_no_nan", at);
  const Output x = as_tensor(input, "x");
  const Output one = current_scope().constant(number(type_of(x), 1), "one");
  return raw::DivNoNan(one, x, {.name = in.own_name()});
}

Output xdivy(const Input& x, const Input& y, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "xdivy", at);
  return raw::Xdivy(x, y);
}

Output bessel_i0e(const Input& x, const MathOptions& options, std::source_location at) {
  return scaled_bessel("bessel_i0e", "BesselI0e", x, options.name, at);
}

Output bessel_i1e(const Input& x, const MathOptions& options, std::source_location at) {
  return scaled_bessel("bessel_i1e", "BesselI1e", x, options.name, at);
}

Output bessel_i0(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "bessel_i0", at);
  const Output x = as_tensor(input, "x");
  const Output scale = raw::Exp(raw::Abs(x));
  return operators::mul(scale, bessel_i0e(x), at);
}

Output bessel_i1(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "bessel_i1", at);
  const Output x = as_tensor(input, "x");
  const Output scale = raw::Exp(raw::Abs(x));
  return operators::mul(scale, bessel_i1e(x), at);
}

Output polyval(const Inputs& coeffs, const Input& x, const MathOptions& options,
               std::source_location at) {
  const Block in(options.name, "polyval", at);
  const Output point = as_tensor(x, "x");
  if (coeffs.empty()) return zeros_like(point, {.name = in.own_name()});
  const std::vector<Output> factors = as_tensors(coeffs, "coeff");
  Output value = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i)
    value = operators::add(factors[i], operators::mul(value, point, at), at);
  return value;
}

}  // namespace rill::math
