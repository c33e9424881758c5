#include "rill/api/distributions/contrib.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions::contrib {

using namespace formula;

namespace {

template <class Options>
Distribution::Setup contrib_setup(DType dtype, ReparameterizationType type,
                                  const Options& options) {
  return {dtype, type, options.validate_args, options.allow_nan_stats,
          current_scope().name() + "/"};
}

double min_positive(DType dtype) {
  return dtype == DType::f64 ? std::numeric_limits<double>::min()
                             : static_cast<double>(std::numeric_limits<float>::min());
}

}  // namespace

// --- Poisson -------------------------------------------------------------------------------------

Poisson::Poisson(const PoissonOptions& options, std::source_location at)
    : interpolates_(options.interpolate_nondiscrete) {
  const Block in(options.name, "Poisson", at);
  batch_parameters_ = {"rate"};
  require(options.rate.has_value() != options.log_rate.has_value(),
          "Must specify exactly one of `rate` and `log_rate`.");
  if (options.log_rate) {
    const Output log_rate = as_tensor(*options.log_rate, "log_rate");
    add_parameter("rate", raw::Exp(log_rate, {.name = "rate"}));
    add_parameter("log_rate", log_rate);
  } else {
    Output rate = as_tensor(*options.rate, "rate");
    if (options.validate_args) rate = checked({&debugging::assert_positive(rate)}, rate);
    add_parameter("rate", rate);
    add_parameter("log_rate", raw::Log(rate, {.name = "log_rate"}));
  }
  const DType dtype = debugging::assert_same_float_dtype({rate()});
  set_up(contrib_setup(dtype, NOT_REPARAMETERIZED, options));
}

Output Poisson::valid_sample(Output x) const {
  return validate_args() ? with_counts_checked(x) : x;
}

Output Poisson::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  return random_poisson(rate(), vector_of(n), {.dtype = dtype(), .seed = seed});
}

Output Poisson::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  const Output log = x * p("log_rate") - lgamma(1.0 + x) - p("rate");
  if (interpolates_) return log;
  const Formula none([this, log] {
    return filled(shape(log), dtype(), -std::numeric_limits<double>::infinity(), "");
  });
  const Formula is_whole = node("LogicalAnd", {x >= 0.0, node("Equal", {x, node("Floor", {x})})});
  return where(is_whole, log, none);
}

Output Poisson::do_cdf(Output value) {
  Formula x = valid_sample(value);
  if (!interpolates_) x = Output(node("Floor", {x}));
  return node("Igammac", {1.0 + x, p("rate")});
}

Output Poisson::do_mean() { return identity(p("rate")); }
Output Poisson::do_variance() { return identity(p("rate")); }
Output Poisson::do_mode() { return node("Floor", {p("rate")}); }

// --- Geometric -----------------------------------------------------------------------------------

Geometric::Geometric(const MultinomialOptions& options, std::source_location at) {
  const Block in(options.name, "Geometric", at);
  batch_parameters_ = {"probs"};
  const LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, false, options.validate_args);
  Output probs = both.probs;
  if (options.validate_args) probs = checked({&debugging::assert_positive(probs)}, probs);
  add_parameter("logits", both.logits);
  add_parameter("probs", probs);
  set_up(contrib_setup(base_type(probs.dtype()), NOT_REPARAMETERIZED, options));
}

Output Geometric::valid_sample(Output x) const {
  return validate_args() ? with_counts_checked(x) : x;
}

Output Geometric::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output uniform = random_uniform(
      Input(shape),
      {.minval = min_positive(dtype()), .maxval = Input(1.0), .dtype = dtype(), .seed = seed});
  return node("Floor", {log(Formula(uniform)) / log1p(-p("probs"))});
}

Output Geometric::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  // 0 log(0) is 0: a sure success comes at once.
  return node("Xlogy", {x, 1.0 - p("probs")}) + log(p("probs"));
}

Output Geometric::do_cdf(Output value) {
  const Output x = valid_sample(value);
  const Formula whole = node("Floor", {x});
  const Output below = -node("Expm1", {(1.0 + whole) * log1p(-p("probs"))});
  const Formula zero([below] { return zeros_like(below); });
  return where(Formula(x) < 0.0, zero, below);
}

Output Geometric::do_entropy() {
  const Formula probs = p("probs");
  return (-node("Xlogy", {1.0 - probs, 1.0 - probs}) - node("Xlogy", {probs, probs})) / probs;
}
Output Geometric::do_mean() { return exp(-p("logits")); }
Output Geometric::do_variance() { return Formula(ask(Question::kMean)) / p("probs"); }
Output Geometric::do_mode() { return zeros(Input(batch_shape_tensor()), {.dtype = dtype()}); }

// --- Logistic ------------------------------------------------------------------------------------

Logistic::Logistic(const Input& loc, const Input& scale, const DistributionOptions& options,
                   std::source_location at) {
  const Block in(options.name, "Logistic", at);
  take({{"loc", loc}, {"scale", scale}}, scale, options);
}

Output Logistic::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output uniform = random_uniform(
      Input(shape),
      {.minval = min_positive(dtype()), .maxval = Input(1.0), .dtype = dtype(), .seed = seed});
  const Formula u = uniform;
  return (log(u) - log1p(-u)) * p("scale") + p("loc");
}

Output Logistic::log_unnormalized_prob(Output x) {
  const Output place = z(x);
  const Formula w = place;
  return -w - 2.0 * softplus(-w);
}
Output Logistic::log_normalization() { return log(p("scale")); }
Output Logistic::do_log_cdf(Output x) { return -softplus(-z(x)); }
Output Logistic::do_cdf(Output x) { return sigmoid(z(x)); }
Output Logistic::do_log_survival_function(Output x) { return -softplus(z(x)); }
Output Logistic::do_survival_function(Output x) { return sigmoid(-z(x)); }
Output Logistic::do_entropy() {
  const Formula one([this] { return ones_like(loc()); });
  return 2.0 + log(p("scale") * one);
}
Output Logistic::do_mean() {
  return p("loc") * Formula([this] { return ones_like(scale()); });
}
Output Logistic::do_stddev() {
  const Formula one([this] { return ones_like(loc()); });
  return p("scale") * one * std::numbers::pi / std::sqrt(3.0);
}

// --- MultivariateNormalDiag ----------------------------------------------------------------------

MultivariateNormalDiag::MultivariateNormalDiag(const MultivariateNormalDiagOptions& options,
                                               std::source_location at) {
  const Block in(options.name, "MultivariateNormalDiag", at);
  require(options.loc || options.scale_diag,
          "one of `loc` and `scale_diag` must say how long the vectors are");
  std::optional<Output> scale, loc;
  if (options.scale_diag) scale = as_tensor(*options.scale_diag, "scale_diag");
  if (options.loc) loc = as_tensor(*options.loc, "loc");
  if (options.scale_identity_multiplier) {
    const Output wide =
        with_new_axis(as_tensor(*options.scale_identity_multiplier, "scale_identity_multiplier"));
    scale = Output(scale ? Formula(*scale) + wide : Formula(wide) * ones_like(*loc));
  }
  if (!scale) scale = ones_like(*loc);
  if (!loc) loc = zeros_like(*scale);
  if (options.validate_args) {
    const Output size = formula::abs(Formula(*scale));
    scale = checked({&debugging::assert_positive(size)}, *scale);
  }
  const DType dtype = debugging::assert_same_float_dtype({*loc, *scale});
  add_parameter("loc", *loc);
  add_parameter("scale_diag", *scale);
  vectors_ = Formula(*loc) + zeros_like(*scale);
  set_up(contrib_setup(dtype, FULLY_REPARAMETERIZED, options));
}

Output MultivariateNormalDiag::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output batch = batch_shape_tensor();
  const Output event = event_shape_tensor();
  const Output dims = concat({vector_of(n), batch, event}, 0);
  const Output unit = random_normal(Input(dims), {.dtype = dtype(), .seed = seed});
  return Formula(unit) * p("scale_diag") + p("loc");
}

Output MultivariateNormalDiag::do_log_prob(Output x) {
  const Formula z = (Formula(x) - p("loc")) / p("scale_diag");
  const Output distance = -0.5 * sum_over_last(square(z));
  const Output size = cast(class_count(), dtype());
  return Formula(distance) - 0.5 * std::log(2 * std::numbers::pi) * Formula(size) -
         sum_over_last(log(formula::abs(p("scale_diag"))));
}

Output MultivariateNormalDiag::do_entropy() {
  const Output size = cast(class_count(), dtype());
  const double each = 0.5 * std::log(2 * std::numbers::pi * std::numbers::e);
  const Formula wide =
      formula::abs(p("scale_diag")) * Formula([this] { return ones_like(vectors_); });
  return each * Formula(size) + sum_over_last(log(wide));
}

Output MultivariateNormalDiag::do_mean() { return identity(Formula(vectors_)); }
Output MultivariateNormalDiag::do_variance() {
  return square(p("scale_diag")) * Formula([this] { return ones_like(vectors_); });
}
Output MultivariateNormalDiag::do_stddev() {
  return formula::abs(p("scale_diag")) * Formula([this] { return ones_like(vectors_); });
}
Output MultivariateNormalDiag::do_covariance() { return linalg::diag(ask(Question::kVariance)); }

}  // namespace rill::distributions::contrib
