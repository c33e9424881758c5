#pragma once

#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/location_scale.h"

namespace rill::distributions::contrib {

// Distributions that TensorFlow 1.x has in tf.contrib.distributions only.

struct PoissonOptions {
  std::optional<Input> rate{}, log_rate{};  // one of them
  bool interpolate_nondiscrete = true;      // values between whole numbers have probabilities, too
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// How many events happen in a unit of time.
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

// How many failures come before the first success.
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

struct MultivariateNormalDiagOptions {
  std::optional<Input> loc{}, scale_diag{}, scale_identity_multiplier{};
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// Vectors of independent normal numbers.
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
