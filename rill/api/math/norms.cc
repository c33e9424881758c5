#include "rill/api/math/norms.h"

#include <cmath>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"

namespace rill {
namespace {

using namespace math_parts;
using Axes = std::vector<std::int64_t>;

std::string join_numbers(const Axes& axis) {
  std::string text;
  for (const std::int64_t i : axis) text += str_cat(text.empty() ? "" : ", ", i);
  return text;
}

void check(const NormOrder& ord, const Axes& axis) {
  const bool is_matrix = axis.size() == 2;
  require(axis.size() <= 2 && (!is_matrix || axis[0] != axis[1]),
          "'axis' must be None, an integer, or a tuple of 2 unique integers, got (",
          join_numbers(axis), ")");
  if (is_matrix) {
    const bool is_supported =
        !ord.is_number() || ord.p() == 1 || ord.p() == 2 || std::isinf(ord.p());
    require(is_supported,
            "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf]"
            ", got ",
            ord.p());
    return;
  }
  require(!ord.is_fro(), "'ord' must be a supported vector norm, got fro");
  require(!ord.is_number() || ord.p() > 0, "'ord' must be a supported vector norm, got ", ord.p());
}

OptionalInput axes_input(const Axes& axis) {
  if (axis.empty()) return {};
  return Input(int_vector(axis));
}
Input axis_input(std::int64_t axis) { return Input(static_cast<int>(axis)); }

Output p_norm(Output sizes, double p, const Axes& axis) {
  const Output powers = raw::Pow(sizes, p);
  const Output sum = reduce_sum(powers, {.axis = axes_input(axis), .keepdims = true});
  return raw::Pow(sum, 1.0 / p);
}

// Over one axis or all; over two, sums of sizes along one and the largest along the other.
Output sum_or_max(Output sizes, double p, const Axes& axis) {
  const bool is_largest = std::isinf(p);
  if (axis.size() == 2) {
    const Output sums =
        reduce_sum(sizes, {.axis = axis_input(axis[is_largest ? 1 : 0]), .keepdims = true});
    return reduce_max(sums, {.axis = axis_input(axis[is_largest ? 0 : 1]), .keepdims = true});
  }
  OptionalInput over;
  if (!axis.empty()) over = axis_input(axis[0]);
  const ReduceOptions options{.axis = over, .keepdims = true};
  if (is_largest) return reduce_max(sizes, options);
  return reduce_sum(sizes, options);
}

Output euclidean(Output x, const Axes& axis) {
  const Output squares = operators::mul(x, conj(x), {});
  return raw::Sqrt(reduce_sum(squares, {.axis = axes_input(axis), .keepdims = true}));
}

// The largest singular value, which the op finds in the last two dimensions only.
Output spectral(Output x, const Axes& axis) {
  const Output rank = rill::rank(x);
  const auto from_start = [&](Output i) {
    return cond_one(
        raw::GreaterEqual(i, 0), [&] { return i; }, [&] { return operators::add(i, rank, {}); });
  };
  const Output given = as_tensor(Input(int_vector(axis)));
  const Output matrix_axes = map_fn(from_start, given);
  const Output axes = range(rank);
  const Output others = raw::ListDiff(axes, matrix_axes).out;
  const Output order = concat({others, matrix_axes}, 0);
  const auto place_of = [&](Output i) {
    return cast(raw::Squeeze(raw::Where(raw::Equal(order, i))), DType::i32);
  };
  const Output back = map_fn(place_of, axes);
  const Output matrices = raw::Transpose(x, order, {.name = "transpose"});
  const Output values = raw::Svd(matrices, {.compute_uv = false}).s;
  const Output largest = reduce_max(abs(values), {.axis = axis_input(-1), .keepdims = true});
  return raw::Transpose(raw::ExpandDims(largest, -1), back, {.name = "transpose"});
}

Output norm_over(Output x, const NormOrder& ord, const Axes& axis) {
  if (axis.size() == 2 && ord.is_number() && ord.p() == 2) return spectral(x, axis);
  if (ord.is_euclidean()) return euclidean(x, axis);
  const Output sizes = abs(x);
  if (ord.p() == 1 || std::isinf(ord.p())) return sum_or_max(sizes, ord.p(), axis);
  return p_norm(sizes, ord.p(), axis);
}

}  // namespace

NormOrder::NormOrder(std::string name) : is_number_(false), is_fro_(name == "fro") {
  require(is_fro_ || name == "euclidean", "'ord' must be a supported vector norm, got ", name);
}

Output norm(const Input& tensor, const NormOptions& options, std::source_location at) {
  check(options.ord, options.axis);
  const Block in(options.name, "norm", at);
  const Output x = as_tensor(tensor);
  const Output result = norm_over(x, options.ord, options.axis);
  if (options.keepdims) return result;
  return raw::Squeeze(result, {.squeeze_dims = options.axis});
}

Normalized linalg::normalize(const Input& tensor, const NormalizeOptions& options,
                             std::source_location at) {
  const Block in(options.name, "normalize", at);
  const Output x = as_tensor(tensor);
  const Output length = norm(x, {.ord = options.ord, .axis = options.axis, .keepdims = true});
  const Output size = cast(length, type_of(x));  // most norms of complex numbers are real
  return {operators::truediv(x, size, at), size};
}

Output trace(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "Trace", at);
  const Output x = as_tensor(input, "x");
  const Output diagonal =
      raw::MatrixDiagPartV2(x, 0, Input(number(type_of(x), 0)), {.name = "diag_part"});
  return reduce_sum(diagonal,
                    {.axis = Input(Tensor::vector<std::int32_t>({-1})), .name = in.own_name()});
}

Output math::l2_normalize(const Input& input, const L2NormalizeOptions& options,
                          std::source_location at) {
  const Block in(options.name, "l2_normalize", at);
  const Output x = as_tensor(input, "x");
  const bool is_complex = kComplexTypes.contains(type_of(x));
  const auto square = [&] {
    if (!is_complex) return raw::Square(x);
    const Output first = raw::Square(real(x));
    return operators::add(first, raw::Square(imag(x)), at);
  };
  Output sum = reduce_sum(square(), {.axis = options.axis, .keepdims = true});
  if (is_complex) sum = real(sum);  // it is real; TensorFlow asks all the same, which takes a name
  const Output scale = raw::Rsqrt(raw::Maximum(sum, options.epsilon));
  if (!is_complex) return raw::Mul(x, scale, {.name = in.own_name()});
  const Output first = raw::Mul(real(x), scale);
  const Output second = raw::Mul(imag(x), scale);
  return complex(first, second, {.name = in.own_name()});
}

}  // namespace rill
