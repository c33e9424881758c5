#include "rill/api/rnn/rnn_cell.h"

#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/made_here.h"
#include "rill/api/core/slicing.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {

RNNCell::RNNCell(std::string class_name, layers::LayerOptions options)
    : Layer(std::move(class_name), std::move(options)), self_(std::make_shared<RNNCell*>(this)) {}

RNNCell::~RNNCell() { *self_ = nullptr; }

// Variables that a step makes with get_variable are the cell's.
CustomGetter RNNCell::tracking_getter() {
  return {[self = self_](const Getter& getter, const std::string& name,
                         const GetVariableOptions& options) {
            AnyVariable made = getter(name, options);
            if (*self == nullptr) return made;
            const std::vector<Variable> trained = trainable_variables();
            for (const Variable& variable : layers::Weight(made).variables())
              (*self)->track(variable, std::ranges::find(trained, variable) != trained.end());
            return made;
          },
          {}};
}

CellOutput RNNCell::apply(const std::vector<Output>& inputs, const State& state,
                          const layers::ScopeChoice& scope, std::source_location at) {
  VariableScopeOptions options;
  options.custom_getter = tracking_getter();
  if (scope) {
    const auto open = scope.open(options, at);
    return call_as_layer(inputs, state, open->scope(), at);
  }
  if (!around_) around_ = get_variable_scope();
  const VariableScopeBlock open(around_, options, at);
  return call_as_layer(inputs, state, {}, at);
}

CellOutput RNNCell::call_as_layer(const std::vector<Output>& inputs, const State& state,
                                  const layers::ScopeChoice& scope, std::source_location at) {
  layers::CallArguments arguments;
  arguments.more = state;
  arguments.scope = scope;
  const std::vector<Output> all = run(inputs, arguments, at);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(output_sizes().size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

std::vector<Output> RNNCell::call_all(const std::vector<Output>& inputs,
                                      const layers::CallArguments& arguments) {
  CellOutput step = compute(inputs, arguments.more);
  check_step(step, output_sizes().size(), state_sizes().size());
  step.outputs.insert(step.outputs.end(), step.state.begin(), step.state.end());
  return std::move(step.outputs);
}

State RNNCell::zero_state(const BatchSize& batch_size, DType dtype, std::source_location at) {
  const Block named("", class_name() + "ZeroState", at);
  return zero_tensors(state_sizes(), batch_size, dtype);
}

State RNNCell::get_initial_state(const InitialStateOptions& options, std::source_location at) {
  const MadeAt place(at);
  std::optional<BatchSize> batch = options.batch_size;
  DType dtype = options.dtype;
  if (options.inputs.node) {
    const PartialShape& shape = options.inputs.shape();
    require(shape.rank() != 0, "the inputs of a cell must not be scalars");
    const std::int64_t known = shape.has_rank() ? shape[0] : kUnknownDim;
    require(!batch || batch->static_size() == known,
            "batch size from input tensor is different from the input param. Input tensor batch: ",
            known, ", batch_size: ", batch ? batch->static_size() : kUnknownDim);
    const DType of_inputs = base_type(options.inputs.dtype());
    require(dtype == DType::invalid || dtype == of_inputs,
            "dtype from input tensor is different from the input param. Input tensor dtype: ",
            numpy_name(of_inputs), ", dtype: ", numpy_name(dtype));
    batch =
        known > 0 ? BatchSize(known) : BatchSize(slice(rill::shape(options.inputs), {Input(0)}));
    dtype = of_inputs;
  }
  require(batch.has_value() && dtype != DType::invalid,
          "batch_size and dtype cannot be None while constructing initial state");
  return zero_state(*batch, dtype, at);
}

LayerRNNCell::LayerRNNCell(std::string class_name, RecurrenceRef recurrence,
                           Initializer kernel_initializer, Initializer bias_initializer,
                           layers::LayerOptions options)
    : RNNCell(std::move(class_name), std::move(options)),
      recurrence_(std::move(recurrence)),
      kernel_initializer_(std::move(kernel_initializer)),
      bias_initializer_(std::move(bias_initializer)) {
  check_supported(dtype());
  layers::InputSpec matrix;
  matrix.ndim = 2;
  input_spec = {matrix};
}

Initializer LayerRNNCell::start_of(CellWeight::Start start) const {
  if (start == CellWeight::Start::kGiven) return kernel_initializer_;
  if (bias_initializer_) return bias_initializer_;
  return start == CellWeight::Start::kOnes ? constant_initializer(1.0) : zeros_initializer();
}

void LayerRNNCell::build(const PartialShape& input) {
  const std::int64_t depth = input.rank() > 0 ? input[input.rank() - 1] : kUnknownDim;
  require(depth >= 0, "Expected inputs.shape[-1] to be known, received shape: ", to_text(input));
  check_supported(dtype());
  weights_.clear();
  for (const CellWeight& weight : recurrence_->weights(depth)) {
    layers::WeightOptions options;
    options.initializer = start_of(weight.start);
    if (weight.shards > 0) options.partitioner = fixed_size_partitioner(weight.shards);
    weights_.push_back(add_weight(weight.name, weight.shape, options));
  }
}

CellOutput LayerRNNCell::compute(const std::vector<Output>& inputs, const State& state) {
  require(inputs.size() == 1, "the cell ", name(), " takes one input, not ", inputs.size());
  return recurrence_->step(inputs[0], state, {weights_.begin(), weights_.end()});
}

CellOutput LayerRNNCell::apply(const std::vector<Output>& inputs, const State& state,
                               const layers::ScopeChoice& scope, std::source_location at) {
  return call_as_layer(inputs, state, scope, at);
}

}  // namespace rill::nn::rnn_cell
