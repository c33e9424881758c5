#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/shape_input.h"
#include "rill/api/math/formula.h"

namespace rill::distributions {

using formula::Formula;

// Whether gradients flow through samples to the parameters.
enum class ReparameterizationType { kNotReparameterized, kFullyReparameterized };
inline constexpr auto NOT_REPARAMETERIZED = ReparameterizationType::kNotReparameterized;
inline constexpr auto FULLY_REPARAMETERIZED = ReparameterizationType::kFullyReparameterized;

// The questions that a distribution answers with one tensor; the first ones are about a value.
enum class Question {
  kLogProb,
  kProb,
  kLogCdf,
  kCdf,
  kLogSurvival,
  kSurvival,
  kQuantile,
  kEntropy,
  kMean,
  kVariance,
  kStddev,
  kCovariance,
  kMode,
  kSampleN,
  kBatchShapeTensor,
  kEventShapeTensor,
};
const char* name_of(Question question);  // "log_prob"
std::optional<Question> question_of(std::string_view name);

class Distribution;

// What a class of another language answers in place of the C++ class that it inherits from.
class ForeignDistribution {
 public:
  virtual ~ForeignDistribution() = default;
  virtual std::string type_name() const = 0;
  // Nothing where the class has no answer of its own; throws Unimplemented where that one gives up.
  virtual std::optional<Output> answer(Question question, const std::vector<Input>& arguments,
                                       std::optional<std::int64_t> seed) = 0;
  virtual std::optional<PartialShape> shape(bool of_event) = 0;
  virtual std::optional<Output> compare(bool cross_entropy, Distribution& other) = 0;
};

struct CallOptions {
  std::string name{};
};
struct SampleOptions {
  std::optional<std::int64_t> seed{};
  std::string name{};
};

// A distribution over tensors: `event_shape` is that of one sample, `batch_shape` that of the
// distributions which are held side by side. Subclasses answer some of the do_... questions; what
// follows from others, as prob from log_prob, need not be answered.
class Distribution {
 public:
  struct Setup {
    DType dtype = DType::f32;
    ReparameterizationType reparameterization_type = NOT_REPARAMETERIZED;
    bool validate_args = false;   // values and parameters are checked when the step runs
    bool allow_nan_stats = true;  // what is undefined is NaN; else the step fails
    std::string name{};           // a name that ends in '/' is taken as it is
  };
  explicit Distribution(const Setup& setup,
                        std::source_location at = std::source_location::current());
  virtual ~Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  virtual std::string type_name() const { return "Distribution"; }
  const std::string& name() const { return setup_.name; }  // the name scope: "Normal/"
  DType dtype() const { return setup_.dtype; }
  ReparameterizationType reparameterization_type() const { return setup_.reparameterization_type; }
  bool allow_nan_stats() const { return setup_.allow_nan_stats; }
  bool validate_args() const { return setup_.validate_args; }

  PartialShape batch_shape() const;
  PartialShape event_shape() const;
  Output batch_shape_tensor(const CallOptions& options = {},
                            std::source_location at = std::source_location::current());
  Output event_shape_tensor(const CallOptions& options = {},
                            std::source_location at = std::source_location::current());
  Output is_scalar_event(const CallOptions& options = {},
                         std::source_location at = std::source_location::current());
  Output is_scalar_batch(const CallOptions& options = {},
                         std::source_location at = std::source_location::current());

  // [sample_shape, batch_shape, event_shape]
  Output sample(const ShapeInput& sample_shape = {}, const SampleOptions& options = {},
                std::source_location at = std::source_location::current());

  // The answer to any question but those about shapes and samples. Throws Unimplemented when the
  // distribution has none.
  Output answer(Question question, const std::optional<Input>& value = {},
                const CallOptions& options = {},
                std::source_location at = std::source_location::current());

  using At = std::source_location;
  Output log_prob(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogProb, x, o, at);
  }
  Output prob(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kProb, x, o, at);
  }
  Output log_cdf(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogCdf, x, o, at);
  }
  Output cdf(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kCdf, x, o, at);
  }
  Output log_survival_function(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogSurvival, x, o, at);
  }
  Output survival_function(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kSurvival, x, o, at);
  }
  Output quantile(const Input& p, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kQuantile, p, o, at);
  }
  Output entropy(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kEntropy, {}, o, at);
  }
  Output mean(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kMean, {}, o, at);
  }
  Output variance(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kVariance, {}, o, at);
  }
  Output stddev(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kStddev, {}, o, at);
  }
  Output covariance(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kCovariance, {}, o, at);
  }
  Output mode(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kMode, {}, o, at);
  }
  // How far `other` is from this one, and what coding this one's samples for it costs.
  Output kl_divergence(Distribution& other, const CallOptions& o = {}, At at = At::current());
  Output cross_entropy(Distribution& other, const CallOptions& o = {}, At at = At::current());

  // The tensors of the parameters, by their names; throws InvalidArgument when there is none such.
  Output parameter(std::string_view name) const;
  const std::vector<std::pair<std::string, Output>>& parameter_tensors() const {
    return parameters_;
  }

  // --- what subclasses define ---
  virtual Output do_log_prob(Output /*value*/) { return none(Question::kLogProb); }
  virtual Output do_prob(Output /*value*/) { return none(Question::kProb); }
  virtual Output do_log_cdf(Output /*value*/) { return none(Question::kLogCdf); }
  virtual Output do_cdf(Output /*value*/) { return none(Question::kCdf); }
  virtual Output do_log_survival_function(Output /*value*/) { return none(Question::kLogSurvival); }
  virtual Output do_survival_function(Output /*value*/) { return none(Question::kSurvival); }
  virtual Output do_quantile(Output /*value*/) { return none(Question::kQuantile); }
  virtual Output do_entropy() { return none(Question::kEntropy); }
  virtual Output do_mean() { return none(Question::kMean); }
  virtual Output do_variance() { return none(Question::kVariance); }
  virtual Output do_stddev() { return none(Question::kStddev); }
  virtual Output do_covariance() { return none(Question::kCovariance); }
  virtual Output do_mode() { return none(Question::kMode); }
  // [n, batch_shape, event_shape]; n is a number or a scalar tensor of int32.
  virtual Output do_sample_n(const Input& /*n*/, std::optional<std::int64_t> /*seed*/) {
    return none(Question::kSampleN);
  }
  virtual PartialShape do_batch_shape() const { return {}; }
  virtual PartialShape do_event_shape() const { return {}; }
  virtual Output do_batch_shape_tensor() { return none(Question::kBatchShapeTensor); }
  virtual Output do_event_shape_tensor() { return none(Question::kEventShapeTensor); }
  virtual Output do_kl_divergence(Distribution& other);  // by the function that is registered
  virtual Output do_cross_entropy(Distribution& other);
  // The answer of this C++ class, with nothing around it.
  Output own_answer(Question question, Output value = {});

  ForeignDistribution* foreign = nullptr;  // not owned

 protected:
  // For classes whose type follows from their parameters; they call set_up in their scope.
  Distribution() = default;
  void set_up(Setup setup);
  void add_parameter(std::string name, Output tensor) {
    parameters_.emplace_back(std::move(name), tensor);
  }
  // One's own answer, or that of a foreign subclass, which comes first. With a subclass in between,
  // functions ask each other in this way.
  Output ask(Question question, Output value = {});
  Formula p(std::string_view name) const { return parameter(name); }  // in formulas

  // The name scopes that a function's nodes stand in.
  class Inside {
   public:
    Inside(const Distribution& d, const std::string& name, const char* otherwise, At at)
        : own_(d.name(), "", at), call_(name, otherwise, at) {}

   private:
    Block own_, call_;
  };

 private:
  [[noreturn]] Output none(Question question) const;  // throws Unimplemented
  Output resolved(Question question, Output value);
  Output shape_of(bool of_event, const CallOptions& options, At at);
  Output is_scalar(bool of_event, const CallOptions& options, At at);
  Output with_known_shape(Output samples, const std::optional<Shape>& sample_shape) const;

  Setup setup_;
  std::vector<std::pair<std::string, Output>> parameters_;
};

// The options that all distributions have.
struct DistributionOptions {
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};

// Events that are numbers. The parameters of the batch are those whose shapes, broadcast, are its
// shape.
class ScalarDistribution : public Distribution {
 public:
  PartialShape do_batch_shape() const override;
  PartialShape do_event_shape() const override { return PartialShape::scalar(); }
  Output do_batch_shape_tensor() override;
  Output do_event_shape_tensor() override;

 protected:
  std::vector<const char*> batch_parameters_;
};

// The shapes of these parameters of a distribution whose batch has a shape; for a class that says
// which they are: param_shapes<Normal>({2, 3}).
std::map<std::string, Output> param_shapes(
    const std::vector<const char*>& parameters, const ShapeInput& sample_shape,
    const CallOptions& options = {}, std::source_location at = std::source_location::current());
template <class Class>
std::map<std::string, Output> param_shapes(
    const ShapeInput& sample_shape, const CallOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return param_shapes(Class::shaped_parameters(), sample_shape, options, at);
}

}  // namespace rill::distributions
