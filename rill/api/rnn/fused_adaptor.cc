#include "rill/api/rnn/fused_adaptor.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/array.h"
#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/rnn/static_rnn.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {
namespace {

std::optional<std::vector<Input>> as_inputs(const std::optional<State>& state) {
  if (!state) return std::nullopt;
  return std::vector<Input>(state->begin(), state->end());
}

Output turned_round(Output steps, const OptionalInput& lengths) {
  if (!lengths) return raw::ReverseV2(steps, Tensor::vector<std::int32_t>({0}));
  return raw::ReverseSequence(steps, *lengths, 0, {.batch_dim = 1});
}

}  // namespace

FusedRnn FusedRNNCellAdaptor::operator()(Output inputs, const FusedCallOptions& o) const {
  if (options_.use_dynamic_rnn) {
    const nn::DynamicRnn made = nn::dynamic_rnn(*cell_, inputs,
                                                {.sequence_length = o.sequence_length,
                                                 .initial_state = as_inputs(o.initial_state),
                                                 .dtype = options_.dtype,
                                                 .time_major = true,
                                                 .scope = o.scope});
    return {made.output(), made.state};
  }
  const nn::StaticRnn made = nn::static_rnn(*cell_, unstack(inputs),
                                            {.initial_state = as_inputs(o.initial_state),
                                             .dtype = options_.dtype,
                                             .sequence_length = o.sequence_length,
                                             .scope = o.scope});
  return {stack(made.output()), made.state};
}

FusedRnn TimeReversedFusedRNN::operator()(Output inputs, const FusedCallOptions& o) const {
  FusedRnn made = cell_(turned_round(inputs, o.sequence_length), o);
  made.outputs = turned_round(made.outputs, o.sequence_length);
  return made;
}

nn::BatchSize best_effort_input_batch_size(const std::vector<Output>& flat_input) {
  require(!flat_input.empty(), "there are no inputs");
  for (const Output& input : flat_input) {
    const PartialShape shape = input.shape();
    if (!shape.has_rank()) continue;
    require(shape.rank() >= 2, "Expected input tensor ", input.name(), " to have rank at least 2");
    if (shape.dim(1) >= 0) return {shape.dim(1)};
  }
  return nn::BatchSize::of(flat_input[0], 1);
}

}  // namespace rill::contrib::rnn
