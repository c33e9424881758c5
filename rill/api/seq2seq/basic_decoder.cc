#include "rill/api/seq2seq/basic_decoder.h"

#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {
namespace {

// The most likely place of each row.
Output most_likely(const std::vector<Output>& outputs) {
  require(outputs.size() == 1, "Expected outputs to be a single Tensor, got: ", outputs.size());
  return raw::ArgMax(outputs[0], -1, {.output_type = DType::i32});
}

// `others`, or `if_all` where all examples are finished.
std::vector<Output> unless_all(Output finished, const std::vector<Output>& if_all,
                               const BranchFn& others) {
  const Output all = reduce_all(finished);
  return cond(
      all, [&] { return if_all; }, others);
}

}  // namespace

// --- inputs that are known -----------------------------------------------------------------------

TrainingHelper::TrainingHelper(const Inputs& inputs, const Input& sequence_length,
                               bool time_major) {
  const NameScope named("TrainingHelper");
  std::vector<Output> by_time = as_tensors(inputs, "inputs");
  require(!by_time.empty(), "TrainingHelper needs inputs");
  if (!time_major)
    for (Output& input : by_time) input = nn::batch_and_time_exchanged(input);
  for (const Output& input : by_time) {
    TensorArrayOptions options;
    options.element_shape = shape_of_row(input.shape());
    const Output steps = slice(shape(input), {rill::Input(0)});
    elements_.push_back(TensorArray(base_type(input.dtype()), steps, options).unstack(input));
  }
  lengths_ = as_tensor(sequence_length, "sequence_length");
  require(
      lengths_.shape().rank() == 1 || !lengths_.shape().has_rank(),
      "Expected sequence_length to be a vector, but received shape: ", to_text(lengths_.shape()));
  for (const Output& input : by_time)
    zero_inputs_.push_back(zeros_like(slice(input, {rill::Input(0)})));
  batch_size_ = BatchSize(size(lengths_));
  if (lengths_.shape().has_rank() && lengths_.shape()[0] >= 0)
    batch_size_ = BatchSize(lengths_.shape()[0]);
}

HelperStart TrainingHelper::initialize() {
  const NameScope named("TrainingHelperInitialize");
  const Output finished = raw::Equal(0, lengths_);
  return {finished, unless_all(finished, zero_inputs_, [&] {
            std::vector<Output> first;
            for (const TensorArray& array : elements_) first.push_back(array.read(0));
            return first;
          })};
}

Output TrainingHelper::sample(Output, const std::vector<Output>& outputs) {
  const NameScope named("TrainingHelperSample");
  return most_likely({outputs.at(0)});
}

HelperStart TrainingHelper::next_inputs(Output time, Output) {
  const NameScope named("TrainingHelperNextInputs");
  const Output next = time + 1;
  const Output lengths = cast(lengths_, DType::i32);
  const Output finished = next >= lengths;
  return {finished, unless_all(finished, zero_inputs_, [&] {
            std::vector<Output> read;
            for (const TensorArray& array : elements_) read.push_back(array.read(next));
            return read;
          })};
}

// --- inputs that the decoder made ----------------------------------------------------------------

Embedding embedding_of(const nn::EmbeddingTable& table) {
  return [table](Output ids) { return nn::embedding_lookup(table, ids); };
}

EmbeddingHelper::EmbeddingHelper(Embedding embedding, const Input& start_tokens,
                                 const Input& end_token, std::optional<Sampling> sampling)
    : embedding_(std::move(embedding)), sampling_(std::move(sampling)) {
  start_tokens_ = as_tensor(start_tokens, "start_tokens", DType::i32);
  end_token_ = as_tensor(end_token, "end_token", DType::i32);
  require(start_tokens_.shape().rank() == 1 || !start_tokens_.shape().has_rank(),
          "start_tokens must be a vector");
  require(end_token_.shape().rank() == 0 || !end_token_.shape().has_rank(),
          "end_token must be a scalar");
  batch_size_ = BatchSize(size(start_tokens_));
  if (start_tokens_.shape().has_rank() && start_tokens_.shape()[0] >= 0)
    batch_size_ = BatchSize(start_tokens_.shape()[0]);
  start_inputs_ = embedding_(start_tokens_);
}

HelperStart EmbeddingHelper::initialize() {
  return {raw::Fill(shape(start_tokens_), false), {start_inputs_}};
}

Output EmbeddingHelper::sample(Output, const std::vector<Output>& outputs) {
  if (!sampling_) return most_likely(outputs);
  require(outputs.size() == 1, "Expected outputs to be a single Tensor, got: ", outputs.size());
  Output logits = outputs[0];
  if (sampling_->softmax_temperature) logits = logits / *sampling_->softmax_temperature;
  const Output drawn = categorical(logits, 1, {.dtype = DType::i32, .seed = sampling_->seed});
  return squeeze(drawn, {.axis = {1}});
}

HelperStart EmbeddingHelper::next_inputs(Output, Output sample_ids) {
  const Output finished = raw::Equal(sample_ids, end_token_);
  return {finished, unless_all(finished, {start_inputs_},
                               [&] { return std::vector<Output>{embedding_(sample_ids)}; })};
}

// --- sometimes the one, sometimes the other ------------------------------------------------------

ScheduledEmbeddingTrainingHelper::ScheduledEmbeddingTrainingHelper(const Input& inputs,
                                                                   const Input& sequence_length,
                                                                   Embedding embedding,
                                                                   const Schedule& schedule,
                                                                   bool time_major)
    : TrainingHelper(inputs, sequence_length, time_major),
      embedding_(std::move(embedding)),
      schedule_(schedule) {
  probability_ = as_tensor(schedule_.sampling_probability, "sampling_probability", DType::f32);
  require(probability_.shape().rank() <= 1,
          "sampling_probability must be either a scalar or a vector. saw shape: ",
          to_text(probability_.shape()));
}

Output ScheduledEmbeddingTrainingHelper::sample(Output, const std::vector<Output>& outputs) {
  const NameScope named("ScheduledEmbeddingTrainingHelperSample");
  const Output logits = outputs.at(0);
  const Output rows = raw::Slice(shape(logits), Tensor::vector<std::int32_t>({0}),
                                 Tensor::vector<std::int32_t>({1}));
  const Output chance = random_uniform(rows, {.seed = schedule_.scheduling_seed});
  const Output drawn =
      squeeze(categorical(logits, 1, {.dtype = DType::i32, .seed = schedule_.seed}), {.axis = {1}});
  return where(chance < probability_, drawn, zeros_like(drawn) - 1);
}

HelperStart ScheduledEmbeddingTrainingHelper::next_inputs(Output time, Output sample_ids) {
  HelperStart next = TrainingHelper::next_inputs(time, sample_ids);
  const NameScope named("ScheduledEmbeddingTrainingHelperNextInputs");
  const Output chosen = embedding_(raw::Maximum(sample_ids, 0));
  next.inputs = {where(sample_ids >= 0, chosen, next.inputs.at(0))};
  return next;
}

// --- the decoder ---------------------------------------------------------------------------------

BasicDecoder::BasicDecoder(nn::Cell& cell, Helper& helper, State initial_state, Layer output_layer,
                           PartialShape output_size)
    : cell_(cell),
      helper_(helper),
      initial_state_(std::move(initial_state)),
      output_layer_(std::move(output_layer)),
      output_size_(std::move(output_size)) {
  require(!output_layer_ || output_size_.has_rank(),
          "BasicDecoder must know the output_size of its output_layer");
}

Sizes BasicDecoder::output_sizes() const {
  Sizes sizes = output_layer_ ? Sizes{output_size_} : cell_.output_sizes();
  sizes.push_back(helper_.sample_ids_shape());
  return sizes;
}

std::vector<DType> BasicDecoder::output_dtypes() const {
  require(!initial_state_.empty(), "BasicDecoder needs a state");
  std::vector<DType> dtypes(output_sizes().size(), base_type(initial_state_[0].dtype()));
  dtypes.back() = helper_.sample_ids_dtype();
  return dtypes;
}

DecoderStart BasicDecoder::initialize() {
  HelperStart start = helper_.initialize();
  return {start.finished, std::move(start.inputs), initial_state_};
}

DecoderStep BasicDecoder::step(Output time, const std::vector<Output>& inputs, const State& state) {
  const NameScope named("BasicDecoderStep");
  nn::rnn_cell::CellOutput step = cell_.step(inputs, state);
  if (output_layer_) step.outputs = {output_layer_(step.output())};
  const Output ids = helper_.sample(time, step.outputs);
  HelperStart next = helper_.next_inputs(time, ids);
  step.outputs.push_back(ids);
  return {std::move(step.outputs), std::move(step.state), std::move(next.inputs), next.finished};
}

}  // namespace rill::contrib::seq2seq
