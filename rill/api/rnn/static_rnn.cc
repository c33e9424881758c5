#include "rill/api/rnn/static_rnn.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::nn {
namespace {

std::vector<Output> joined(std::vector<Output> a, const std::vector<Output>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The dimension of the batch, where any input tells it; throws InvalidArgument when they do not
// agree or another dimension is unknown.
std::int64_t checked_static_batch(const std::vector<std::vector<Output>>& steps) {
  const PartialShape first = steps[0][0].shape();
  if (first.rank() == 1) return first[0];
  for (const std::vector<Output>& step : steps)
    for (const Output& input : step) {
      const PartialShape& shape = input.shape();
      require(shape.rank() >= 2, "Shape ", shape_text(shape), " must have rank at least 2");
      require(first[0] < 0 || shape[0] < 0 || first[0] == shape[0], "Dimensions ", first[0],
              " and ", shape[0], " are not compatible");
      for (int i = 1; i < shape.rank(); ++i)
        require(shape[i] >= 0, "Input size (dimension ", i - 1, " of input ", input.node->name(),
                ") must be accessible via shape inference, but saw value None.");
    }
  return first[0];
}

// The sequences' lengths and what depends on them.
class Lengths {
 public:
  Lengths(const Input& given, const rnn_cell::Sizes& sizes, const BatchSize& batch, DType dtype) {
    lengths_ = as_tensor(given, "sequence_length");
    require(!lengths_.shape().has_rank() || lengths_.shape().rank() == 1,
            "sequence_length must be a vector of length batch_size");
    for (const PartialShape& size : sizes) {
      zeros_.push_back(zeros(batch_shape(batch, size), {.dtype = dtype}));
      if (!batch.known()) {  // as much as is known: only the size
        static_time_shape(kUnknownDim, kUnknownDim, size);
        continue;
      }
      zeros_.back().node->graph().refine_shape(zeros_.back(), static_batch_shape(batch, size));
    }
    lengths_ = cast(lengths_, DType::i32);
    min_ = reduce_min(lengths_);
    max_ = reduce_max(lengths_);
  }

  // The step at `time`, which is made only as far as some sequence is long enough.
  rnn_cell::CellOutput step(int time, const rnn_cell::State& state,
                            const std::function<rnn_cell::CellOutput()>& call) const {
    const Output finished = lengths_ <= time;
    const auto some = [&] {
      const rnn_cell::CellOutput step = call();
      check_step(step, zeros_.size(), state.size());
      return cond(
          min_ > time, [&] { return joined(step.outputs, step.state); },
          [&] {
            const std::vector<Output> outputs = keep_finished(finished, zeros_, step.outputs);
            return joined(outputs, keep_finished(finished, state, step.state));
          });
    };
    const std::vector<Output> all = cond(
        max_ <= time, [&] { return joined(zeros_, state); }, some);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(zeros_.size());
    rnn_cell::CellOutput result{{all.begin(), middle}, {middle, all.end()}};
    set_shapes(result.outputs, zeros_);
    set_shapes(result.state, state);
    return result;
  }

 private:
  Output lengths_, min_, max_;
  std::vector<Output> zeros_;
};

std::vector<std::vector<Output>> as_steps(const StepInputs& inputs) {
  require(!inputs.empty() && !inputs[0].empty(), "inputs must not be empty");
  std::vector<std::vector<Output>> steps;
  for (const Inputs step : inputs) steps.push_back(each_as_tensor(step));
  return steps;
}

std::vector<Output> first_of_each(const StepOutputs& outputs) {
  std::vector<Output> first;
  for (const std::vector<Output>& step : outputs) first.push_back(step.at(0));
  return first;
}

}  // namespace

StepInputs step_inputs(const std::vector<Output>& steps) {
  StepInputs inputs;
  for (const Output& step : steps) inputs.push_back({step});
  return inputs;
}

std::vector<Output> StaticRnn::output() const { return first_of_each(outputs); }
std::vector<Output> StaticBidirectionalRnn::output() const { return first_of_each(outputs); }

StaticRnn static_rnn(Cell& cell, const StepInputs& inputs, const StaticRnnOptions& options,
                     std::source_location at) {
  const auto scope = open_network(options.scope, "rnn", at);
  const std::vector<std::vector<Output>> steps = as_steps(inputs);
  const std::int64_t known = checked_static_batch(steps);
  const BatchSize batch =
      known > 0 ? BatchSize(known) : BatchSize(slice(shape(steps[0][0]), {Input(0)}));
  StaticRnn network{{}, first_state(cell, options.initial_state, batch, options.dtype)};
  std::optional<Lengths> lengths;
  if (options.sequence_length)
    lengths.emplace(*options.sequence_length, cell.output_sizes(), batch,
                    state_dtype(options.dtype, network.state));
  for (std::size_t time = 0; time < steps.size(); ++time) {
    if (time > 0) scope->scope()->reuse_variables();
    const auto call = [&] { return cell.step(steps[time], network.state); };
    rnn_cell::CellOutput step =
        lengths ? lengths->step(static_cast<int>(time), network.state, call) : call();
    network.outputs.push_back(std::move(step.outputs));
    network.state = std::move(step.state);
  }
  return network;
}

StaticRnn static_state_saving_rnn(Cell& cell, const StepInputs& inputs, StateSaver& state_saver,
                                  const std::vector<std::string>& state_name,
                                  const StaticStateSavingRnnOptions& options,
                                  std::source_location at) {
  const MadeAt place(at);
  require(state_name.size() == cell.state_sizes().size(),
          "Number of elements in argument `state_name` and `cell.state_size` are mismatched. "
          "Received ",
          state_name.size(), " names for ", cell.state_sizes().size(), " states.");
  std::vector<Input> first;
  for (const std::string& name : state_name) first.emplace_back(state_saver.state(name));
  StaticRnn network = static_rnn(
      cell, inputs,
      {.initial_state = first, .sequence_length = options.sequence_length, .scope = options.scope},
      at);
  std::vector<Node*> saved;
  for (std::size_t i = 0; i < state_name.size(); ++i)
    saved.push_back(&state_saver.save_state(state_name[i], network.state.at(i)));
  const ControlDependencies after(saved);
  for (Output& output : network.outputs.back()) output = raw::Identity(output);
  for (Output& state : network.state) state = raw::Identity(state);
  return network;
}

}  // namespace rill::nn
