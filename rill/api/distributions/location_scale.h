#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions of numbers x = loc + scale * z with a fixed distribution of z. Parameters must be
// tensors of one floating-point type, else constructors throw InvalidArgument; numbers become
// float32. Their shapes are broadcast to the batch shape. Samples are fully reparameterized.
//
// With validate_args, `scale` must be positive (for StudentT it is `df`, as in TensorFlow, whose
// formulas take |scale|).
class LocationScale : public ScalarDistribution {
 public:
  Output loc() const { return parameter("loc"); }
  Output scale() const { return parameter("scale"); }
  static std::vector<const char*> shaped_parameters() { return {"loc", "scale"}; }
  Output do_log_prob(Output x) override;

 protected:
  LocationScale() { batch_parameters_ = {"loc", "scale"}; }
  // Makes the parameters in the current scope, after the check that `positive` is, and sets up the
  // type.
  void take(const std::vector<std::pair<const char*, Input>>& parameters, const Input& positive,
            const DistributionOptions& options);
  // log_prob(x) is the first less the second; the parts are built in that order, which node names
  // show.
  virtual Output log_unnormalized_prob(Output x) = 0;
  virtual Output log_normalization() = 0;
};

// p(x) = exp(-z^2 / 2) / (sqrt(2 pi) scale), z = (x - loc) / scale. The cdf, its logarithm and the
// quantile come from normal_functions.h and keep their precision in both tails.
//
//   distributions::Normal d(0.0, 1.0);
//   Output tail = d.log_cdf(-30.0);  // about -454, where log(cdf) would be -inf
class Normal : public LocationScale {
 public:
  Normal(const Input& loc, const Input& scale, const DistributionOptions& options = {},
         std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Normal"; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_cdf(Output x) override;
  Output do_cdf(Output x) override;
  Output do_log_survival_function(Output x) override;
  Output do_survival_function(Output x) override;
  Output do_quantile(Output p) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_stddev() override;
  Output do_mode() override { return ask(Question::kMean); }

 protected:
  Output log_unnormalized_prob(Output x) override;
  Output log_normalization() override;

 private:
  // z, in nodes under "standardize".
  Output standardized(Output x);
};

// p(x) = exp(-|z|) / (2 scale), z = (x - loc) / scale. stddev = sqrt(2) scale, entropy = 1 + log(2
// scale). Samples come from one uniform number in (-1, 1): its sign, and log1p of its size. -1 is
// left out, which would give an infinite sample.
class Laplace : public LocationScale {
 public:
  Laplace(const Input& loc, const Input& scale, const DistributionOptions& options = {},
          std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Laplace"; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_prob(Output x) override;
  Output do_log_cdf(Output x) override;
  Output do_cdf(Output x) override;
  Output do_log_survival_function(Output x) override;
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

// p(x) is proportional to (1 + z^2 / df)^(-(df + 1) / 2), z = (x - loc) / scale. The mean exists
// for df > 1, the variance is finite for df > 2 and infinite for 1 < df <= 2. Where they do not
// exist they are NaN, or with allow_nan_stats = false the step fails. A sample is a normal number
// over the root of a gamma number: two draws, the second with a seed derived from the first.
class StudentT : public LocationScale {
 public:
  StudentT(const Input& df, const Input& loc, const Input& scale,
           const DistributionOptions& options = {},
           std::source_location at = std::source_location::current());
  std::string type_name() const override { return "StudentT"; }
  Output df() const { return parameter("df"); }
  static std::vector<const char*> shaped_parameters() { return {"df", "loc", "scale"}; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;

 protected:
  Output log_unnormalized_prob(Output x) override;
  Output log_normalization() override;

 private:
  Output defined_above_one(Output value, const char* what);
};

}  // namespace rill::distributions
