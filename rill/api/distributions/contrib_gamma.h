#pragma once

#include "rill/api/distributions/classes.h"
#include "rill/api/distributions/numbers.h"

namespace rill::distributions::contrib {

// Further distributions of tf.contrib.distributions. Constructors throw InvalidArgument unless
// parameters are tensors of one floating-point type.

// The sum of the squares of `df` standard normal numbers: Gamma(df / 2, 1 / 2).
class Chi2 : public Gamma {
 public:
  explicit Chi2(const Input& df, const DistributionOptions& options = {},
                std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Chi2"; }
  static std::vector<const char*> shaped_parameters() { return {"df"}; }
  Output df() const { return parameter("df"); }
};

// 1 / x of a Gamma-distributed x. The mean exists for a concentration above 1, the variance for one
// above 2: NaN elsewhere, or the step fails without allow_nan_stats. With validate_args parameters
// and the values asked about must be positive.
class InverseGamma : public ScalarDistribution {
 public:
  InverseGamma(const Input& concentration, const Input& rate,
               const DistributionOptions& options = {},
               std::source_location at = std::source_location::current());
  std::string type_name() const override { return "InverseGamma"; }
  static std::vector<const char*> shaped_parameters() { return {"concentration", "rate"}; }
  Output concentration() const { return parameter("concentration"); }
  Output rate() const { return parameter("rate"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_cdf(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;

 private:
  Output valid_sample(Output x) const;
  Output defined_above(double least, Output moment, const char* message);
};

// How many of `total_count` trials succeed. Takes logits or probs of one trial. As in TensorFlow,
// there are no samples. With validate_args counts must be whole and between 0 and total_count.
class Binomial : public ScalarDistribution {
 public:
  Binomial(const Input& total_count, const MultinomialOptions& options,
           std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Binomial"; }
  Output total_count() const { return parameter("total_count"); }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }

  Output do_log_prob(Output counts) override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;

 private:
  Output valid_sample(Output counts) const;
};

}  // namespace rill::distributions::contrib
