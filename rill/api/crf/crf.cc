#include "rill/api/crf/crf.h"

#include <algorithm>
#include <limits>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/search.h"
#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/api/variables/get_variable.h"

namespace rill::contrib::crf {
namespace {

Output ranked(const Input& given, const char* name, int rank, DType dtype = DType::invalid) {
  const Output value =
      dtype == DType::invalid ? as_tensor(given, name) : as_tensor(given, name, dtype);
  const PartialShape& shape = value.shape();
  require(!shape.has_rank() || shape.rank() == rank, name, " should have rank ", rank,
          ", but its shape is ", shape);
  return value;
}

Output lengths_of(const Input& given) {
  const Output lengths = as_tensor(given, "sequence_lengths");
  return lengths.dtype() == DType::i64 ? lengths : cast(lengths, DType::i32);
}

Output all_but_first_step(Output x) {
  return slice(x, {SliceRange{}, SliceRange{.start = Input(1)}});
}
Output all_but_last_step(Output x) {
  return slice(x, {SliceRange{}, SliceRange{.stop = Input(-1)}});
}
Output first_step(Output x) { return slice(x, {SliceRange{}, Input(0)}); }

// The steps behind the first.
Output lengths_of_rest(Output lengths) {
  return raw::Maximum(lengths - Input(1), zeros_like(lengths));
}

Output steps_of(Output x) { return slice(shape(x), {Input(1)}); }

Output mask_of(Output lengths, Output steps, DType dtype) {
  const Output maxlen = lengths.dtype() == DType::i64 ? cast(steps, DType::i64) : steps;
  return sequence_mask(lengths, {.maxlen = Input(maxlen), .dtype = dtype});
}

// Sequences of one step need no loop, whose gradient would have nothing to gather.
std::vector<Output> by_steps(Output scores, const BranchFn& one, const BranchFn& several) {
  const PartialShape& shape = scores.shape();
  if (shape.has_rank() && shape[1] >= 0) return shape[1] == 1 ? one() : several();
  return cond(raw::Equal(steps_of(scores), 1), one, several);
}

}  // namespace

Output crf_unary_score(const Input& tag_indices, const Input& sequence_lengths, const Input& inputs,
                       std::source_location at) {
  const Block in({}, "crf_unary_score", at);
  const Output tags = ranked(tag_indices, "tag_indices", 2), scores = ranked(inputs, "inputs", 3);
  const Output depth = slice(shape(scores), {Input(2)});
  const Output picked = reduce_sum(
      scores * one_hot(tags, depth, {.dtype = base_type(scores.dtype())}), {.axis = Input(2)});
  return reduce_sum(
      picked * mask_of(lengths_of(sequence_lengths), steps_of(tags), base_type(scores.dtype())),
      {.axis = Input(1)});
}

Output crf_binary_score(const Input& tag_indices, const Input& sequence_lengths,
                        const Input& transition_params, std::source_location at) {
  const Block in({}, "crf_binary_score", at);
  const Output tags = ranked(tag_indices, "tag_indices", 2);
  const Output transitions = ranked(transition_params, "transition_params", 2);
  const Output from = all_but_last_step(tags), to = all_but_first_step(tags);
  const Output pairs = stack({from, to}, {.axis = 2});
  const Output picked = gather_nd(transitions, pairs);
  const Output mask = mask_of(lengths_of_rest(lengths_of(sequence_lengths)), steps_of(to),
                              base_type(transitions.dtype()));
  return reduce_sum(picked * mask, {.axis = Input(1)});
}

Output crf_sequence_score(const Input& inputs, const Input& tag_indices,
                          const Input& sequence_lengths, const Input& transition_params,
                          std::source_location at) {
  const Block in({}, "crf_sequence_score", at);
  return crf_unary_score(tag_indices, sequence_lengths, inputs) +
         crf_binary_score(tag_indices, sequence_lengths, transition_params);
}

Output crf_log_norm(const Input& inputs, const Input& sequence_lengths,
                    const Input& transition_params, std::source_location at) {
  const Block in({}, "crf_log_norm", at);
  const Output scores = ranked(inputs, "inputs", 3), lengths = lengths_of(sequence_lengths);
  const auto several = [&]() -> std::vector<Output> {
    CrfForwardRnnCell cell(transition_params);
    const nn::DynamicRnn sums =
        nn::dynamic_rnn(cell, all_but_first_step(scores),
                        {.sequence_length = Input(lengths_of_rest(lengths)),
                         .initial_state = std::vector<Input>{first_step(scores)}});
    return {reduce_logsumexp(sums.state.at(0), {.axis = Input(1)})};
  };
  const auto one = [&]() -> std::vector<Output> {
    return {reduce_logsumexp(first_step(scores), {.axis = Input(1)})};
  };
  const Output norm = by_steps(scores, one, several).at(0);
  return where(raw::LessEqual(lengths, zeros_like(lengths)), zeros_like(norm), norm);
}

Output crf_multitag_sequence_score(const Input& inputs, const Input& tag_bitmap,
                                   const Input& sequence_lengths, const Input& transition_params,
                                   std::source_location at) {
  const Block in({}, "crf_multitag_sequence_score", at);
  const Output scores = ranked(inputs, "inputs", 3);
  const Output allowed = ranked(tag_bitmap, "tag_bitmap", 3, DType::boolean);
  const Output never = raw::Fill(shape(scores), cast(Input(-std::numeric_limits<float>::infinity()),
                                                     base_type(scores.dtype())));
  return crf_log_norm(where(allowed, scores, never), sequence_lengths, transition_params);
}

LogLikelihood crf_log_likelihood(const Input& inputs, const Input& tag_indices,
                                 const Input& sequence_lengths,
                                 const OptionalInput& transition_params, std::source_location at) {
  const MadeAt made(at);
  const Output scores = ranked(inputs, "inputs", 3);
  Output transitions;
  if (transition_params) {
    transitions = ranked(*transition_params, "transition_params", 2);
  } else {
    const std::int64_t tags = scores.shape().has_rank() ? scores.shape()[2] : kUnknownDim;
    require(tags >= 0, "The number of tags must be known to make transition_params.");
    transitions = as_tensor(get_variable("transitions", PartialShape{tags, tags}), "transitions");
  }
  const Output score = crf_sequence_score(scores, tag_indices, sequence_lengths, transitions);
  return {score - crf_log_norm(scores, sequence_lengths, transitions), transitions};
}

// --- the best tags
// --------------------------------------------------------------------------------

namespace {

Output best_tag(Output scores) {
  return expand_dims(cast(argmax(scores, {.axis = Input(1)}), DType::i32), Input(1));
}

Decoded decode_steps(Output scores, const Input& transition_params, Output lengths) {
  const Output rest = lengths_of_rest(lengths);
  CrfDecodeForwardRnnCell forward(transition_params);
  const nn::DynamicRnn found =
      nn::dynamic_rnn(forward, all_but_first_step(scores),
                      {.sequence_length = Input(rest),
                       .initial_state = std::vector<Input>{first_step(scores)},
                       .dtype = DType::i32,
                       .scope = "crf_fwd"});
  const Output last = found.state.at(0), last_tag = best_tag(last);
  // From the last tag to the first.
  const Output backpointers = raw::ReverseSequence(found.output(), rest, 1);
  CrfDecodeBackwardRnnCell backward(scores.shape().has_rank() ? scores.shape()[2] : kUnknownDim);
  const Output before = nn::dynamic_rnn(backward, backpointers,
                                        {.sequence_length = Input(rest),
                                         .initial_state = std::vector<Input>{last_tag},
                                         .dtype = DType::i32,
                                         .scope = "crf_bwd"})
                            .output();
  const Output tags = concat({last_tag, squeeze(before, {.axis = {2}})}, 1);
  return {raw::ReverseSequence(tags, lengths, 1), reduce_max(last, {.axis = Input(1)})};
}

}  // namespace

Decoded crf_decode(const Input& potentials, const Input& transition_params,
                   const Input& sequence_length, std::source_location at) {
  const Block in({}, "crf_decode", at);
  const Output scores = ranked(potentials, "potentials", 3), lengths = lengths_of(sequence_length);
  const auto one = [&]() -> std::vector<Output> {
    const Output only = first_step(scores);
    return {best_tag(only), reduce_max(only, {.axis = Input(1)})};
  };
  const auto several = [&]() -> std::vector<Output> {
    const Decoded found = decode_steps(scores, transition_params, lengths);
    return {found.decode_tags, found.best_score};
  };
  const std::vector<Output> found = by_steps(scores, one, several);
  return {found[0], found[1]};
}

Viterbi viterbi_decode(const Tensor& score, const Tensor& transition_params) {
  require(score.rank() == 2 && score.dim(0) > 0 && score.dim(1) > 0,
          "score should be [time, tags] of at least one step, but its shape is ", score.shape());
  const auto steps = static_cast<std::size_t>(score.dim(0)),
             tags = static_cast<std::size_t>(score.dim(1));
  require(transition_params.shape() == Shape({score.dim(1), score.dim(1)}),
          "transition_params should be [", tags, ",", tags, "], but its shape is ",
          transition_params.shape());
  const auto scores = score.flat<double>(), transitions = transition_params.flat<double>();
  std::vector<double> best(scores.begin(), scores.begin() + score.dim(1)), next(tags);
  std::vector<std::size_t> pointers(steps * tags);
  for (std::size_t t = 1; t < steps; ++t) {
    for (std::size_t to = 0; to < tags; ++to) {
      std::size_t from = 0;
      for (std::size_t k = 1; k < tags; ++k)
        if (best[k] + transitions[k * tags + to] > best[from] + transitions[from * tags + to])
          from = k;
      pointers[t * tags + to] = from;
      next[to] = scores[t * tags + to] + best[from] + transitions[from * tags + to];
    }
    std::swap(best, next);
  }
  auto tag = static_cast<std::size_t>(std::ranges::max_element(best) - best.begin());
  Viterbi result{std::vector<std::int64_t>(steps), best[tag]};
  for (std::size_t t = steps; t-- > 0; tag = pointers[t * tags + tag])
    result.tags[t] = static_cast<std::int64_t>(tag);
  return result;
}

// --- steps and cells
// ------------------------------------------------------------------------------

Output forward_step(Output inputs, Output state, Output transition_params) {
  const Output sums = expand_dims(state, Input(2)) + expand_dims(transition_params, Input(0));
  return inputs + reduce_logsumexp(sums, {.axis = Input(1)});
}

std::pair<Output, Output> decode_forward_step(Output inputs, Output state,
                                              Output transition_params) {
  const Output sums = expand_dims(state, Input(2)) + expand_dims(transition_params, Input(0));
  return {cast(argmax(sums, {.axis = Input(1)}), DType::i32),
          inputs + reduce_max(sums, {.axis = Input(1)})};
}

Output decode_backward_step(Output inputs, Output state) {
  const Output tags = squeeze(state, {.axis = {1}});
  const Output depth = slice(shape(inputs), {Input(1)});
  const Output picked =
      reduce_sum(inputs * one_hot(tags, depth, {.dtype = DType::i32}), {.axis = Input(1)});
  return expand_dims(picked, Input(1));
}

CrfForwardRnnCell::CrfForwardRnnCell(const Input& transition_params)
    : transitions_(ranked(transition_params, "transition_params", 2)),
      tags_(transitions_.shape().has_rank() ? transitions_.shape()[0] : kUnknownDim) {}

nn::rnn_cell::State CrfForwardRnnCell::initial_state(const nn::BatchSize& batch_size, DType dtype) {
  return nn::zero_tensors(state_sizes(), batch_size, dtype);
}

nn::rnn_cell::CellOutput CrfForwardRnnCell::step(const std::vector<Output>& inputs,
                                                 const nn::rnn_cell::State& state) {
  const Output next = forward_step(inputs.at(0), state.at(0), transitions_);
  return {{next}, {next}};
}

nn::rnn_cell::CellOutput CrfDecodeForwardRnnCell::step(const std::vector<Output>& inputs,
                                                       const nn::rnn_cell::State& state) {
  const auto [pointers, next] = decode_forward_step(inputs.at(0), state.at(0), transitions_);
  return {{pointers}, {next}};
}

nn::rnn_cell::State CrfDecodeBackwardRnnCell::initial_state(const nn::BatchSize& batch_size,
                                                            DType dtype) {
  return nn::zero_tensors(state_sizes(), batch_size, dtype);
}

nn::rnn_cell::CellOutput CrfDecodeBackwardRnnCell::step(const std::vector<Output>& inputs,
                                                        const nn::rnn_cell::State& state) {
  const Output before = decode_backward_step(inputs.at(0), state.at(0));
  return {{before}, {before}};
}

}  // namespace rill::contrib::crf
