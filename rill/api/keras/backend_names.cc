#include "rill/api/keras/backend_names.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "rill/api/core/control_flow.h"
#include "rill/api/keras/training.h"
#include "rill/api/train/clip_ops.h"
#include "rill/base/error.h"

namespace rill::keras::backend {
namespace {

rill::ReduceOptions as_reduce(const ReduceAxes& o) {
  return {.axis = o.axis, .keepdims = o.keepdims, .name = {}};
}

DType or_floatx(DType dtype) { return dtype == DType::invalid ? floatx() : dtype; }

Output as_numbers(const Input& x) {
  const Output value = as_tensor(x);
  const bool is_number = (kFloatTypes | kComplexTypes).contains(value.dtype());
  return is_number ? value : rill::cast(value, floatx());
}

}  // namespace

Output mean(const Input& x, const ReduceAxes& o, std::source_location at) {
  return reduce_mean(as_numbers(x), as_reduce(o), at);
}
Output any(const Input& x, const ReduceAxes& o, std::source_location at) {
  return reduce_any(rill::cast(x, DType::boolean), as_reduce(o), at);
}
Output all(const Input& x, const ReduceAxes& o, std::source_location at) {
  return reduce_all(rill::cast(x, DType::boolean), as_reduce(o), at);
}
Output var(const Input& x, const ReduceAxes& o, std::source_location at) {
  return math::reduce_variance(as_numbers(x), as_reduce(o), at);
}
Output std(const Input& x, const ReduceAxes& o, std::source_location at) {
  return math::reduce_std(as_numbers(x), as_reduce(o), at);
}

Output clip(const Input& x, const Input& min_value, const Input& max_value,
            std::source_location at) {
  return clip_by_value(x, min_value, max_value, {}, at);
}
Output concatenate(const Inputs& tensors, int axis, std::source_location at) {
  return concat(tensors, axis, {}, at);
}
Output flatten(const Input& x, std::source_location at) { return rill::reshape(x, {-1}, {}, at); }
Output permute_dimensions(const Input& x, const std::vector<std::int64_t>& pattern,
                          std::source_location at) {
  const std::vector<std::int32_t> order(pattern.begin(), pattern.end());
  const Shape size{static_cast<std::int64_t>(order.size())};
  return raw::Transpose(x, Input(Tensor::of<std::int32_t>(size, std::span(order))), {}, at);
}
Output arange(const Input& start, const OptionalInput& stop, const Input& step, DType dtype,
              std::source_location at) {
  const Output numbers =
      stop ? raw::Range(start, *stop, step, {}, at) : raw::Range(Input(0), start, step, {}, at);
  return numbers.dtype() == dtype ? numbers : rill::cast(numbers, dtype);
}
Output cast_to_floatx(const Input& x) { return rill::cast(x, floatx()); }

Output switch_(const Input& condition, const std::function<Output()>& then_expression,
               const std::function<Output()>& else_expression, std::source_location at) {
  Output chosen = as_tensor(condition);
  if (chosen.dtype() != DType::boolean) chosen = rill::cast(chosen, DType::boolean);
  if (chosen.shape().has_rank() && chosen.shape().rank() == 0)
    return cond_one(chosen, then_expression, else_expression, {}, at);
  const Output then = then_expression(), otherwise = else_expression();
  require(chosen.shape().has_rank() && then.shape().has_rank(),
          "switch_ needs to know how many dimensions condition and value have");
  for (int i = chosen.shape().rank(); i < then.shape().rank(); ++i)
    chosen = raw::ExpandDims(chosen, Input(-1), {}, at);
  return raw::SelectV2(chosen, then, otherwise, {}, at);
}

Output random_binomial(const ShapeInput& shape, const RandomBinomialOptions& o,
                       std::source_location at) {
  const DType dtype = or_floatx(o.dtype);
  const Output drawn =
      rill::random_uniform(shape, {.dtype = dtype, .seed = o.seed, .name = {}}, at);
  return rill::cast(rill::less_equal(drawn, rill::cast(Input(o.p), dtype)), dtype);
}

Output in_test_phase(const std::function<Output()>& testing,
                     const std::function<Output()>& training, const OptionalInput& is_training,
                     std::source_location at) {
  return in_train_phase(training, testing, is_training, at);
}

std::optional<int> ndim(const Output& x) {
  return x.shape().has_rank() ? std::optional<int>(x.shape().rank()) : std::nullopt;
}
namespace {
std::optional<std::vector<std::int64_t>> sizes_of(const PartialShape& shape) {
  if (!shape.has_rank()) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < shape.rank(); ++i) sizes.push_back(shape.dim(i));
  return sizes;
}
}  // namespace
std::optional<std::vector<std::int64_t>> int_shape(const Output& x) { return sizes_of(x.shape()); }
std::optional<std::vector<std::int64_t>> int_shape(const Variable& x) {
  return sizes_of(x.shape());
}
std::int64_t count_params(const Variable& x) {
  std::int64_t count = 1;
  for (const std::int64_t size : int_shape(x).value_or(std::vector<std::int64_t>{-1})) {
    require(size >= 0, "the shape of ", x.name(), " is not known");
    count *= size;
  }
  return count;
}

Output placeholder(const PlaceholderOptions& o, std::source_location at) {
  PartialShape shape = o.shape.value_or(PartialShape());
  if (!o.shape && o.ndim) {
    const std::vector<std::int64_t> open(static_cast<std::size_t>(*o.ndim), kUnknownDim);
    shape = PartialShape(std::span<const std::int64_t>(open));
  }
  return rill::placeholder(or_floatx(o.dtype), shape, {.name = o.name}, at);
}

Variable variable(const rill::Input& value, const VariableOptions& o, std::source_location at) {
  rill::VariableOptions options;
  options.use_resource = true;
  options.name = o.name;
  const Output first = as_tensor(value);
  const DType dtype = or_floatx(o.dtype);
  return Variable(first.dtype() == dtype ? first : rill::cast(first, dtype), options, at);
}
Variable random_uniform_variable(const ShapeInput& shape, double low, double high,
                                 const RandomVariableOptions& o, std::source_location at) {
  const DType dtype = or_floatx(o.dtype);
  return variable(
      rill::random_uniform(
          shape,
          {.minval = low, .maxval = Input(high), .dtype = dtype, .seed = o.seed, .name = {}}),
      {.dtype = dtype, .name = o.name}, at);
}
Variable random_normal_variable(const ShapeInput& shape, double mean, double scale,
                                const RandomVariableOptions& o, std::source_location at) {
  const DType dtype = or_floatx(o.dtype);
  return variable(
      rill::random_normal(
          shape, {.mean = mean, .stddev = scale, .dtype = dtype, .seed = o.seed, .name = {}}),
      {.dtype = dtype, .name = o.name}, at);
}

namespace {

Output densified(const Gradient& gradient, std::source_location at) {
  if (!gradient.is_slices()) return gradient.dense();
  const IndexedSlices& rows = gradient.slices();
  const Output count =
      raw::StridedSlice(rows.dense_shape, Input(Tensor::vector<std::int32_t>({0})),
                        Input(Tensor::vector<std::int32_t>({1})),
                        Input(Tensor::vector<std::int32_t>({1})), {.shrink_axis_mask = 1}, at);
  return raw::UnsortedSegmentSum(rows.values, rows.indices, count, {}, at);
}

}  // namespace

std::vector<Output> gradients(const Output& loss, const std::vector<Variable>& variables,
                              std::source_location at) {
  std::vector<Output> handles, results;
  for (const Variable& variable : variables) handles.push_back(variable.handle());
  for (const Gradient& gradient : rill::gradients({loss}, handles, {}, at))
    results.push_back(gradient.empty() ? Output() : densified(gradient, at));
  return results;
}

// --- values --------------------------------------------------------------------------------------

namespace {

struct KerasSession {
  std::shared_ptr<Session> session;
  std::set<const VariableState*> initialized;
};
// One for each graph, as long as it is the default one of its thread.
thread_local std::map<const Graph*, KerasSession> sessions;

KerasSession& current_session() {
  KerasSession& found = sessions[default_graph().get()];
  if (!found.session) found.session = std::make_shared<Session>(default_graph());
  return found;
}

std::vector<Tensor> run_in_session(std::span<const Feed> feeds, std::span<const Output> fetches,
                                   std::span<Node* const> targets) {
  KerasSession& keras = current_session();
  const Training::Run step = [&keras](std::span<const Feed> fed, std::span<const Output> wanted,
                                      std::span<Node* const> run) {
    return keras.session->run(fed, wanted, run);
  };
  initialize_variables(step, keras.initialized);
  return step(feeds, fetches, targets);
}

}  // namespace

Session& get_session() { return *current_session().session; }
void set_session(std::shared_ptr<Session> session) {
  sessions[default_graph().get()] = {std::move(session), {}};
}
void clear_session() {
  sessions.erase(default_graph().get());
  reset_default_graph();
}

Tensor eval(const Output& x) { return run_in_session({}, std::array{x}, {}).at(0); }
Tensor get_value(const Variable& x) { return eval(x.snapshot()); }
std::vector<Tensor> batch_get_value(const std::vector<Variable>& tensors) {
  std::vector<Output> values;
  for (const Variable& tensor : tensors) values.push_back(tensor.snapshot());
  return values.empty() ? std::vector<Tensor>() : run_in_session({}, values, {});
}
void batch_set_value(const std::vector<std::pair<Variable, Tensor>>& tuples) {
  for (const auto& [variable, value] : tuples) {
    const Output fed = rill::placeholder(variable.dtype(), variable.shape());
    Node* const assignment = &variable.assign_op(fed);
    const std::array<Feed, 1> feeds = {Feed{fed, value}};
    run_in_session(feeds, {}, std::array{assignment});
  }
}
void set_value(const Variable& x, const Tensor& value) { batch_set_value({{x, value}}); }

ArrayFunction function(const std::vector<Output>& inputs, const std::vector<Output>& outputs,
                       const std::vector<Output>& updates) {
  return [inputs, outputs, updates, graph = default_graph()](const std::vector<Tensor>& values) {
    require(values.size() == inputs.size(), "the function takes ", inputs.size(),
            " arrays and was given ", values.size());
    const AsDefault as_default(graph);
    std::vector<Feed> feeds;
    for (std::size_t i = 0; i < inputs.size(); ++i) feeds.emplace_back(inputs[i], values[i]);
    std::vector<Node*> targets;
    for (const Output& update : updates) targets.push_back(update.node.get());
    return run_in_session(feeds, outputs, targets);
  };
}

}  // namespace rill::keras::backend
