#pragma once

#include "rill/api/distributions/classes.h"

namespace rill::distributions::contrib {

struct OneHotCategoricalOptions {
  OptionalInput logits{}, probs{};  // one of them; the last dimension is that of the classes
  DType dtype = DType::i32;         // of samples
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// Categorical whose samples are vectors with a 1 in the place of the class.
class OneHotCategorical : public VectorDistribution {
 public:
  explicit OneHotCategorical(const OneHotCategoricalOptions& options,
                             std::source_location at = std::source_location::current());
  std::string type_name() const override { return "OneHotCategorical"; }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_variance() override;
  Output do_mode() override;
};

// What is not given: loc 0, scale_tril the identity. The constructor throws InvalidArgument when
// neither is.
struct MultivariateNormalTriLOptions {
  OptionalInput loc{}, scale_tril{};
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// Normal vectors whose covariance is L L', L = scale_tril: a lower triangular matrix with a
// diagonal without zeros, which validate_args checks. What is above the diagonal is not looked at.
class MultivariateNormalTriL : public VectorDistribution {
 public:
  explicit MultivariateNormalTriL(const MultivariateNormalTriLOptions& options,
                                  std::source_location at = std::source_location::current());
  std::string type_name() const override { return "MultivariateNormalTriL"; }
  Output loc() const { return parameter("loc"); }
  Output scale_tril() const { return parameter("scale_tril"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_covariance() override;
  Output do_variance() override;
  Output do_mode() override { return ask(Question::kMean); }

 private:
  Formula log_determinant();  // of the scale
};

}  // namespace rill::distributions::contrib
