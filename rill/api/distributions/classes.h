#pragma once

#include "rill/api/distributions/distribution.h"

namespace rill::distributions {

// Distributions over classes, which lie along the last dimension of their parameters, and over the
// numbers of times that classes come up. The other dimensions are the batch.
//
//   distributions::Categorical d({.logits = net});  // [batch, classes]
//   Output action = d.sample(), score = d.log_prob(action);

// Exactly one of `logits` and `probs` is given; the other is derived. Logits need not be
// normalised. `dtype` is that of samples and the mode.
struct CategoricalDistributionOptions {
  OptionalInput logits{}, probs{};  // one of them
  DType dtype = DType::i32;
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// One class number k in [0, event_size). Throws InvalidArgument when none or both of the parameters
// are given, and for parameters of no floating-point type.
//
// cdf(k) is P[X < k], without k itself: TensorFlow's quirk, kept. A float k is cut to int32. A k
// that is no class fails the step in log_prob, in the cross entropy's kernel. There is no mean or
// variance: class numbers are labels.
class Categorical : public Distribution {
 public:
  explicit Categorical(const CategoricalDistributionOptions& options,
                       std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Categorical"; }
  Output logits() const { return parameter("logits"); }
  Output probs() const { return parameter("probs"); }
  // The number of classes, a scalar of int32.
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
  // The class numbers and a parameter [..., classes], each repeated to a common shape; as they are
  // where the shapes fit already. Throws InvalidArgument for a `value` that is no number.
  struct Broadcast {
    Output event, parameters;
  };
  Broadcast broadcast_to_event(Output event, Output parameters) const;

  Output batch_rank_, batch_dims_;
};

// Distributions over vectors: the batch is what `vectors_` has but for its last dimension.
// Constructors of subclasses set `vectors_` to a tensor of the full shape [batch, k].
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

// Over vectors of positive numbers that sum to 1: p(x) = prod(x_i^(c_i - 1)) / B(c), c =
// concentration. Samples are gamma numbers over their sum and are fully reparameterized. With
// validate_args, concentrations must be positive and two or more, and values must be positive and
// sum to 1. The mode exists where all c_i > 1; elsewhere it is NaN, or the step fails without
// allow_nan_stats.
class Dirichlet : public VectorDistribution {
 public:
  explicit Dirichlet(const Input& concentration, const DistributionOptions& options = {},
                     std::source_location at = std::source_location::current());
  std::string type_name() const override { return "Dirichlet"; }
  Output concentration() const { return parameter("concentration"); }
  // The sum over the last dimension.
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
  // 1 / sqrt(1 + total); the covariance is its square times (diag(m) - m m'), m the mean.
  Formula variance_scale() const;
  Output valid_sample(Output x) const;
};

// How often each class comes up in `total_count` draws whose probabilities are drawn from
// Dirichlet(concentration) first. Its variance is the multinomial's times (n + total) / (1 +
// total), n = total_count.
//
// `total_count` is a float tensor of the type of `concentration`: counts are floats, as in
// TensorFlow. Samples need a scalar total_count, since one op draws for the whole batch. With
// validate_args the counts asked about must be whole and sum to total_count.
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

// Exactly one of `logits` and `probs` is given; the other is derived.
struct MultinomialOptions {
  OptionalInput logits{}, probs{};  // one of them
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};
// How often each class comes up in `total_count` independent draws: p(counts) = n! /
// prod(counts_i!) * prod(p_i^counts_i). mean = n p, covariance = n (diag(p) - p p'). Counts,
// total_count and probabilities are floats of one type. total_count may differ along the batch:
// samples are drawn by a loop over it, which is slow for large batches. Throws InvalidArgument when
// none or both of logits and probs are given. With validate_args counts must be whole and sum to
// total_count.
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
  // The probabilities, repeated to the shape of total_count.
  Formula all_probs() const;
};

}  // namespace rill::distributions
