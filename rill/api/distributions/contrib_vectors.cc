#include "rill/api/distributions/contrib_vectors.h"

#include <cmath>
#include <numbers>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions::contrib {

using namespace formula;

// --- OneHotCategorical ---------------------------------------------------------------------------

OneHotCategorical::OneHotCategorical(const OneHotCategoricalOptions& options,
                                     std::source_location at) {
  const Block in(options.name, "OneHotCategorical", at);
  LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, true, options.validate_args);
  if (options.validate_args) both.logits = with_class_count_checked(both.logits);
  add_parameter("logits", both.logits);
  add_parameter("probs", both.probs);
  vectors_ = both.logits;
  set_up({options.dtype, NOT_REPARAMETERIZED, options.validate_args, options.allow_nan_stats,
          current_scope().name() + "/"});
}

Output OneHotCategorical::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output flat = raw::Reshape(logits(), parts::list_of({-1, class_count()}));
  const Output draws = rill::multinomial(flat, n, {.dtype = DType::i32, .seed = seed});
  const Output places = raw::Reshape(transpose(draws), shape_with(n, batch_shape_tensor()));
  return one_hot(places, class_count(), {.dtype = dtype()});
}

Output OneHotCategorical::do_log_prob(Output x) {
  const Formula chosen = cast(x, base_type(logits().dtype()));
  return sum_over_last(chosen * nn::log_softmax(logits()));
}

Output OneHotCategorical::do_entropy() {
  return -sum_over_last(Formula(nn::log_softmax(logits())) * p("probs"));
}
Output OneHotCategorical::do_mean() { return identity(p("probs")); }
Output OneHotCategorical::do_variance() { return p("probs") * (1.0 - p("probs")); }
Output OneHotCategorical::do_mode() {
  return one_hot(raw::ArgMax(logits(), Tensor::scalar<std::int32_t>(-1)), class_count(),
                 {.dtype = dtype()});
}

// --- MultivariateNormalTriL ----------------------------------------------------------------------

MultivariateNormalTriL::MultivariateNormalTriL(const MultivariateNormalTriLOptions& options,
                                               std::source_location at) {
  const Block in(options.name, "MultivariateNormalTriL", at);
  require(options.loc || options.scale_tril,
          "one of `loc` and `scale_tril` must say how long the vectors are");
  std::optional<Output> scale, loc;
  if (options.scale_tril) {
    scale = raw::MatrixBandPart(*options.scale_tril, Tensor::scalar<std::int64_t>(-1),
                                Tensor::scalar<std::int64_t>(0), {.name = "scale_tril"});
    if (options.validate_args)
      scale = checked({&linalg::assert_no_zeros(linalg::diag_part(*scale),
                                                "scale_tril has a zero on its diagonal")},
                      *scale);
  }
  if (options.loc) loc = as_tensor(*options.loc, "loc");
  if (!scale) scale = linalg::diag(ones_like(*loc));
  if (!loc) loc = zeros_like(linalg::diag_part(*scale));
  const DType dtype = debugging::assert_same_float_dtype({*loc, *scale});
  add_parameter("loc", *loc);
  add_parameter("scale_tril", *scale);
  vectors_ = Formula(*loc) + zeros_like(linalg::diag_part(*scale));
  set_up({dtype, FULLY_REPARAMETERIZED, options.validate_args, options.allow_nan_stats,
          current_scope().name() + "/"});
}

Output MultivariateNormalTriL::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output dims = concat({vector_of(n), batch_shape_tensor(), event_shape_tensor()}, 0);
  const Output unit = random_normal(Input(dims), {.dtype = dtype(), .seed = seed});
  const Output columns = raw::ExpandDims(unit, Tensor::scalar<std::int32_t>(-1));
  const Output turned = raw::BatchMatMulV2(scale_tril(), columns);
  return Formula(raw::Squeeze(turned, {.squeeze_dims = {-1}})) + p("loc");
}

Formula MultivariateNormalTriL::log_determinant() {
  return sum_over_last(log(formula::abs(Formula(linalg::diag_part(scale_tril())))));
}

Output MultivariateNormalTriL::do_log_prob(Output x) {
  const Output from_middle = Formula(x) - p("loc");
  const Output columns = raw::ExpandDims(from_middle, Tensor::scalar<std::int32_t>(-1));
  const std::vector<Output> wide = linalg::with_common_batch({scale_tril(), columns});
  const Output solved = raw::MatrixTriangularSolve(wide[0], wide[1]);
  const Output distance =
      -0.5 * sum_over_last(square(Formula(raw::Squeeze(solved, {.squeeze_dims = {-1}}))));
  const Output size = cast(class_count(), dtype());
  return Formula(distance) - 0.5 * std::log(2 * std::numbers::pi) * Formula(size) -
         log_determinant();
}

Output MultivariateNormalTriL::do_entropy() {
  const Output size = cast(class_count(), dtype());
  const double each = 0.5 * std::log(2 * std::numbers::pi * std::numbers::e);
  const Output none = zeros(Input(batch_shape_tensor()), {.dtype = dtype()});
  return each * Formula(size) + log_determinant() + none;
}

Output MultivariateNormalTriL::do_mean() { return identity(Formula(vectors_)); }
Output MultivariateNormalTriL::do_covariance() {
  return raw::BatchMatMulV2(scale_tril(), scale_tril(), {.adj_y = true});
}
Output MultivariateNormalTriL::do_variance() {
  const Output squares = reduce_sum(raw::Square(scale_tril()), {.axis = Input(-1)});
  return Formula(squares) * Formula([this] { return ones_like(vectors_); });
}

}  // namespace rill::distributions::contrib
