#pragma once

#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/location_scale.h"

namespace rill::distributions::contrib {

// Distributions that TensorFlow 1.x has in tf.contrib.distributions only. Constructors throw
// InvalidArgument unless parameters are tensors of one floating-point type.

// Exactly one of `rate` and `log_rate` is given; a network had better give log_rate, which may be
// any number. The constructor throws InvalidArgument when none or both are.
struct PoissonOptions {
  OptionalInput rate{}, log_rate{};     // one of them
  bool interpolate_nondiscrete = true;  // values between whole numbers have probabilities, too
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// How many events happen in a unit of time: p(x) = rate^x exp(-rate) / x!. Samples are floats of
// the type of the rate. mean = variance = rate, mode = floor(rate).
//
// The factorial is computed by lgamma, so the formula also takes an x between whole numbers.
// Without interpolate_nondiscrete such an x, or one below 0, has probability 0 and the cdf takes
// floor(x). With validate_args it fails the step.
class Poisson : public ScalarDistribution {
 public:
  explicit Poisson(const PoissonOptions& options,
                   std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Poisson"; }
  Output rate() const { return parameter("rate"); }
  Output log_rate() const { return parameter("log_rate"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_cdf(Output x) override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;

 private:
  Output valid_sample(Output x) const;

  bool interpolates_;
};

// How many failures come before the first success: p(x) = (1 - p)^x p for x = 0, 1, ... It takes
// the options of Multinomial: logits or probs of a success. mean = exp(-logits) = (1 - p) / p, the
// mode is always 0. cdf takes floor(x) and is 0 below 0. With validate_args x must be whole and not
// negative, and p positive.
class Geometric : public ScalarDistribution {
 public:
  explicit Geometric(const MultinomialOptions& options,
                     std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Geometric"; }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;

 private:
  Output valid_sample(Output x) const;
};

// cdf(x) = sigmoid(z), z = (x - loc) / scale; heavier tails than Normal. stddev = scale pi /
// sqrt(3), entropy = 2 + log(scale). Samples are log(u / (1 - u)) of a uniform u.
class Logistic : public LocationScale {
 public:
  Logistic(const Input& loc, const Input& scale, const DistributionOptions& options = {},
           std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Logistic"; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_cdf(Output x) override;
  Output do_cdf(Output x) override;
  Output do_log_survival_function(Output x) override;
  Output do_survival_function(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_stddev() override;
  Output do_mode() override { return ask(Question::kMean); }

 protected:
  Output log_unnormalized_prob(Output x) override;
  Output log_normalization() override;

 private:
  Formula z(Output x) const { return (Formula(x) - p("loc")) / p("scale"); }
};

// The standard deviations are scale_diag + scale_identity_multiplier (which has the batch's shape
// alone). What is not given: loc 0, scale_diag 1 without a multiplier, else 0. One of loc and
// scale_diag is needed to say how long vectors are, else the constructor throws InvalidArgument.
struct MultivariateNormalDiagOptions {
  OptionalInput loc{}, scale_diag{}, scale_identity_multiplier{};
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// Vectors of independent normal numbers. The batch shape and k come from loc and scale_diag,
// broadcast. Entries of the scale may be negative: only their sizes count. With validate_args they
// must not be 0. log_prob is the sum over the last dimension.
class MultivariateNormalDiag : public VectorDistribution {
 public:
  explicit MultivariateNormalDiag(const MultivariateNormalDiagOptions& options,
                                  std::source_location at = std::source_location::current());
  std::string type_name() const override { return "MultivariateNormalDiag"; }
  Output loc() const { return parameter("loc"); }
  Output scale_diag() const { return parameter("scale_diag"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_covariance() override;
  Output do_variance() override;
  Output do_stddev() override;
  Output do_mode() override { return ask(Question::kMean); }
};

}  // namespace rill::distributions::contrib
