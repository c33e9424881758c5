#include "rill/api/seq2seq/beam_search.h"

#include <cmath>
#include <limits>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

Input known_or_tensor(const BatchSize& batch) {
  return batch.known() ? Input(static_cast<int>(*batch.known())) : Input(batch.tensor());
}

// Dimension `axis` as a scalar.
Output dim(Output x, int axis) { return slice(shape(x), {Input(axis)}); }

// Log-probabilities [batch, beam, words]; beams that are finished can only end again.
Output masked_words(Output log_probs, Output finished, Output end_token) {
  const Output words = dim(log_probs, 2);
  const Output only_end =
      one_hot(end_token, words, {.on_value = Input(0.0F), .off_value = Input(kLowest)});
  const Output everywhere = zeros_like(log_probs) + only_end;
  const Output mask = raw::Tile(expand_dims(finished, 2), stack({Input(1), Input(1), words}));
  return where(mask, everywhere, log_probs);
}

}  // namespace

Output gather_tree(const Input& step_ids, const Input& parent_ids,
                   const Input& max_sequence_lengths, const Input& end_token,
                   std::source_location at) {
  const Block in("", "GatherTree", at);
  const Output ids = as_tensor(step_ids, "step_ids"), parents = as_tensor(parent_ids, "parent_ids");
  require(ids.shape().rank() == 3 && parents.shape().rank() == 3,
          "step_ids and parent_ids must be [time, batch, beam]");
  const Output last = as_tensor(end_token, "end_token", DType::i32);
  const Output times = raw::Range(0, dim(ids, 0), 1);
  const Output lengths = expand_dims(as_tensor(max_sequence_lengths, "max_sequence_lengths"), 0);
  const Output within = expand_dims(expand_dims(times, 1) < lengths, 2);  // [time, batch, 1]
  const Output used = raw::Tile(within, stack({Input(1), Input(1), dim(ids, 2)}));
  const Output all = raw::Range(0, dim(ids, 2), 1);
  const Output self = zeros_like(slice(ids, {Input(0)})) + all;
  // Backwards: where each sequence is now, and its word there.
  const FoldFn back = [&](const std::vector<Output>& so_far, const std::vector<Output>& now) {
    const Output here = so_far[0];
    const Output word = batch_gather(now[0], here), before = batch_gather(now[1], here);
    const Output ends = zeros_like(word) + last;
    return std::vector<Input>{where(now[2], before, here), where(now[2], word, ends)};
  };
  const Output words =
      scan(back, {ids, parents, used},
           {.initializer = std::vector<Input>{self, zeros_like(self)}, .reverse = true})[1];
  const Output ended = cast(raw::Equal(words, last), DType::i32);
  const Output earlier = raw::Cumsum(ended, 0, {.exclusive = true});
  return where(earlier > 0, zeros_like(words) + last, words);
}

BeamSearchDecoder::BeamSearchDecoder(nn::Cell& cell, Embedding embedding, const Input& start_tokens,
                                     const Input& end_token, State initial_state,
                                     std::int64_t beam_width, const BeamSearchOptions& options)
    : cell_(cell),
      embedding_(std::move(embedding)),
      initial_state_(std::move(initial_state)),
      beam_width_(beam_width),
      options_(options) {
  require(beam_width >= 1 && beam_width <= (1 << 20), "beam_width must lie in [1, 2^20]; got ",
          beam_width);
  const Output tokens = as_tensor(start_tokens, "start_tokens", DType::i32);
  end_token_ = as_tensor(end_token, "end_token", DType::i32);
  require(tokens.shape().rank() == 1, "start_tokens must be a vector");
  require(end_token_.shape().rank() == 0, "end_token must be a scalar");
  batch_size_ = tokens.shape()[0] >= 0 ? BatchSize(tokens.shape()[0]) : BatchSize(size(tokens));
  const Tensor times = Tensor::vector<std::int32_t>({1, static_cast<std::int32_t>(beam_width)});
  start_tokens_ = raw::Tile(expand_dims(tokens, 1), times);
  start_inputs_ = embedding_(start_tokens_);
}

Output BeamSearchDecoder::apart(Output x) const {
  if (x.shape().rank() == 0) return x;
  const Output rest = slice(shape(x), {SliceRange{Input(1)}});
  const Output front = stack({known_or_tensor(*batch_size_), Input(static_cast<int>(beam_width_))});
  const Output result = raw::Reshape(x, concat({front, rest}, 0));
  if (x.shape().has_rank()) {
    std::vector<std::int64_t> dims{batch_size_->static_size(), beam_width_};
    dims.insert(dims.end(), x.shape().dims().begin() + 1, x.shape().dims().end());
    result.node->graph().refine_shape(result, PartialShape(dims));
  }
  return result;
}

Output BeamSearchDecoder::merged(Output x) const {
  if (x.shape().rank() == 0) return x;
  const Output rest = slice(shape(x), {SliceRange{Input(2)}});
  const Output result = raw::Reshape(x, concat({Tensor::vector<std::int32_t>({-1}), rest}, 0));
  if (x.shape().has_rank()) {
    const std::int64_t batch = batch_size_->static_size();
    std::vector<std::int64_t> dims{batch < 0 ? kUnknownDim : batch * beam_width_};
    dims.insert(dims.end(), x.shape().dims().begin() + 2, x.shape().dims().end());
    result.node->graph().refine_shape(result, PartialShape(dims));
  }
  return result;
}

Output BeamSearchDecoder::chosen(Output x, Output beams) const {
  if (x.shape().rank() == 0) return x;
  const PartialShape before = x.shape();
  const Output rows = expand_dims(raw::Range(0, known_or_tensor(*batch_size_), 1), 1);
  const Output places = merged(rows * static_cast<int>(beam_width_) + beams);
  const Output result = apart(gather(merged(x), places));
  result.node->graph().refine_shape(result, before);
  return result;
}

Output BeamSearchDecoder::penalty(Output lengths) const {
  const Output length = cast(lengths, DType::f32);
  const Output scaled = (length + 5.0F) / 6.0F;
  return raw::Pow(scaled, static_cast<float>(options_.length_penalty_weight));
}

DecoderStart BeamSearchDecoder::initialize() {
  const Output first = zeros(stack({known_or_tensor(*batch_size_)}), {.dtype = DType::i32});
  const Input width = static_cast<int>(beam_width_);
  const Output finished = one_hot(
      first, width, {.on_value = Input(false), .off_value = Input(true), .dtype = DType::boolean});
  State state;
  for (const Output& part : initial_state_) state.push_back(apart(part));
  // All beams begin alike, so that only the first counts.
  const float never = -std::numeric_limits<float>::infinity();
  state.push_back(one_hot(first, width, {.on_value = Input(0.0F), .off_value = Input(never)}));
  state.push_back(finished);
  state.push_back(zeros_like(finished, {.dtype = DType::i64}));
  return {finished, {start_inputs_}, std::move(state)};
}

DecoderStep BeamSearchDecoder::step(Output, const std::vector<Output>& inputs, const State& state) {
  const NameScope named("BeamSearchDecoderStep");
  const std::size_t own = initial_state_.size();
  require(state.size() == own + 3, "the state of this decoder has ", own + 3, " tensors, not ",
          state.size());
  const Output log_probs = state[own], finished = state[own + 1], lengths = state[own + 2];
  State cell_state;
  for (std::size_t i = 0; i < own; ++i) cell_state.push_back(merged(state[i]));
  nn::rnn_cell::CellOutput step = cell_.step({merged(inputs.at(0))}, cell_state);
  const Output logits =
      options_.output_layer ? options_.output_layer(step.output()) : step.output();
  const Output words = masked_words(nn::log_softmax(apart(logits)), finished, end_token_);
  const Output totals = expand_dims(log_probs, 2) + words;

  const Output count = dim(totals, 2);
  const Output ends = one_hot(end_token_, count,
                              {.on_value = Input(std::int64_t{0}),
                               .off_value = Input(std::int64_t{1}),
                               .dtype = DType::i64});
  const Output goes_on = cast(raw::LogicalNot(finished), DType::i64);
  const Output longer = expand_dims(lengths, 2) + expand_dims(goes_on, 2) * ends;
  const Output scores = options_.length_penalty_weight == 0 ? totals : totals / penalty(longer);
  const Output in_rows = stack({known_or_tensor(*batch_size_), Input(-1)});
  const auto best = raw::TopKV2(raw::Reshape(scores, in_rows), static_cast<int>(beam_width_));
  const Output word_ids = raw::FloorMod(best.indices, count);
  const Output parents = raw::FloorDiv(best.indices, count);

  State next;
  for (const Output& part : step.state) next.push_back(chosen(apart(part), parents));
  next.push_back(batch_gather(raw::Reshape(totals, in_rows), best.indices));
  const Output was_finished = chosen(finished, parents);
  next.push_back(raw::LogicalOr(was_finished, raw::Equal(word_ids, end_token_)));
  const Output now_finished = next.back();
  next.push_back(chosen(lengths, parents) + cast(raw::LogicalNot(was_finished), DType::i64));
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i].node->graph().refine_shape(next[i], state[i].shape());
  const Output next_inputs = cond_one(
      reduce_all(now_finished), [&] { return start_inputs_; },
      [&] { return embedding_(word_ids); });
  return {{best.values, word_ids, parents}, std::move(next), {next_inputs}, now_finished};
}

void BeamSearchDecoder::finalize(std::vector<Output>& outputs, State& state, Output) {
  const Output longest = cast(
      reduce_max(state.back(), {.axis = Input(Tensor::vector<std::int32_t>({1}))}), DType::i32);
  outputs.insert(outputs.begin(), gather_tree(outputs[1], outputs[2], longest, end_token_));
}

}  // namespace rill::contrib::seq2seq
