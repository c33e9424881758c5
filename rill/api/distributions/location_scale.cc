#include "rill/api/distributions/location_scale.h"

#include <cmath>
#include <numbers>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/distributions/normal_functions.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions {

using namespace formula;

namespace {

constexpr double kPi = std::numbers::pi;

Formula ones_of(Output x) {
  return Formula([=] { return ones_like(x); });
}
Formula zeros_of(Output x) {
  return Formula([=] { return zeros_like(x); });
}

}  // namespace

void LocationScale::take(const std::vector<std::pair<const char*, Input>>& parameters,
                         const Input& positive, const DistributionOptions& options) {
  Nodes checks;
  if (options.validate_args) checks.push_back(&debugging::assert_positive(positive));
  const After after(checks);
  std::vector<Output> tensors;
  for (const auto& [name, value] : parameters) {
    tensors.push_back(raw::Identity(value, {.name = name}));
    add_parameter(name, tensors.back());
  }
  set_up({.dtype = debugging::assert_same_float_dtype(tensors),
          .reparameterization_type = FULLY_REPARAMETERIZED,
          .validate_args = options.validate_args,
          .allow_nan_stats = options.allow_nan_stats,
          .name = current_scope().name() + "/"});
}

Output LocationScale::do_log_prob(Output x) {
  const Formula unnormalized = log_unnormalized_prob(x);
  return unnormalized - log_normalization();
}

// --- Normal --------------------------------------------------------------------------------------

Normal::Normal(const Input& loc, const Input& scale, const DistributionOptions& options,
               std::source_location at) {
  const Block in(options.name, "Normal", at);
  take({{"loc", loc}, {"scale", scale}}, scale, options);
}

Output Normal::standardized(Output x) {
  return in_scope("standardize", (Formula(x) - p("loc")) / p("scale"));
}

Output Normal::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output unit = random_normal(Input(shape), {.dtype = loc().dtype(), .seed = seed});
  return Formula(unit) * p("scale") + p("loc");
}

Output Normal::log_unnormalized_prob(Output x) { return -0.5 * square(Formula(standardized(x))); }
Output Normal::log_normalization() { return 0.5 * std::log(2 * kPi) + log(p("scale")); }

Output Normal::do_log_cdf(Output x) { return log_ndtr(standardized(x)); }
Output Normal::do_cdf(Output x) { return ndtr(standardized(x)); }
Output Normal::do_log_survival_function(Output x) { return log_ndtr(-Formula(standardized(x))); }
Output Normal::do_survival_function(Output x) { return ndtr(-Formula(standardized(x))); }

Output Normal::do_quantile(Output probability) {
  const Formula z = ndtri(probability);
  return in_scope("reconstruct", z * p("scale") + p("loc"));
}

Output Normal::do_entropy() {
  const Output width = p("scale") * ones_of(loc());
  return 0.5 * std::log(2 * kPi * std::numbers::e) + log(Formula(width));
}
Output Normal::do_mean() { return p("loc") * ones_of(scale()); }
Output Normal::do_stddev() { return p("scale") * ones_of(loc()); }

// --- Laplace -------------------------------------------------------------------------------------

Laplace::Laplace(const Input& loc, const Input& scale, const DistributionOptions& options,
                 std::source_location at) {
  const Block in(options.name, "Laplace", at);
  take({{"loc", loc}, {"scale", scale}}, scale, options);
}

Output Laplace::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  // Without -1, which would become infinite.
  const double least = dtype() == DType::f64 ? std::nextafter(-1.0, 0.0)
                                             : static_cast<double>(std::nextafter(-1.0F, 0.0F));
  const Output uniform = random_uniform(
      Input(shape), {.minval = least, .maxval = Input(1.0), .dtype = dtype(), .seed = seed});
  const Formula u = uniform;
  return p("loc") - p("scale") * sign(u) * log1p(-abs(u));
}

Output Laplace::log_unnormalized_prob(Output x) { return -abs(z(x)); }
Output Laplace::log_normalization() { return std::log(2.0) + log(p("scale")); }
Output Laplace::do_prob(Output x) { return exp(Formula(ask(Question::kLogProb, x))); }
Output Laplace::do_log_cdf(Output x) { return log_cdf_laplace(z(x)); }
Output Laplace::do_log_survival_function(Output x) { return log_cdf_laplace(-z(x)); }

Output Laplace::do_cdf(Output x) {
  const Output place = z(x);
  const Formula w = place;
  return 0.5 + 0.5 * sign(w) * (1.0 - exp(-abs(w)));
}

Output Laplace::do_entropy() {
  const Output width = p("scale") + zeros_of(loc());
  return std::log(2.0) + 1.0 + log(Formula(width));
}
Output Laplace::do_mean() { return p("loc") + zeros_of(scale()); }
Output Laplace::do_stddev() { return std::numbers::sqrt2 * p("scale") + zeros_of(loc()); }

// --- StudentT ------------------------------------------------------------------------------------

StudentT::StudentT(const Input& df, const Input& loc, const Input& scale,
                   const DistributionOptions& options, std::source_location at) {
  const Block in(options.name, "StudentT", at);
  batch_parameters_ = {"df", "loc", "scale"};
  take({{"df", df}, {"loc", loc}, {"scale", scale}}, df, options);
}

Output StudentT::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output normal = random_normal(Input(shape), {.dtype = dtype(), .seed = seed});
  const Output one = ones(Input(batch_shape_tensor()), {.dtype = dtype()});
  const Output freedom = p("df") * one;
  const Output half = 0.5 * Formula(freedom);
  const Output gamma =
      random_gamma(vector_of(n), half,
                   {.beta = Input(0.5), .dtype = dtype(), .seed = new_seed(seed, "student_t")});
  const Output samples = Formula(normal) * rsqrt(Formula(gamma) / freedom);
  return Formula(samples) * p("scale") + p("loc");
}

Output StudentT::log_unnormalized_prob(Output x) {
  const Output y = (Formula(x) - p("loc")) / p("scale");
  return -0.5 * (p("df") + 1.0) * log1p(power(y, 2.0) / p("df"));
}

Output StudentT::log_normalization() {
  return log(abs(p("scale"))) + 0.5 * log(p("df")) + 0.5 * std::log(kPi) + lgamma(0.5 * p("df")) -
         lgamma(0.5 * (p("df") + 1.0));
}

Output StudentT::do_cdf(Output x) {
  const Output y = (Formula(x) - p("loc")) / abs(p("scale"));
  const Output t = p("df") / (power(y, 2.0) + p("df"));
  const Output below = 0.5 * node("Betainc", {0.5 * p("df"), 0.5, t});
  return where(node("Less", {y, 0.0}), below, 1.0 - Formula(below));
}

Output StudentT::do_entropy() {
  const Formula one([this] { return ones(Input(batch_shape_tensor()), {.dtype = dtype()}); });
  const Output v = with_new_axis(one);
  const Output u = Formula(v) * with_new_axis(p("df"));
  const Output halves = Formula(concat({u, v}, -1)) / 2.0;
  return log(abs(p("scale"))) + 0.5 * log(p("df")) + Formula([=] { return lbeta(halves); }) +
         0.5 * (p("df") + 1.0) * (digamma(0.5 * (p("df") + 1.0)) - digamma(0.5 * p("df")));
}

// `value` where there is more than one degree of freedom; NaN or a failure elsewhere.
Output StudentT::defined_above_one(Output value, const char* what) {
  if (!allow_nan_stats())
    return checked({&debugging::assert_less(
                       ones({}, {.dtype = dtype()}), df(),
                       {.message = str_cat(what, " not defined for components of df <= 1")})},
                   value);
  const Output one = ones(Input(batch_shape_tensor()), {.dtype = dtype()});
  const Formula nan([this] { return filled(batch_shape_tensor(), dtype(), std::nan(""), "nan"); });
  return where(node("Greater", {df(), one}), value, nan);
}

Output StudentT::do_mean() {
  const Output one = ones(Input(batch_shape_tensor()), {.dtype = dtype()});
  return defined_above_one(p("loc") * one, "mean");
}

Output StudentT::do_variance() {
  const Output divisor = where(node("Greater", {df(), 2.0}), p("df") - 2.0, ones_of(df()));
  const Output one = ones(Input(batch_shape_tensor()), {.dtype = dtype()});
  const Output finite = Formula(one) * square(p("scale")) * p("df") / divisor;
  const Output two = raw::Fill(batch_shape_tensor(), Input(2.0));
  const Formula infinity([this] { return filled(batch_shape_tensor(), dtype(), HUGE_VAL, "inf"); });
  const Output value = where(p("df") > two, finite, infinity);
  return defined_above_one(value, "variance");
}

Output StudentT::do_mode() { return identity(p("loc")); }

}  // namespace rill::distributions
