#include "rill/api/rnn/dynamic_rnn.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/tensor_array.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::nn {
namespace {

BatchSize batch_of(const std::vector<Output>& inputs) {
  for (const Output& input : inputs) {
    if (!input.shape().has_rank()) continue;
    require(input.shape().rank() >= 2,
            "Input tensor should have rank >= 2. Received input=", input.node->name(), " of rank ",
            input.shape().rank());
    if (input.shape()[1] >= 0) return input.shape()[1];
  }
  return slice(shape(inputs[0]), {Input(1)});
}

// The lengths as a vector of int32 that is known to have an element for each example.
Output checked_lengths(Output lengths, const BatchSize& batch) {
  const Output got = shape(lengths);
  const Output wanted =
      stack({batch.known() ? Input(static_cast<int>(*batch.known())) : Input(batch.tensor())});
  Node& check = assert_true(reduce_all(raw::Equal(got, wanted)),
                            {str_cat("Expected shape for Tensor ", lengths.node->name(), ":0 is "),
                             wanted, " but saw shape: ", got});
  Node* const checks[] = {&check};
  const ControlDependencies after(checks);
  return raw::Identity(lengths, {.name = "CheckSeqLen"});
}

// One network under construction, after its inputs have come into the order of time.
class DynamicRnnLoop {
 public:
  DynamicRnnLoop(Cell& cell, std::vector<Output> inputs, rnn_cell::State state, Output lengths,
                 DType dtype)
      : cell_(cell),
        inputs_(std::move(inputs)),
        state_(std::move(state)),
        lengths_(lengths),
        dtype_(state_dtype(dtype, state_)),
        sizes_(cell.output_sizes()) {}

  DynamicRnn run(const DynamicRnnOptions& options) {
    const Output steps = slice(shape(inputs_[0]), {Input(0)});
    const BatchSize batch = batch_of(inputs_);
    check_inputs();
    for (const PartialShape& size : sizes_)
      zero_output_.push_back(zeros(batch_shape(batch, size), {.dtype = dtype_}));
    Output last = steps;
    if (lengths_.node) {
      reduce_min(lengths_);  // nobody reads it; TensorFlow makes it
      last = reduce_max(lengths_);
    }
    const Output time = constant(0, {.dtype = DType::i32, .name = "time"});
    make_arrays(steps);
    const Output at_least_one = raw::Maximum(1, last);
    const Output bound = raw::Minimum(steps, at_least_one);
    return iterate(time, bound, steps, options);
  }

 private:
  std::int64_t dim(int axis) const { return inputs_[0].shape()[axis]; }

  void check_inputs() const {
    for (const Output& input : inputs_) {
      const PartialShape& shape = input.shape();
      require(shape.rank() >= 3, "Shape ", shape_text(shape), " must have rank at least 3");
      require(PartialShape(shape.dims().subspan(2)).is_full(),
              "Input size (depth of inputs) must be accessible via shape inference, but saw value "
              "None.");
      require(shape[0] == dim(0),
              "Time steps is not the same for all the elements in the input in a batch. Received "
              "time steps=",
              shape[0], " for input=", input.node->name(), ".");
      require(shape[1] == dim(1),
              "Batch_size is not the same for all the elements in the input. Received batch size=",
              shape[1], " for input=", input.node->name(), ".");
    }
  }

  void make_arrays(Output steps) {
    const std::string prefix = current_scope().named("dynamic_rnn").name();
    const auto array = [&](const char* kind, std::size_t i, DType dtype, PartialShape element) {
      TensorArrayOptions options;
      options.tensor_array_name = str_cat(prefix, "/", kind, "_", i);
      options.element_shape = std::move(element);
      return TensorArray(dtype, steps, options);
    };
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      results_.push_back(array("output", i, dtype_, shape_of_rows(dim(1), sizes_[i])));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      elements_.push_back(
          array("input", i, base_type(inputs_[i].dtype()), shape_of_row(inputs_[i].shape())));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      elements_[i] = elements_[i].unstack(inputs_[i]);
  }

  // The variables of the loop: time, the flows of the results, the state.
  std::vector<TensorArray> results_in(const std::vector<Output>& variables) const {
    std::vector<TensorArray> arrays;
    for (std::size_t i = 0; i < results_.size(); ++i)
      arrays.push_back(results_[i].with_flow(variables[1 + i]));
    return arrays;
  }
  rnn_cell::State state_in(const std::vector<Output>& variables) const {
    return {variables.begin() + 1 + static_cast<std::ptrdiff_t>(results_.size()), variables.end()};
  }

  std::vector<Output> iteration(const std::vector<Output>& variables) {
    const Output time = variables[0];
    const std::vector<TensorArray> arrays = results_in(variables);
    std::vector<Output> input;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      input.push_back(elements_[i].read(time));
      input[i].node->graph().refine_shape(input[i], shape_of_row(inputs_[i].shape()));
    }
    const rnn_cell::CellOutput step = one_step(time, input, state_in(variables));
    std::vector<Output> next{Output()};
    for (std::size_t i = 0; i < arrays.size(); ++i)
      next.push_back(arrays[i].write(time, step.outputs[i]).flow());
    next.insert(next.end(), step.state.begin(), step.state.end());
    next[0] = time + 1;
    return next;
  }

  rnn_cell::CellOutput one_step(Output time, const std::vector<Output>& input,
                                const rnn_cell::State& state) {
    const Output finished = lengths_.node ? time >= lengths_ : Output();
    rnn_cell::CellOutput step = cell_.step(input, state);
    check_step(step, sizes_.size(), state.size());
    if (!lengths_.node) return step;
    step.outputs = keep_finished(finished, zero_output_, step.outputs);
    step.state = keep_finished(finished, state, step.state);
    set_shapes(step.outputs, zero_output_);
    set_shapes(step.state, state);
    return step;
  }

  DynamicRnn iterate(Output time, Output bound, Output steps, const DynamicRnnOptions& options) {
    std::vector<Input> variables{time};
    for (const TensorArray& array : results_) variables.emplace_back(array.flow());
    variables.insert(variables.end(), state_.begin(), state_.end());
    WhileLoopOptions loop;
    loop.parallel_iterations = options.parallel_iterations;
    loop.swap_memory = options.swap_memory;
    loop.maximum_iterations = steps;
    const std::vector<Output> ended = while_loop(
        [&](const std::vector<Output>& now) {
          results_in(now);
          return now[0] < bound;
        },
        [&](const std::vector<Output>& now) { return iteration(now); }, variables, loop);
    DynamicRnn network{{}, state_in(ended)};
    for (const TensorArray& array : results_in(ended)) network.outputs.push_back(array.stack());
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      network.outputs[i].node->graph().refine_shape(network.outputs[i],
                                                    static_time_shape(dim(0), dim(1), sizes_[i]));
    return network;
  }

  Cell& cell_;
  std::vector<Output> inputs_;
  rnn_cell::State state_;
  Output lengths_;  // empty: all sequences are as long as the inputs
  DType dtype_;
  rnn_cell::Sizes sizes_;
  std::vector<Output> zero_output_;
  std::vector<TensorArray> results_, elements_;
};

Output lengths_of(const Input& given) {
  const Output lengths = cast(given, DType::i32);
  require(!lengths.shape().has_rank() || lengths.shape().rank() == 1,
          "sequence_length must be a vector of length batch_size, but saw shape: ",
          shape_text(lengths.shape()));
  return raw::Identity(lengths, {.name = "sequence_length"});
}

}  // namespace

DynamicRnn dynamic_rnn(Cell& cell, const Inputs& inputs, const DynamicRnnOptions& options,
                       std::source_location at) {
  require(!inputs.empty(), "a recurrent network needs inputs");
  const auto scope = open_network(options.scope, "rnn", at);
  std::vector<Output> by_time = each_as_tensor(inputs);
  if (!options.time_major)
    for (Output& input : by_time) input = batch_and_time_exchanged(input);
  Output lengths;
  if (options.sequence_length) lengths = lengths_of(*options.sequence_length);
  const BatchSize batch = batch_of(by_time);
  rnn_cell::State state = first_state(cell, options.initial_state, batch, options.dtype);
  if (lengths.node) lengths = checked_lengths(lengths, batch);
  DynamicRnn network =
      DynamicRnnLoop(cell, std::move(by_time), std::move(state), lengths, options.dtype)
          .run(options);
  if (!options.time_major)
    for (Output& output : network.outputs) output = batch_and_time_exchanged(output);
  return network;
}

std::pair<DynamicRnn, DynamicRnn> bidirectional_dynamic_rnn(
    Cell& cell_fw, Cell& cell_bw, const Inputs& inputs,
    const BidirectionalDynamicRnnOptions& options, std::source_location at) {
  const int time_axis = options.time_major ? 0 : 1;
  const OptionalInput lengths = lengths_input(options.sequence_length);
  const auto turned = [&](const Input& x) {
    if (lengths) return raw::ReverseSequence(x, *lengths, time_axis, {.batch_dim = 1 - time_axis});
    return raw::ReverseV2(x, Tensor::vector<std::int32_t>({time_axis}));
  };
  DynamicRnnOptions one{.sequence_length = options.sequence_length,
                        .initial_state = options.initial_state_fw,
                        .dtype = options.dtype,
                        .parallel_iterations = options.parallel_iterations,
                        .swap_memory = options.swap_memory,
                        .time_major = options.time_major};
  DynamicRnn forward, backward;
  {
    const auto both =
        (options.scope ? options.scope : layers::ScopeChoice("bidirectional_rnn")).open({}, at);
    {
      const VariableScopeBlock fw("fw", {}, at);
      one.scope = fw.scope();
      forward = dynamic_rnn(cell_fw, inputs, one, at);
    }
    const VariableScopeBlock bw("bw", {}, at);
    one.scope = bw.scope();
    one.initial_state = options.initial_state_bw;
    std::vector<Input> reversed;
    for (const Input& input : inputs) reversed.emplace_back(turned(input));
    backward = dynamic_rnn(cell_bw, reversed, one, at);
  }
  const MadeAt place(at);
  for (Output& output : backward.outputs) output = turned(output);
  return {std::move(forward), std::move(backward)};
}

}  // namespace rill::nn
