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

// The base class of all distributions. A program uses the classes of numbers.h, location_scale.h,
// classes.h and contrib.h:
//
//   distributions::Normal prior(0.0, constant({1.0F, 2.0F}));  // a batch of two
//   Output x = prior.sample({10}, {.seed = 7});                // [10, 2]
//   Output loss = -reduce_mean(prior.log_prob(x));
//
// Nothing is computed when a function is called: it adds nodes to the default graph. Errors of
// values therefore come when a step runs, errors of types and shapes when the node is made.
namespace rill::distributions {

using formula::Formula;

// Whether gradients flow through samples to the parameters.
// kFullyReparameterized: a sample is a differentiable function of the parameters and of noise that
// does not depend on them, so gradients() reaches the parameters. kNotReparameterized: samples are
// drawn by an op without a gradient; programs need a score-function estimator instead.
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
// The names that TensorFlow's methods have; they are also the default names of the name scopes in
// which the answers are built. question_of() gives nothing for a name that is none of them.
const char* name_of(Question question);  // "log_prob"
std::optional<Question> question_of(std::string_view name);

class Distribution;

// What a class of another language, a Python class that inherits from tf.distributions.Normal, say,
// answers in place of its C++ class. Distribution asks it before its own do_... functions.
class ForeignDistribution {
 public:
  virtual ~ForeignDistribution() = default;
  virtual std::string type_name() const = 0;
  // Nothing where the class has no answer of its own; throws Unimplemented where that one gives up.
  virtual std::optional<Output> answer(Question question, const Inputs& arguments,
                                       std::optional<std::int64_t> seed) = 0;
  // The static event or batch shape; nothing where the C++ class is to answer.
  virtual std::optional<PartialShape> shape(bool of_event) = 0;
  // The cross entropy with `other`, or else the KL divergence from it; nothing as above.
  virtual std::optional<Output> compare(bool cross_entropy, Distribution& other) = 0;
};

// `name` is the innermost name scope of the nodes; empty means the function's own name. It stands
// inside of the distribution's scope: d.mean() of Normal/ makes Normal/mean/...
struct CallOptions {
  std::string name{};
};
// Without a seed the samples depend on the graph's seed; without that one too they differ from
// session to session. See random/random_ops.h.
struct SampleOptions {
  std::optional<std::int64_t> seed{};
  std::string name{};
};

// A distribution over tensors. `event_shape` is the shape of one sample, `batch_shape` that of the
// distributions which are held side by side: MultivariateNormalDiag over [5, 3] is a batch of 5
// distributions over vectors of 3. Tensors have the sample's dimensions first, then the batch's,
// then the event's.
//
// A subclass defines some of the do_... functions. What follows from others need not be defined:
// prob and log_prob, cdf and log_cdf, variance and stddev follow from each other, the survival
// functions from the cdf. A question that stays without an answer throws Unimplemented with the
// names of the question and the class.
//
// The object refers to nodes of a graph and must not outlive it.
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
  // Ends in a slash, so that later calls enter the same scope again instead of a new one.
  const std::string& name() const { return setup_.name; }  // the name scope: "Normal/"
  // The type of samples. The probabilities of discrete distributions have the type of the
  // parameters instead: Bernoulli has samples of int32 and probabilities of float32.
  DType dtype() const { return setup_.dtype; }
  ReparameterizationType reparameterization_type() const { return setup_.reparameterization_type; }
  bool allow_nan_stats() const { return setup_.allow_nan_stats; }
  bool validate_args() const { return setup_.validate_args; }

  // What is known while the graph is built; dimensions or even the rank may be unknown. The
  // ..._tensor forms give the full shape in a step, as a vector of int32, a constant where all is
  // known.
  PartialShape batch_shape() const;
  PartialShape event_shape() const;
  Output batch_shape_tensor(const CallOptions& options = {},
                            std::source_location at = std::source_location::current());
  Output event_shape_tensor(const CallOptions& options = {},
                            std::source_location at = std::source_location::current());
  // Scalars of bool, a constant where the rank is known now.
  Output is_scalar_event(const CallOptions& options = {},
                         std::source_location at = std::source_location::current());
  Output is_scalar_batch(const CallOptions& options = {},
                         std::source_location at = std::source_location::current());

  // Samples of the shape [sample_shape, batch_shape, event_shape]; without a shape, one sample of
  // each distribution of the batch. A number is a shape of one dimension. Throws InvalidArgument
  // where `sample_shape` has more than one dimension, Unimplemented where the class cannot draw.
  Output sample(const ShapeInput& sample_shape = {}, const SampleOptions& options = {},
                std::source_location at = std::source_location::current());

  // The answer to any question but those about shapes and samples, for faces that have the question
  // as a value; programs call the functions below. `value` is converted to dtype() unless it is a
  // tensor. Throws Unimplemented when neither this class nor a related answer has one, Internal for
  // kSampleN.
  Output answer(Question question, const OptionalInput& value = {}, const CallOptions& options = {},
                std::source_location at = std::source_location::current());

  using At = std::source_location;
  // Of density or mass at x. x is broadcast against the batch. With validate_args the step fails
  // where x is outside of the distribution's support; without, the formula is applied to it all the
  // same.
  Output log_prob(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogProb, x, o, at);
  }
  Output prob(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kProb, x, o, at);
  }
  // P[X <= x]. Categorical leaves x itself out.
  Output log_cdf(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogCdf, x, o, at);
  }
  Output cdf(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kCdf, x, o, at);
  }
  // P[X > x]; from 1 - cdf(x), log1p(-cdf(x)), where a class has no better formula of its own.
  Output log_survival_function(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kLogSurvival, x, o, at);
  }
  Output survival_function(const Input& x, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kSurvival, x, o, at);
  }
  // The x with cdf(x) = p. Of the classes that come with the library only Normal has one.
  Output quantile(const Input& p, const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kQuantile, p, o, at);
  }
  // In nats.
  Output entropy(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kEntropy, {}, o, at);
  }
  Output mean(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kMean, {}, o, at);
  }
  // Where a moment does not exist it is NaN, or the step fails if allow_nan_stats is false. Only
  // some classes make the check: see StudentT, Gamma, Beta and Dirichlet.
  Output variance(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kVariance, {}, o, at);
  }
  Output stddev(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kStddev, {}, o, at);
  }
  // [batch_shape, k, k] for distributions over vectors; scalar distributions have none.
  Output covariance(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kCovariance, {}, o, at);
  }
  Output mode(const CallOptions& o = {}, At at = At::current()) {
    return answer(Question::kMode, {}, o, at);
  }
  // KL(this || other) = E[log p(x) - log q(x)] under this one's x; by the function that is
  // registered for the two classes (kullback_leibler.h), Unimplemented where there is none. The
  // cross entropy is entropy() + KL, so it needs both.
  Output kl_divergence(Distribution& other, const CallOptions& o = {}, At at = At::current());
  Output cross_entropy(Distribution& other, const CallOptions& o = {}, At at = At::current());

  // The tensors of the parameters, those that are derived too: Bernoulli has "logits" and "probs",
  // whichever was given. Throws InvalidArgument when there is none of that name.
  Output parameter(std::string_view name) const;
  const std::vector<std::pair<std::string, Output>>& parameter_tensors() const {
    return parameters_;
  }

  // --- what subclasses define ---
  // They are called inside of the name scopes already, with `value` converted. They may call ask()
  // for other answers. The defaults throw Unimplemented, which is how answer() learns to try the
  // related question.
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
  // The defaults are an unknown shape; batch_shape_tensor() then asks do_batch_shape_tensor().
  virtual PartialShape do_batch_shape() const { return {}; }
  virtual PartialShape do_event_shape() const { return {}; }
  virtual Output do_batch_shape_tensor() { return none(Question::kBatchShapeTensor); }
  virtual Output do_event_shape_tensor() { return none(Question::kEventShapeTensor); }
  virtual Output do_kl_divergence(Distribution& other);  // by the function that is registered
  virtual Output do_cross_entropy(Distribution& other);
  // The answer of this C++ class: no foreign class is asked, no name scope entered. For a foreign
  // class that calls the method that it overrides.
  Output own_answer(Question question, Output value = {});

  // Set by a face of another language; must outlive this object. Null in C++ programs.
  ForeignDistribution* foreign = nullptr;  // not owned

 protected:
  // For classes whose type follows from their parameters, which are made inside of the
  // distribution's own name scope; they call set_up there. Until then name() is empty.
  Distribution() = default;
  void set_up(Setup setup);
  void add_parameter(std::string name, Output tensor) {
    parameters_.emplace_back(std::move(name), tensor);
  }
  // The answer of the foreign subclass where it has one, else one's own. Functions of one class ask
  // each other in this way, so that what a subclass overrides is used by all.
  Output ask(Question question, Output value = {});
  Formula p(std::string_view name) const { return parameter(name); }  // in formulas

  // The name scopes of one function's nodes: the distribution's, then the call's.
  class Inside {
   public:
    Inside(const Distribution& d, const std::string& name, const char* otherwise, At at)
        : own_(d.name(), "", at), call_(name, otherwise, at) {}

   private:
    Block own_, call_;
  };

 private:
  [[noreturn]] Output none(Question question) const;  // throws Unimplemented
  // ask(), and where that throws Unimplemented, the formula from the related question.
  Output resolved(Question question, Output value);
  Output shape_of(bool of_event, const CallOptions& options, At at);
  Output is_scalar(bool of_event, const CallOptions& options, At at);
  Output with_known_shape(Output samples, const std::optional<Shape>& sample_shape) const;

  Setup setup_;
  std::vector<std::pair<std::string, Output>> parameters_;
};

// The options that all distributions have; the fields mean what they do in Distribution::Setup. An
// empty name means that of the class. validate_args is off by default, since the checks cost time
// in every step. Where the values are constants, a check that fails throws already in the
// constructor.
struct DistributionOptions {
  bool validate_args = false, allow_nan_stats = true;
  std::string name{};
};

// Events that are numbers. The batch shape is the broadcast of the shapes of `batch_parameters_`,
// which a subclass names in its constructor.
class ScalarDistribution : public Distribution {
 public:
  PartialShape do_batch_shape() const override;
  PartialShape do_event_shape() const override { return PartialShape::scalar(); }
  Output do_batch_shape_tensor() override;
  Output do_event_shape_tensor() override;

 protected:
  std::vector<const char*> batch_parameters_;
};

// The shapes that parameters must have so that a sample has `sample_shape`: for scalar
// distributions, that very shape for each of them. Used to make variables before the distribution
// is: param_shapes<Normal>({2, 3}) has "loc" and "scale".
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
