#include "rill/api/rnn/fused_lstm.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/rnn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/rnn/contrib_recurrences.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {
namespace {

// The states after the last step of each sequence: `all` has those after every step.
Output last_of_each(Output first, Output all, Output lengths, Output batch) {
  const Output with_first = concat({expand_dims(first, 0), all}, 0);
  const Output examples = raw::Range(0, batch, 1);
  return gather_nd(with_first, stack({lengths, examples}, {.axis = 1}));
}

// 1 as long as a sequence lasts, 0 afterwards: [time, batch, 1].
Output mask(Output lengths, Output steps, DType dtype) {
  const Output by_example = sequence_mask(lengths, {.maxlen = steps, .dtype = dtype});
  const Output by_time =
      transpose(by_example, {.perm = Input(Tensor::vector<std::int32_t>({1, 0}))});
  return expand_dims(by_time, -1);
}

}  // namespace

FusedRnn fused_lstm(Output inputs, const std::optional<State>& initial_state,
                    const OptionalInput& sequence_length, std::int64_t num_units,
                    const Inputs& weights, const FusedLstmForm& form) {
  require(inputs.shape().rank() == 3,
          "Expecting inputs_shape to be of length 3: ", to_text(inputs.shape()));
  const Output dims = shape(inputs);
  const Output steps = slice(dims, {Input(0)}), batch = slice(dims, {Input(1)});
  State first;
  if (initial_state) {
    first = *initial_state;
    check_state(first, 2);
  } else {
    const Output none = zeros(stack({batch, Input(static_cast<int>(num_units))}),
                              {.dtype = base_type(inputs.dtype())});
    first = {none, none};
  }
  const std::vector<Input> peepholes = block_peepholes(weights, num_units, inputs.dtype());
  Output lengths;
  if (sequence_length) lengths = cast(*sequence_length, DType::i32);
  const Output last = cast(lengths.node ? reduce_max(lengths) : steps, DType::i64);
  const auto made = raw::BlockLSTM(last, inputs, first[0], first[1], weights.at(0), peepholes[0],
                                   peepholes[1], peepholes[2], weights.at(1),
                                   {.forget_bias = static_cast<float>(form.forget_bias),
                                    .cell_clip = static_cast<float>(form.cell_clip.value_or(-1)),
                                    .use_peephole = form.use_peephole});
  if (!lengths.node) return {made.h, {slice(made.cs, {Input(-1)}), slice(made.h, {Input(-1)})}};
  const Output c = last_of_each(first[0], made.cs, lengths, batch);
  const Output h = last_of_each(first[1], made.h, lengths, batch);
  return {made.h * mask(lengths, steps, base_type(inputs.dtype())), {c, h}};
}

LSTMBlockFusedCell::LSTMBlockFusedCell(std::int64_t num_units,
                                       const LSTMBlockFusedCellOptions& options)
    : Layer("LSTMBlockFusedCell",
            {.name = options.name, .dtype = options.dtype, .reuse = options.reuse}),
      units_(checked_units(num_units)),
      form_{options.forget_bias, options.cell_clip, options.use_peephole} {}

void LSTMBlockFusedCell::build(const PartialShape& input) {
  require(input.rank() == 3 && input[2] >= 0,
          "Expecting inputs_shape[2] to be set: ", to_text(input));
  weights_.clear();
  for (const CellWeight& weight : lstm_block_weights(input[2], units_, form_.use_peephole)) {
    layers::WeightOptions options;
    if (weight.start == CellWeight::Start::kZeros) options.initializer = zeros_initializer();
    weights_.push_back(add_weight(weight.name, weight.shape, options));
  }
}

std::vector<Output> LSTMBlockFusedCell::call_all(const std::vector<Output>& inputs,
                                                 const layers::CallArguments& arguments) {
  std::optional<State> first;
  if (!arguments.more.empty()) first = arguments.more;
  FusedRnn network = fused_lstm(inputs.at(0), first, sequence_length_, units_,
                                {weights_.begin(), weights_.end()}, form_);
  return {network.outputs, network.state[0], network.state[1]};
}

FusedRnn LSTMBlockFusedCell::operator()(Output inputs, const FusedCallOptions& options,
                                        std::source_location at) {
  layers::CallArguments arguments;
  if (options.initial_state) arguments.more = *options.initial_state;
  arguments.scope = options.scope;
  sequence_length_ = options.sequence_length;
  const std::vector<Output> all = run({inputs}, arguments, at);
  return {all.at(0), {all.at(1), all.at(2)}};
}

}  // namespace rill::contrib::rnn
