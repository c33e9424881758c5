#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions of numbers with a place and a width. Parameters must be floats of one type;
// constructors throw InvalidArgument otherwise.
class LocationScale : public ScalarDistribution {
 public:
  Output loc() const { return parameter("loc"); }
  Output scale() const { return parameter("scale"); }
  static std::vector<const char*> shaped_parameters() { return {"loc", "scale"}; }
  Output do_log_prob(Output x) override;

 protected:
  LocationScale() { batch_parameters_ = {"loc", "scale"}; }
  // Makes the parameters in the current scope, after checking that one of them is positive.
  void take(const std::vector<std::pair<const char*, Input>>& parameters, const Input& positive,
            const DistributionOptions& options);
  virtual Output log_unnormalized_prob(Output x) = 0;
  virtual Output log_normalization() = 0;
};

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
  Output standardized(Output x);
};

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
