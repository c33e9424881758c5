#include "rill/api/seq2seq/decoder_outputs.h"

#include "rill/api/array/extent.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {

BasicDecoderOutput BasicDecoderOutput::of(const Decoded& decoded) {
  require(decoded.outputs.size() == 2, "a BasicDecoder gives 2 outputs, not ",
          decoded.outputs.size());
  return {decoded.outputs[0], decoded.outputs[1]};
}

FinalBeamSearchDecoderOutput FinalBeamSearchDecoderOutput::of(const Decoded& decoded) {
  const auto& all = decoded.outputs;
  require(all.size() == 4, "a BeamSearchDecoder gives 4 outputs, not ", all.size());
  return {all[0], {all[1], all[2], all[3]}};
}

BeamSearchDecoderState BeamSearchDecoderState::of(const State& state) {
  require(state.size() >= 3, "this is no state of a BeamSearchDecoder");
  const auto end = state.end() - 3;
  return {State(state.begin(), end), end[0], end[1], end[2]};
}

AttentionWrapperState AttentionWrapperState::of(const State& state) {
  require(state.size() >= 4, "this is no state of an AttentionWrapper");
  const auto end = state.end() - 3;
  return {State(state.begin(), end), end[0], end[1], end[2]};
}
AttentionWrapperState AttentionWrapperState::clone(const Parts& parts) const {
  AttentionWrapperState other = *this;
  if (parts.cell_state) {
    require(parts.cell_state->size() == cell_state.size(), "the cell has ", cell_state.size(),
            " states, not ", parts.cell_state->size());
    other.cell_state = *parts.cell_state;
  }
  if (parts.attention) other.attention = *parts.attention;
  if (parts.time) other.time = *parts.time;
  if (parts.alignments) other.alignments = *parts.alignments;
  return other;
}
AttentionWrapperState::operator State() const {
  State all = cell_state;
  for (const Output& part : {attention, time, alignments}) all.push_back(part);
  return all;
}

// --- helpers -------------------------------------------------------------------------------------

BatchSize CustomHelper::batch_size() {
  if (!batch_size_)
    raise(Code::kFailedPrecondition, "batch_size accessed before initialize was called");
  return *batch_size_;
}
HelperStart CustomHelper::initialize() {
  const NameScope in("CustomHelperInitialize");
  HelperStart start = functions_.initialize();
  if (!batch_size_) batch_size_ = BatchSize(raw::Size(start.finished));
  return start;
}
Output CustomHelper::sample(Output time, const std::vector<Output>& outputs) {
  const NameScope in("CustomHelperSample");
  outputs_ = outputs;
  return functions_.sample(time, outputs);
}
HelperStart CustomHelper::next_inputs(Output time, Output sample_ids) {
  const NameScope in("CustomHelperNextInputs");
  return functions_.next_inputs(time, outputs_, sample_ids);
}

InferenceHelper::InferenceHelper(Functions functions, const Input& start_inputs)
    : functions_(std::move(functions)), start_inputs_(as_tensor(start_inputs, "start_inputs")) {
  require(bool(functions_.sample) && bool(functions_.end),
          "InferenceHelper needs a sample and an end function");
}
HelperStart InferenceHelper::initialize() {
  const BatchSize size = batch_size();
  const Output count =
      size.known() ? constant(static_cast<std::int32_t>(*size.known())) : size.tensor();
  const Output examples = raw::Reshape(count, Tensor::vector<std::int32_t>({1}));
  return {raw::Fill(examples, Tensor::scalar(false)), {start_inputs_}};
}
Output InferenceHelper::sample(Output, const std::vector<Output>& outputs) {
  return functions_.sample(outputs);
}
HelperStart InferenceHelper::next_inputs(Output, Output sample_ids) {
  return {functions_.end(sample_ids), functions_.next_inputs ? functions_.next_inputs(sample_ids)
                                                             : std::vector<Output>{sample_ids}};
}

}  // namespace rill::contrib::seq2seq
