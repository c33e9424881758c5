#include "rill/api/distributions/contrib_gamma.h"

#include <cmath>

#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/casts.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions::contrib {

using namespace formula;

namespace {

Distribution::Setup undifferentiable_setup(DType dtype, bool validate_args, bool allow_nan_stats) {
  return {dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, current_scope().name() + "/"};
}

Output number(double value, DType dtype) { return value * Formula(ones({}, {.dtype = dtype})); }

}  // namespace

// --- Chi2 ----------------------------------------------------------------------------------------

Chi2::Chi2(const Input& df, const DistributionOptions& options, std::source_location at) {
  const Block in(options.name, "Chi2", at);
  Output given = as_tensor(df, "df");
  if (options.validate_args) given = checked({&debugging::assert_positive(given)}, given);
  const Output concentration = 0.5 * Formula(given);
  take(concentration, number(0.5, base_type(given.dtype())), options);
  add_parameter("df", given);
}

// --- InverseGamma --------------------------------------------------------------------------------

InverseGamma::InverseGamma(const Input& concentration, const Input& rate,
                           const DistributionOptions& options, std::source_location at) {
  const Block in(options.name, "InverseGamma", at);
  batch_parameters_ = {"concentration", "rate"};
  Nodes checks;
  if (options.validate_args) {
    checks.push_back(&debugging::assert_positive(concentration));
    checks.push_back(&debugging::assert_positive(rate));
  }
  const After after(checks);
  add_parameter("concentration", raw::Identity(concentration, {.name = "concentration"}));
  add_parameter("rate", raw::Identity(rate, {.name = "rate"}));
  const DType dtype = debugging::assert_same_float_dtype({this->concentration(), this->rate()});
  set_up(undifferentiable_setup(dtype, options.validate_args, options.allow_nan_stats));
}

Output InverseGamma::valid_sample(Output x) const {
  return validate_args() ? checked({&debugging::assert_positive(x)}, x) : x;
}

Output InverseGamma::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  return 1.0 / Formula(random_gamma(vector_of(n), concentration(),
                                    {.beta = Input(rate()), .dtype = dtype(), .seed = seed}));
}

Output InverseGamma::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  return -(1.0 + p("concentration")) * log(x) - p("rate") / x -
         (lgamma(p("concentration")) - p("concentration") * log(p("rate")));
}

Output InverseGamma::do_cdf(Output value) {
  const Formula x = valid_sample(value);
  return node("Igammac", {p("concentration"), p("rate") / x});
}

Output InverseGamma::do_entropy() {
  return p("concentration") + log(p("rate")) + lgamma(p("concentration")) -
         (1.0 + p("concentration")) * digamma(p("concentration"));
}

Output InverseGamma::defined_above(double least, Output moment, const char* message) {
  if (allow_nan_stats()) {
    const Output nan = filled(batch_shape_tensor(), dtype(), std::nan(""), "nan");
    return where(p("concentration") > least, moment, nan);
  }
  const Output bound = number(least, dtype());
  return checked({&debugging::assert_less(bound, concentration(), {.message = message})}, moment);
}

Output InverseGamma::do_mean() {
  return defined_above(1, p("rate") / (p("concentration") - 1.0),
                       "mean undefined when any concentration <= 1");
}

Output InverseGamma::do_variance() {
  const Formula c = p("concentration");
  return defined_above(2, square(p("rate")) / square(c - 1.0) / (c - 2.0),
                       "variance undefined when any concentration <= 2");
}

Output InverseGamma::do_mode() { return p("rate") / (1.0 + p("concentration")); }

// --- Binomial ------------------------------------------------------------------------------------

Binomial::Binomial(const Input& total_count, const MultinomialOptions& options,
                   std::source_location at) {
  const Block in(options.name, "Binomial", at);
  batch_parameters_ = {"total_count", "probs"};
  Output count = as_tensor(total_count, "total_count");
  if (options.validate_args) count = with_counts_checked(count);
  const LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, false, options.validate_args);
  add_parameter("total_count", count);
  add_parameter("logits", both.logits);
  add_parameter("probs", both.probs);
  set_up(undifferentiable_setup(base_type(both.probs.dtype()), options.validate_args,
                                options.allow_nan_stats));
}

Output Binomial::valid_sample(Output counts) const {
  if (!validate_args()) return counts;
  return checked(
      {&debugging::assert_less_equal(counts, total_count(),
                                     {.message = "counts are not less than or equal to n."})},
      with_counts_checked(counts));
}

Output Binomial::do_log_prob(Output value) {
  const Formula counts = valid_sample(value);
  const Formula n = p("total_count"), probs = p("probs");
  const Output unnormalized = counts * log(probs) + (n - counts) * log1p(-probs);
  return Formula(unnormalized) -
         (lgamma(1.0 + n - counts) + lgamma(1.0 + counts) - lgamma(1.0 + n));
}

Output Binomial::do_mean() { return p("total_count") * p("probs"); }
Output Binomial::do_variance() { return Formula(ask(Question::kMean)) * (1.0 - p("probs")); }
Output Binomial::do_mode() { return node("Floor", {(1.0 + p("total_count")) * p("probs")}); }

}  // namespace rill::distributions::contrib
