#include "rill/api/distributions/numbers.h"

#include <cmath>
#include <limits>

#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions {

using namespace formula;

namespace {

Distribution::Setup setup_here(DType dtype, ReparameterizationType type, bool validate_args,
                               bool allow_nan_stats) {
  return {dtype, type, validate_args, allow_nan_stats, current_scope().name() + "/"};
}

Output one(DType dtype) { return ones({}, {.dtype = dtype}); }

}  // namespace

// --- Uniform -------------------------------------------------------------------------------------

Uniform::Uniform(const Input& low, const Input& high, const DistributionOptions& options,
                 std::source_location at) {
  const Block in(options.name, "Uniform", at);
  batch_parameters_ = {"low", "high"};
  Nodes checks;
  if (options.validate_args)
    checks.push_back(
        &debugging::assert_less(low, high, {.message = "uniform not defined when low >= high."}));
  const After after(checks);
  add_parameter("low", raw::Identity(low, {.name = "low"}));
  add_parameter("high", raw::Identity(high, {.name = "high"}));
  const DType dtype = debugging::assert_same_float_dtype({this->low(), this->high()});
  set_up(setup_here(dtype, FULLY_REPARAMETERIZED, options.validate_args, options.allow_nan_stats));
}

Output Uniform::range(const CallOptions& options, std::source_location at) {
  const Inside in(*this, options.name, "range", at);
  return p("high") - p("low");
}

Formula Uniform::width() {
  return Formula([this] { return range(); });
}

Output Uniform::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output unit = random_uniform(Input(shape), {.dtype = dtype(), .seed = seed});
  return p("low") + width() * unit;
}

Output Uniform::do_prob(Output value) {
  const Output one = ones(Input(batch_shape_tensor()), {.dtype = value.dtype()});
  const Output wide = Formula(value) * one;
  const Formula x = wide;
  const Formula outside = node("LogicalOr", {x < p("low"), x >= p("high")});
  const Formula zero([=] { return zeros_like(wide); });
  const Formula inside = Formula([=] { return ones_like(wide); }) / width();
  return where(node("IsNan", {x}), x, where(outside, zero, inside));
}

Output Uniform::do_cdf(Output value) {
  const Output value_shape = shape(value);
  const Output all = raw::BroadcastArgs(value_shape, batch_shape_tensor());
  const Output zero = zeros(Input(all), {.dtype = dtype()});
  const Output one = ones(Input(all), {.dtype = dtype()});
  const Formula x = value;
  const Output wide = x * one;
  const Output not_above = where(x < p("low"), zero, (Formula(wide) - p("low")) / width());
  return where(x >= p("high"), one, not_above);
}

Output Uniform::do_entropy() { return log(width()); }
Output Uniform::do_mean() { return (p("low") + p("high")) / 2.0; }
Output Uniform::do_variance() { return square(width()) / 12.0; }
Output Uniform::do_stddev() { return width() / std::sqrt(12.0); }

// --- Gamma and Exponential -----------------------------------------------------------------------

Gamma::Gamma(const Input& concentration, const Input& rate, const DistributionOptions& options,
             std::source_location at)
    : Gamma() {
  const Block in(options.name, "Gamma", at);
  take(concentration, rate, options);
}

void Gamma::take(const Input& concentration, const Input& rate,
                 const DistributionOptions& options) {
  Nodes checks;
  if (options.validate_args) {
    checks.push_back(&debugging::assert_positive(concentration));
    checks.push_back(&debugging::assert_positive(rate));
  }
  const After after(checks);
  add_parameter("concentration", raw::Identity(concentration, {.name = "concentration"}));
  add_parameter("rate", raw::Identity(rate, {.name = "rate"}));
  const DType dtype = debugging::assert_same_float_dtype({this->concentration(), this->rate()});
  set_up(setup_here(dtype, FULLY_REPARAMETERIZED, options.validate_args, options.allow_nan_stats));
}

Output Gamma::valid_sample(Output x) const {
  debugging::assert_same_float_dtype({x}, dtype());
  return validate_args() ? checked({&debugging::assert_positive(x)}, x) : x;
}

Output Gamma::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  return random_gamma(vector_of(n), concentration(),
                      {.beta = Input(rate()), .dtype = dtype(), .seed = seed});
}

Output Gamma::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  const Output unnormalized = node("Xlogy", {p("concentration") - 1.0, x}) - p("rate") * x;
  return Formula(unnormalized) - (lgamma(p("concentration")) - p("concentration") * log(p("rate")));
}

Output Gamma::do_cdf(Output value) {
  const Formula x = valid_sample(value);
  return node("Igamma", {p("concentration"), p("rate") * x});
}

Output Gamma::do_entropy() {
  return p("concentration") - log(p("rate")) + lgamma(p("concentration")) +
         (1.0 - p("concentration")) * digamma(p("concentration"));
}
Output Gamma::do_mean() { return p("concentration") / p("rate"); }
Output Gamma::do_variance() { return p("concentration") / square(p("rate")); }
Output Gamma::do_stddev() { return sqrt(p("concentration")) / p("rate"); }

Output Gamma::do_mode() {
  const Output mode = (p("concentration") - 1.0) / p("rate");
  if (allow_nan_stats()) {
    const Output nan = filled(batch_shape_tensor(), dtype(), std::nan(""), "nan");
    return where(p("concentration") > 1.0, mode, nan);
  }
  return checked(
      {&debugging::assert_less(one(dtype()), concentration(),
                               {.message = "mode not defined when any concentration <= 1"})},
      mode);
}

Exponential::Exponential(const Input& rate, const DistributionOptions& options,
                         std::source_location at) {
  const MadeAt here(at);
  Output given;
  std::string scope;
  {
    const Block in(options.name, "Exponential", at);
    given = as_tensor(rate, "rate");
    scope = current_scope().name() + "/";
  }
  const Output concentration = one(base_type(given.dtype()));
  const Block in(scope, "", at);
  take(concentration, given, options);
}

Output Exponential::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, rill::shape(rate()));
  const double least = dtype() == DType::f64
                           ? std::numeric_limits<double>::min()
                           : static_cast<double>(std::numeric_limits<float>::min());
  const Output uniform = random_uniform(
      Input(shape), {.minval = least, .maxval = Input(1.0), .dtype = dtype(), .seed = seed});
  return -log(Formula(uniform)) / p("rate");
}

Output Exponential::do_log_survival_function(Output x) {
  return Formula(ask(Question::kLogProb, x)) - log(p("rate"));
}

// --- Beta ----------------------------------------------------------------------------------------

Beta::Beta(const Input& concentration1, const Input& concentration0,
           const DistributionOptions& options, std::source_location at) {
  const Block in(options.name, "Beta", at);
  batch_parameters_ = {"total_concentration"};
  const auto take = [&](const char* name, const Input& value) {
    const Output x = as_tensor(value, name);
    add_parameter(name,
                  options.validate_args
                      ? checked({&debugging::assert_positive(
                                    x, {.message = "Concentration parameter must be positive."})},
                                x)
                      : x);
  };
  take("concentration1", concentration1);
  take("concentration0", concentration0);
  const DType dtype =
      debugging::assert_same_float_dtype({this->concentration1(), this->concentration0()});
  add_parameter("total_concentration", p("concentration1") + p("concentration0"));
  set_up(setup_here(dtype, FULLY_REPARAMETERIZED, options.validate_args, options.allow_nan_stats));
}

Output Beta::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const auto expanded = [this](const char* name) -> Output {
    return Formula(ones_like(total_concentration(), {.dtype = dtype()})) * p(name);
  };
  const Output alpha1 = expanded("concentration1"), alpha0 = expanded("concentration0");
  const Output gamma1 = random_gamma(vector_of(n), alpha1, {.dtype = dtype(), .seed = seed});
  const Output gamma2 =
      random_gamma(vector_of(n), alpha0, {.dtype = dtype(), .seed = new_seed(seed, "beta")});
  return Formula(gamma1) / (Formula(gamma1) + gamma2);
}

Output Beta::valid_sample(Output x) const {
  if (!validate_args()) return x;
  Node& positive = debugging::assert_positive(x, {.message = "sample must be positive"});
  Node& bounded =
      debugging::assert_less(x, one(dtype()), {.message = "sample must be less than `1`."});
  return checked({&positive, &bounded}, x);
}

Formula Beta::log_normalization() const {
  return lgamma(p("concentration1")) + lgamma(p("concentration0")) -
         lgamma(p("total_concentration"));
}

Output Beta::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  const Output unnormalized =
      node("Xlogy", {p("concentration1") - 1.0, x}) + (p("concentration0") - 1.0) * log1p(-x);
  return Formula(unnormalized) - log_normalization();
}
Output Beta::do_prob(Output x) { return exp(Formula(ask(Question::kLogProb, x))); }
Output Beta::do_log_cdf(Output x) { return log(Formula(ask(Question::kCdf, x))); }
Output Beta::do_cdf(Output x) {
  return node("Betainc", {p("concentration1"), p("concentration0"), x});
}

Output Beta::do_entropy() {
  return log_normalization() - (p("concentration1") - 1.0) * digamma(p("concentration1")) -
         (p("concentration0") - 1.0) * digamma(p("concentration0")) +
         (p("total_concentration") - 2.0) * digamma(p("total_concentration"));
}

Output Beta::do_mean() { return p("concentration1") / p("total_concentration"); }

Output Beta::do_variance() {
  const Formula mean([this] { return ask(Question::kMean); });
  return mean * (1.0 - mean) / (1.0 + p("total_concentration"));
}

Output Beta::do_mode() {
  const Output mode = (p("concentration1") - 1.0) / (p("total_concentration") - 2.0);
  if (allow_nan_stats()) {
    const Output nan = filled(batch_shape_tensor(), dtype(), std::nan(""), "nan");
    const Output is_defined =
        node("LogicalAnd", {p("concentration1") > 1.0, p("concentration0") > 1.0});
    return where(Formula(is_defined), mode, nan);
  }
  Node& first = debugging::assert_less(one(dtype()), concentration1(),
                                       {.message = "Mode undefined for concentration1 <= 1."});
  Node& second = debugging::assert_less(one(dtype()), concentration0(),
                                        {.message = "Mode undefined for concentration0 <= 1."});
  return checked({&first, &second}, mode);
}

// --- Bernoulli -----------------------------------------------------------------------------------

Bernoulli::Bernoulli(const BernoulliOptions& options, std::source_location at) {
  const Block in(options.name, "Bernoulli", at);
  batch_parameters_ = {"logits"};
  const LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, false, options.validate_args);
  add_parameter("logits", both.logits);
  add_parameter("probs", both.probs);
  set_up(setup_here(options.dtype, NOT_REPARAMETERIZED, options.validate_args,
                    options.allow_nan_stats));
}

Output Bernoulli::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output shape = shape_with(n, batch_shape_tensor());
  const Output uniform = random_uniform(Input(shape), {.dtype = probs().dtype(), .seed = seed});
  return cast(raw::Less(uniform, probs()), dtype());
}

Output Bernoulli::do_log_prob(Output value) {
  Output event = validate_args() ? with_cast_checked(value, DType::boolean) : value;
  event = cast(event, logits().dtype());
  Output wide = logits();
  const bool is_same = event.shape().is_full() && event.shape() == wide.shape();
  if (!is_same) {
    const Output narrow = wide;
    wide = Formula(ones_like(event)) * narrow;
    event = Formula(ones_like(narrow)) * event;
  }
  return -Formula(nn::sigmoid_cross_entropy_with_logits(event, wide));
}

Output Bernoulli::do_entropy() {
  return -p("logits") * (sigmoid(p("logits")) - 1.0) + softplus(-p("logits"));
}
Output Bernoulli::do_mean() { return identity(p("probs")); }
Output Bernoulli::do_variance() {
  const Formula mean = ask(Question::kMean);
  return mean * (1.0 - p("probs"));
}
Output Bernoulli::do_mode() { return cast(Output(p("probs") > 0.5), dtype()); }

}  // namespace rill::distributions
