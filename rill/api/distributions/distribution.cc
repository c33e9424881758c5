#include "rill/api/distributions/distribution.h"

#include <array>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/distributions/kullback_leibler.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::distributions {

using namespace formula;

namespace {

// What stands behind a question: its name, and the question whose answer it follows from by an op.
struct Row {
  const char* name;
  Question other;
  const char* op = nullptr;
};
constexpr std::array kRows = std::to_array<Row>({
    {"log_prob", Question::kProb, "Log"},
    {"prob", Question::kLogProb, "Exp"},
    {"log_cdf", Question::kCdf, "Log"},
    {"cdf", Question::kLogCdf, "Exp"},
    {"log_survival_function", Question::kCdf},
    {"survival_function", Question::kCdf},
    {"quantile", {}},
    {"entropy", {}},
    {"mean", {}},
    {"variance", Question::kStddev, "Square"},
    {"stddev", Question::kVariance, "Sqrt"},
    {"covariance", {}},
    {"mode", {}},
    {"sample_n", {}},
    {"batch_shape_tensor", {}},
    {"event_shape_tensor", {}},
});
const Row& row_of(Question question) { return kRows[static_cast<std::size_t>(question)]; }

// A value takes the distribution's type where it can.
Output value_tensor(const Input& value, DType dtype) {
  return value.is_output() ? value.output() : value.as_output(current_scope(), "value", dtype);
}

template <class First, class Second>
Output first_or(First first, Second second) {
  try {
    return first();
  } catch (const Error& error) {
    if (error.code() != Code::kUnimplemented) throw;
    try {
      return second();
    } catch (const Error& other) {
      if (other.code() != Code::kUnimplemented) throw;
      throw error;  // the first one names what was asked for
    }
  }
}

}  // namespace

const char* name_of(Question question) { return row_of(question).name; }

std::optional<Question> question_of(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<Question>(i);
  return {};
}

Distribution::Distribution(const Setup& setup, At at) {
  Setup named = setup;
  if (named.name.empty() || named.name.back() != '/') {
    const Block in(named.name, "Distribution", at);
    named.name = current_scope().name() + "/";
  }
  set_up(std::move(named));
}

void Distribution::set_up(Setup setup) { setup_ = std::move(setup); }

Output Distribution::parameter(std::string_view name) const {
  for (const auto& [known, tensor] : parameters_)
    if (known == name) return tensor;
  raise(Code::kInvalidArgument, type_name(), " has no parameter ", name);
}

Output Distribution::none(Question question) const {
  raise(Code::kUnimplemented, name_of(question),
        " is not implemented: ", foreign != nullptr ? foreign->type_name() : type_name());
}

Output Distribution::own_answer(Question question, Output value) {
  switch (question) {
    case Question::kLogProb:
      return do_log_prob(value);
    case Question::kProb:
      return do_prob(value);
    case Question::kLogCdf:
      return do_log_cdf(value);
    case Question::kCdf:
      return do_cdf(value);
    case Question::kLogSurvival:
      return do_log_survival_function(value);
    case Question::kSurvival:
      return do_survival_function(value);
    case Question::kQuantile:
      return do_quantile(value);
    case Question::kEntropy:
      return do_entropy();
    case Question::kMean:
      return do_mean();
    case Question::kVariance:
      return do_variance();
    case Question::kStddev:
      return do_stddev();
    case Question::kCovariance:
      return do_covariance();
    case Question::kMode:
      return do_mode();
    case Question::kBatchShapeTensor:
      return do_batch_shape_tensor();
    case Question::kEventShapeTensor:
      return do_event_shape_tensor();
    case Question::kSampleN:
      break;
  }
  raise(Code::kInternal, "samples are asked for with their number");
}

Output Distribution::ask(Question question, Output value) {
  if (foreign != nullptr) {
    std::vector<Input> arguments;
    if (value.node) arguments.emplace_back(value);
    if (const auto found = foreign->answer(question, arguments, {})) return *found;
  }
  return own_answer(question, value);
}

Output Distribution::resolved(Question question, Output value) {
  const Row& row = row_of(question);
  const auto own = [&] { return ask(question, value); };
  if (question == Question::kLogSurvival)
    return first_or(own, [&] { return Output(log1p(-Formula(cdf(value)))); });
  if (question == Question::kSurvival)
    return first_or(own, [&] { return Output(1.0 - Formula(cdf(value))); });
  if (row.op == nullptr) return own();
  return first_or(own,
                  [&] { return current_scope().add(row.op, {ask(row.other, value)}).output(0); });
}

Output Distribution::answer(Question question, const OptionalInput& value,
                            const CallOptions& options, At at) {
  const Inside in(*this, options.name, name_of(question), at);
  return resolved(question, value ? value_tensor(*value, dtype()) : Output());
}

Output Distribution::kl_divergence(Distribution& other, const CallOptions& o, At at) {
  const Inside in(*this, o.name, "kl_divergence", at);
  if (foreign != nullptr)
    if (const auto value = foreign->compare(false, other)) return *value;
  return do_kl_divergence(other);
}

Output Distribution::cross_entropy(Distribution& other, const CallOptions& o, At at) {
  const Inside in(*this, o.name, "cross_entropy", at);
  if (foreign != nullptr)
    if (const auto value = foreign->compare(true, other)) return *value;
  return do_cross_entropy(other);
}

Output Distribution::do_kl_divergence(Distribution& other) {
  return distributions::kl_divergence(*this, other, {.allow_nan_stats = allow_nan_stats()});
}

Output Distribution::do_cross_entropy(Distribution& other) {
  const Block in("", "cross_entropy", {});
  const Formula own = entropy();
  return own + distributions::kl_divergence(*this, other, {.allow_nan_stats = allow_nan_stats()});
}

// --- shapes --------------------------------------------------------------------------------------

PartialShape Distribution::batch_shape() const {
  if (foreign != nullptr)
    if (const auto shape = foreign->shape(false)) return *shape;
  return do_batch_shape();
}
PartialShape Distribution::event_shape() const {
  if (foreign != nullptr)
    if (const auto shape = foreign->shape(true)) return *shape;
  return do_event_shape();
}

Output Distribution::shape_of(bool of_event, const CallOptions& options, At at) {
  const auto question = of_event ? Question::kEventShapeTensor : Question::kBatchShapeTensor;
  const Inside in(*this, options.name, name_of(question), at);
  const PartialShape known = of_event ? event_shape() : batch_shape();
  if (!known.is_full()) return ask(question);
  return as_tensor(shape_tensor(known.full()), of_event ? "event_shape" : "batch_shape");
}
Output Distribution::batch_shape_tensor(const CallOptions& options, At at) {
  return shape_of(false, options, at);
}
Output Distribution::event_shape_tensor(const CallOptions& options, At at) {
  return shape_of(true, options, at);
}

Output Distribution::is_scalar(bool of_event, const CallOptions& options, At at) {
  const char* const name = of_event ? "is_scalar_event" : "is_scalar_batch";
  const Inside in(*this, options.name, name, at);
  const PartialShape known = of_event ? event_shape() : batch_shape();
  if (known.has_rank()) return as_tensor(Input(known.rank() == 0), name);
  const Output dims = shape_of(of_event, {}, at);
  const PartialShape& size = dims.shape();
  if (size.has_rank() && size.dim(0) != kUnknownDim)
    return as_tensor(Input(size.dim(0) == 0), name);
  const Output count = slice(shape(dims), {Input(0)});
  return raw::Equal(count, 0);
}
Output Distribution::is_scalar_event(const CallOptions& options, At at) {
  return is_scalar(true, options, at);
}
Output Distribution::is_scalar_batch(const CallOptions& options, At at) {
  return is_scalar(false, options, at);
}

PartialShape ScalarDistribution::do_batch_shape() const {
  PartialShape all = PartialShape::scalar();
  for (const char* name : batch_parameters_) all = broadcast(all, parameter(name).shape());
  return all;
}

Output ScalarDistribution::do_batch_shape_tensor() {
  std::vector<Output> shapes;
  for (const char* name : batch_parameters_) shapes.push_back(shape(parameter(name)));
  Output all = shapes.back();
  for (std::size_t i = shapes.size() - 1; i > 0; --i) all = raw::BroadcastArgs(shapes[i - 1], all);
  return all;
}

Output ScalarDistribution::do_event_shape_tensor() {
  return constant(Input(shape_tensor(Shape())));
}

std::map<std::string, Output> param_shapes(const std::vector<const char*>& parameters,
                                           const ShapeInput& sample_shape,
                                           const CallOptions& options, std::source_location at) {
  const Block in(options.name, "DistributionParamShapes", at);
  const Output dims = as_tensor(sample_shape, "Const", DType::i32);
  std::map<std::string, Output> shapes;
  for (const char* name : parameters) shapes[name] = dims;
  return shapes;
}

// --- samples -------------------------------------------------------------------------------------

namespace {

// One of two vectors.
Output picked(Output condition, const Input& if_true, Output if_false) {
  const Block in("", "pick_vector", {});
  const Output first = as_tensor(if_true, "true_vector");
  const Output count = slice(shape(first), {Input(0)});
  const Output both = concat({first, if_false}, 0);
  const Output begin = raw::SelectV2(condition, 0, count);
  const Output size = raw::Select(condition, count, -1);
  return raw::Slice(both, parts::list_of({begin}), parts::list_of({size}));
}

struct SampleShape {
  Output dims;  // a vector
  Input count;
  std::optional<Shape> known;
};

SampleShape sample_shape_of(const Input& given) {
  const Output dims = as_tensor(given, "sample_shape", DType::i32);
  const std::optional<Tensor> value = static_value(dims);
  const int rank = dims.shape().rank();
  if (value) {
    require(rank <= 1, "Input is neither scalar nor vector.");
    const Shape known = shape_of_value(*value);
    const Input count(
        Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(known.element_count())));
    return {rank == 0 ? as_tensor(shape_tensor(known), "sample_shape") : dims, count, known};
  }
  const Output count = reduce_prod(dims);
  if (!dims.shape().has_rank()) {
    const Output is_scalar = raw::Equal(rill::rank(dims), 0);
    const Output own_shape = shape(dims);
    const Output vector = picked(is_scalar, Input(Tensor::vector<std::int32_t>({1})), own_shape);
    return {raw::Reshape(dims, vector), count, {}};
  }
  require(rank <= 1, "Input is neither scalar nor vector.");
  return {rank == 0 ? Output(raw::Reshape(dims, parts::ints({1}))) : dims, count, {}};
}

PartialShape joined(const PartialShape& a, const PartialShape& b) {
  PartialShape all = a;
  for (const std::int64_t dim : b.dims()) all.add_dim(dim);
  return all;
}

}  // namespace

Output Distribution::sample(const ShapeInput& sample_shape, const SampleOptions& options, At at) {
  const Inside in(*this, options.name, "sample", at);
  const SampleShape wanted = sample_shape_of(sample_shape);
  std::optional<Output> samples;
  if (foreign != nullptr)
    samples = foreign->answer(Question::kSampleN, {wanted.count}, options.seed);
  if (!samples) samples = do_sample_n(wanted.count, options.seed);
  const Output others = slice(shape(*samples), {SliceRange{.start = 1}});
  const Output all = raw::Reshape(*samples, concat({wanted.dims, others}, 0));
  return with_known_shape(all, wanted.known);
}

Output Distribution::with_known_shape(Output samples, const std::optional<Shape>& shape) const {
  const PartialShape batch = batch_shape(), event = event_shape();
  PartialShape known = samples.shape();
  if (shape && batch.has_rank() && event.has_rank())
    known = known.merged(joined(joined(*shape, batch), event));
  else if (known.has_rank() && event.has_rank() && known.rank() >= event.rank())
    known = known.merged(joined(PartialShape::of_rank(known.rank() - event.rank()), event));
  if (known.has_rank()) samples.node->graph().refine_shape(samples, known);
  return samples;
}

}  // namespace rill::distributions
