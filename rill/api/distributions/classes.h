#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions over classes, which lie along the last dimension of their parameters, and over the
// numbers of times that classes come up.

struct CategoricalDistributionOptions {
  std::optional<Input> logits{}, probs{};  // one of them
  DType dtype = DType::i32;
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
class Categorical : public Distribution {
 public:
  explicit Categorical(const CategoricalDistributionOptions& options,
                       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Categorical"; }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }
  Output event_size() const { return parameter("event_size"); }

  PartialShape do_batch_shape() const override;
  PartialShape do_event_shape() const override { return PartialShape::scalar(); }
  Output do_batch_shape_tensor() override;
  Output do_event_shape_tensor() override;
  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output k) override;
  Output do_cdf(Output k) override;
  Output do_entropy() override;
  Output do_mode() override;

 private:
  // The classes and a parameter, broadcast to one shape.
  struct Broadcast {
    Output event, parameters;
  };
  Broadcast broadcast_to_event(Output event, Output parameters) const;

  Output batch_rank_, batch_dims_;
};

// Over vectors: the batch is what `vectors_` has but for its last dimension.
class VectorDistribution : public Distribution {
 public:
  PartialShape do_batch_shape() const override;
  PartialShape do_event_shape() const override;
  Output do_batch_shape_tensor() override;
  Output do_event_shape_tensor() override;

 protected:
  Output class_count();                  // as a scalar of int32
  Formula centred_covariance(Output x);  // -x x', with the variance on the diagonal

  Output vectors_;
  Output totals_;  // has the batch's shape; empty where only `vectors_` tells it
};

class Dirichlet : public VectorDistribution {
 public:
  explicit Dirichlet(const Input& concentration, const DistributionOptions& options = {},
                     std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Dirichlet"; }
  Output concentration() const { return parameter("concentration"); }
  Output total_concentration() const { return parameter("total_concentration"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output x) override;
  Output do_prob(Output x) override;
  Output do_entropy() override;
  Output do_mean() override;
  Output do_covariance() override;
  Output do_variance() override;
  Output do_mode() override;

 private:
  Formula variance_scale() const;
  Output valid_sample(Output x) const;
};

class DirichletMultinomial : public VectorDistribution {
 public:
  DirichletMultinomial(const Input& total_count, const Input& concentration,
                       const DistributionOptions& options = {},
                       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "DirichletMultinomial"; }
  Output total_count() const { return parameter("total_count"); }
  Output concentration() const { return parameter("concentration"); }
  Output total_concentration() const { return parameter("total_concentration"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output counts) override;
  Output do_prob(Output counts) override;
  Output do_mean() override;
  Output do_covariance() override;
  Output do_variance() override;

 private:
  Formula variance_scale() const;
};

struct MultinomialOptions {
  std::optional<Input> logits{}, probs{};  // one of them
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
class Multinomial : public VectorDistribution {
 public:
  Multinomial(const Input& total_count, const MultinomialOptions& options,
              std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Multinomial"; }
  Output total_count() const { return parameter("total_count"); }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }

  Output do_sample_n(const Input& n, std::optional<std::int64_t> seed) override;
  Output do_log_prob(Output counts) override;
  Output do_mean() override;
  Output do_covariance() override;
  Output do_variance() override;

 private:
  Output valid_sample(Output counts) const;
  Formula all_probs() const;
};

}  // namespace rill::distributions
