#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions of numbers that have bounds. Constructors throw InvalidArgument unless parameters
// are floats of one type.

class Uniform : public ScalarDistribution {
 public:
  explicit Uniform(const Input& low = 0.0, const Input& high = 1.0,
                   const DistributionOptions& options = {},
                   std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Uniform"; }
  static std::vector<const char*> shaped_parameters() { return {"low", "high"}; }
  Output low() const { return parameter("low"); }
  Output high() const { return parameter("high"); }
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
  void take(const Input& concentration, const Input& rate, const DistributionOptions& options);

 private:
  Output valid_sample(Output x) const;
};

class Exponential : public Gamma {
 public:
  explicit Exponential(const Input& rate, const DistributionOptions& options = {},
                       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Exponential"; }
  static std::vector<const char*> shaped_parameters() { return {"rate"}; }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_survival_function(Output x) override;
};

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
  Formula log_normalization() const;

 private:
  Output valid_sample(Output x) const;
};

struct BernoulliOptions {
  std::optional<Input> logits{}, probs{};  // one of them
  DType dtype = DType::i32;
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
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
