#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions of numbers that have bounds, and Bernoulli. Constructors throw InvalidArgument
// unless parameters are tensors of one floating-point type; numbers become float32. Parameters are
// broadcast to the batch shape.

// 1 / (high - low) in [low, high): the upper end is outside. A NaN stays NaN in prob, not 0. With
// validate_args low must be less than high; without, formulas are applied to any ends.
//
//   distributions::Uniform d(0.0, constant({1.0F, 2.0F}));
//   Output p = d.prob(1.5);  // 0, 0.5
class Uniform : public ScalarDistribution {
 public:
  explicit Uniform(const Input& low = 0.0, const Input& high = 1.0,
                   const DistributionOptions& options = {},
                   std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Uniform"; }
  static std::vector<const char*> shaped_parameters() { return {"low", "high"}; }
  Output low() const { return parameter("low"); }
  Output high() const { return parameter("high"); }
  // high - low.
  Output range(const CallOptions& options = {},
               std::source_location at = std::source_location::current());

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_prob(Output x) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_stddev() override;

 private:
  Formula width();
};

// p(x) = rate^k x^(k - 1) exp(-rate x) / Gamma(k) with k = concentration, for x > 0. `rate` is the
// inverse of the scale that other libraries take. With validate_args both parameters and the values
// asked about must be positive. The mode exists for k > 1 only: NaN elsewhere, or the step fails
// without allow_nan_stats. log_prob and cdf throw InvalidArgument for an x of another type.
class Gamma : public ScalarDistribution {
 public:
  Gamma(const Input& concentration, const Input& rate, const DistributionOptions& options = {},
        std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Gamma"; }
  static std::vector<const char*> shaped_parameters() { return {"concentration", "rate"}; }
  Output concentration() const { return parameter("concentration"); }
  Output rate() const { return parameter("rate"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_stddev() override;
  Output do_mode() override;

 protected:
  Gamma() { batch_parameters_ = {"concentration", "rate"}; }
  // Makes the parameters in the current scope, after the checks; for Exponential too.
  void take(const Input& concentration, const Input& rate, const DistributionOptions& options);

 private:
  Output valid_sample(Output x) const;
};

// Gamma with a concentration of 1, which is made as a node outside of the distribution's scope, as
// TensorFlow's graphs have it. Samples are -log(u) / rate; u is never 0, which would be infinite.
class Exponential : public Gamma {
 public:
  explicit Exponential(const Input& rate, const DistributionOptions& options = {},
                       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Exponential"; }
  static std::vector<const char*> shaped_parameters() { return {"rate"}; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_survival_function(Output x) override;
};

// p(x) is proportional to x^(c1 - 1) (1 - x)^(c0 - 1), for 0 < x < 1: concentration1 counts what
// speaks for a 1, concentration0 for a 0. With validate_args both must be positive and values
// inside the open interval. The mode exists only where both exceed 1; as for Gamma. A sample is g1
// / (g1 + g0) of two gamma numbers.
class Beta : public ScalarDistribution {
 public:
  Beta(const Input& concentration1, const Input& concentration0,
       const DistributionOptions& options = {},
       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Beta"; }
  static std::vector<const char*> shaped_parameters() {
    return {"concentration1", "concentration0"};
  }
  Output concentration1() const { return parameter("concentration1"); }
  Output concentration0() const { return parameter("concentration0"); }
  Output total_concentration() const { return parameter("total_concentration"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_prob(Output x) override;
  Output do_log_cdf(Output x) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;
  // log B(c1, c0); public for the KL divergence.
  Formula log_normalization() const;

 private:
  Output valid_sample(Output x) const;
};

// Exactly one of `logits` and `probs` is given; the other is derived. `dtype` is that of samples
// and of the mode.
struct BernoulliOptions {
  OptionalInput logits{}, probs{};  // one of them
  DType dtype = DType::i32;
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// 1 with probability p = sigmoid(logits), else 0. Throws InvalidArgument when none or both of the
// parameters are given, and for parameters of no floating-point type. log_prob is the negative
// sigmoid cross entropy, exact for large logits. Without validate_args x may lie between 0 and 1:
// the logarithm is then interpolated. The mode is 1 where p > 0.5, so 0 for p = 0.5.
class Bernoulli : public ScalarDistribution {
 public:
  explicit Bernoulli(const BernoulliOptions& options,
                     std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Bernoulli"; }
  static std::vector<const char*> shaped_parameters() { return {"logits"}; }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;
};

}  // namespace rill::distributions
