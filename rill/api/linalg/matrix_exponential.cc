#include <array>
#include <limits>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/matrix_functions.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"
#include "rill/api/math/math_parts.h"

namespace rill::linalg {
namespace {

using namespace math_parts;

// exp(x) is (v + u) / (v - u), nearly.
struct Fraction {
  Output u, v;
};

// Coefficients of Padé's approximation of a degree, without the last, which is 1: they are
// (2m - j)! / (j! (m - j)!).
std::vector<Output> coefficients(int degree, DType dtype) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(degree) + 1, 1);
  for (std::int64_t j = degree; j > 0; --j)
    numbers[static_cast<std::size_t>(j - 1)] =
        numbers[static_cast<std::size_t>(j)] * (2 * degree - j + 1) * j / (degree - j + 1);
  numbers.pop_back();
  std::vector<Output> tensors;
  for (const std::int64_t n : numbers)
    tensors.push_back(constant(number(dtype, static_cast<double>(n))));
  return tensors;
}

class Pade {
 public:
  Pade(Output x, int degree) : x_(x), half_(degree == 13 ? 3 : degree / 2) {
    b_ = coefficients(degree, type_of(x));
    const Output rows = slice(shape(x), {Input(-2)});
    identity_ = eye(rows, {.batch_shape = Input(dims_before(x, -2)), .dtype = type_of(x)});
    squares_ = {matmul(x, x)};  // x^2, x^4, x^6, ...
    for (int i = 1; i < half_; ++i) squares_.push_back(matmul(squares_.back(), squares_[0]));
  }

  Fraction fraction() const {
    if (b_.size() == 13) return large();
    const Output sum = with_lower(squares_.back(), half_ - 1, 1);
    const Output u = matmul(x_, sum);
    return {u, with_lower(b_[b_.size() - 1] * squares_.back(), half_ - 1, 0)};
  }

 private:
  // `sum` plus the terms of x^(2i) for i from `i` down to 0, of the coefficients b[2i + odd].
  Output with_lower(Output sum, int i, int odd) const {
    for (; i >= 0; --i) {
      const Output& power = i == 0 ? identity_ : squares_[static_cast<std::size_t>(i - 1)];
      sum = sum + b_[static_cast<std::size_t>(2 * i + odd)] * power;
    }
    return sum;
  }

  // Degree 13, with x^6 taken out of the higher terms.
  Fraction large() const {
    const Output& x2 = squares_[0];
    const Output& x4 = squares_[1];
    const Output& x6 = squares_[2];
    const Output high_u = x6 + b_[11] * x4;
    const Output u = with_lower(matmul(x6, high_u + b_[9] * x2), 3, 1);
    const Output odd = matmul(x_, u);
    const Output high_v = b_[12] * x6;
    const Output more_v = high_v + b_[10] * x4;
    return {odd, with_lower(matmul(x6, more_v + b_[8] * x2), 3, 0)};
  }

  Output x_, identity_;
  int half_;
  std::vector<Output> b_, squares_;
};

// Which degrees serve up to which norm; the last one serves any, after halvings.
struct PadeOrders {
  std::vector<int> degrees;
  std::vector<double> norms;
  double most;  // the norm up to which the last degree is exact enough
};

PadeOrders plan_for(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::f32:
    case DType::c64:
      return {{3, 5, 7}, {4.258730016922831e-01, 1.880152677804762e+00}, 3.925724783138660};
    case DType::f64:
    case DType::c128:
      return {{3, 5, 7, 9, 13},
              {1.495585217958292e-02, 2.539398330063230e-01, 9.504178996162932e-01,
               2.097847961257068e+00},
              5.371920351148152};
    default:
      raise(Code::kInvalidArgument, "tf.linalg.expm does not support matrices of type ", dtype);
  }
}

class Exponential {
 public:
  explicit Exponential(Output matrix) : plan_(plan_for(type_of(matrix))) {
    const Output sizes = dims_from(matrix, -2);
    x_ = raw::Reshape(matrix, concat({Input(int_vector({-1})), sizes}, 0));
    const Output absolute = abs(x_);
    const Output axis = size(shape(x_)) - 2;
    const Output columns = reduce_sum(absolute, {.axis = Input(axis)});
    norm_ = slice(reduce_max(columns, {.axis = Input(-1)}), {Ellipsis{}, NewAxis{}, NewAxis{}});
  }

  Output result() {
    const Fraction sum = approximation();
    finite_ = raw::IsFinite(reduce_max(norm_));
    const Output nan = constant(number(type_of(x_), std::numeric_limits<double>::quiet_NaN()));
    const Output first = cond_one(
        finite_,
        [&] {
          const Output divisor = -sum.u + sum.v;
          return raw::MatrixSolve(divisor, sum.u + sum.v);
        },
        [&] { return Output(raw::Fill(shape(x_), nan)); });
    return squared(first);
  }

 private:
  Output real(double value) const { return constant(number(type_of(norm_), value)); }

  Fraction approximation() {
    const Output most = real(plan_.most);
    const Output ratio = norm_ / most;
    const Output logarithm = raw::Log(ratio);
    const Output doublings = logarithm / raw::Log(real(2.0));
    halvings_ = raw::Maximum(raw::Floor(doublings), 0);
    std::vector<Fraction> all;
    for (const int degree : plan_.degrees) {
      const bool is_last = degree == plan_.degrees.back();
      all.push_back(Pade(is_last ? halved() : x_, degree).fraction());
    }
    const Output u = chosen(all, &Fraction::u, 0);
    return {u, chosen(all, &Fraction::v, 0)};
  }

  Output halved() const { return x_ / cast(raw::Pow(real(2.0), halvings_), type_of(x_)); }

  // The one that serves the norm.
  Output chosen(const std::vector<Fraction>& all, Output Fraction::*part, std::size_t i) const {
    const Output is_small = raw::Less(norm_, real(plan_.norms[i]));
    const bool is_last = i + 1 == plan_.norms.size();
    const Output otherwise = is_last ? all[i + 1].*part : chosen(all, part, i + 1);
    return where_v2(is_small, all[i].*part, otherwise);
  }

  // Squares what was halved.
  Output squared(Output first) {
    const Output most = reduce_max(halvings_);
    const auto goes_on = [&](const std::vector<Output>& vars) {
      return cond_one(
          finite_, [&] { return Output(raw::Less(vars[0], most)); },
          [] { return constant(false); });
    };
    const auto square = [&](const std::vector<Output>& vars) {
      const Output next = vars[0] + 1;
      const Output again = raw::Less(vars[0], halvings_);
      const Output product = matmul(vars[1], vars[1]);
      return std::vector<Output>{next, where_v2(again, product, vars[1])};
    };
    return while_loop(goes_on, square, {real(0.0), first})[1];
  }

  PadeOrders plan_;
  Output x_, norm_, halvings_, finite_;
};

}  // namespace

Output expm(const Input& input, const LinalgOptions& options, std::source_location at) {
  const Block in(options.name, "matrix_exponential", at);
  const Output matrix = as_tensor(input, "input");
  const PartialShape& known = matrix.shape();
  const int rank = known.rank();
  require(!known.has_rank() || rank >= 2, "expm: a matrix has at least two dimensions");
  if (known.has_rank() && known.dim(rank - 1) == 0 && known.dim(rank - 2) == 0) return matrix;
  const auto batch = known.has_rank()
                         ? PartialShape(known.dims().first(static_cast<std::size_t>(rank - 2)))
                         : PartialShape();
  OptionalInput batch_shape;
  if (!batch.is_full()) batch_shape = Input(dims_before(matrix, -2));
  Exponential exponential(matrix);
  const Output result = exponential.result();
  const PartialShape& sizes = result.shape();
  if (known.is_full() && sizes.is_full()) return raw::Reshape(result, ShapeInput(known.full()));
  if (!batch_shape) batch_shape = ShapeInput(batch.full());
  const Output matrix_shape = dims_from(result, -2);
  return raw::Reshape(result, concat({*batch_shape, matrix_shape}, 0));
}

}  // namespace rill::linalg
