#pragma once

#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

#include "rill/api/rnn/cell.h"

// tf.contrib.crf. Scores of tags are [batch, time, tags], tags [batch, time], lengths [batch];
// transition scores are [tags, tags], from the row's tag to the column's. Functions throw
// InvalidArgument where ranks are known and do not fit.
//
//   auto [likelihood, transitions] = contrib::crf::crf_log_likelihood(scores, tags, lengths);
//   const auto loss = -reduce_mean(likelihood);
//   auto [best_tags, best_score] = contrib::crf::crf_decode(scores, transitions, lengths);
namespace rill::contrib::crf {

// The unnormalised score of each sequence of tags, [batch]; of its tags alone; of its transitions.
Output crf_sequence_score(const Input& inputs, const Input& tag_indices,
                          const Input& sequence_lengths, const Input& transition_params,
                          std::source_location at = std::source_location::current());
Output crf_unary_score(const Input& tag_indices, const Input& sequence_lengths, const Input& inputs,
                       std::source_location at = std::source_location::current());
Output crf_binary_score(const Input& tag_indices, const Input& sequence_lengths,
                        const Input& transition_params,
                        std::source_location at = std::source_location::current());
// The logarithm of the sum over all sequences whose tags are allowed by `tag_bitmap`, booleans
// [batch, time, tags].
Output crf_multitag_sequence_score(const Input& inputs, const Input& tag_bitmap,
                                   const Input& sequence_lengths, const Input& transition_params,
                                   std::source_location at = std::source_location::current());
// The same over all sequences.
Output crf_log_norm(const Input& inputs, const Input& sequence_lengths,
                    const Input& transition_params,
                    std::source_location at = std::source_location::current());

struct LogLikelihood {
  Output log_likelihood = {}, transition_params = {};
};
// Without transitions a variable "transitions" is made of them.
LogLikelihood crf_log_likelihood(const Input& inputs, const Input& tag_indices,
                                 const Input& sequence_lengths,
                                 const OptionalInput& transition_params = {},
                                 std::source_location at = std::source_location::current());

struct Decoded {
  Output decode_tags = {}, best_score = {};  // int32 [batch, time], [batch]
};
// The best sequences of tags; 0 behind their ends.
Decoded crf_decode(const Input& potentials, const Input& transition_params,
                   const Input& sequence_length,
                   std::source_location at = std::source_location::current());

struct Viterbi {
  std::vector<std::int64_t> tags = {};
  double score = 0;
};
// The best sequence of tags for `score`, [time, tags], of which there is at least one.
Viterbi viterbi_decode(const Tensor& score, const Tensor& transition_params);

// One step of the recurrences behind these, for loops of a program's own. State and inputs are
// [batch, tags]; the first state is the scores of the first step.
Output forward_step(Output inputs, Output state, Output transition_params);
// The backpointers, int32 [batch, tags], and the next state.
std::pair<Output, Output> decode_forward_step(Output inputs, Output state,
                                              Output transition_params);
// From backpointers and tags [batch, 1], the tags before these.
Output decode_backward_step(Output inputs, Output state);

// These steps as cells.
class CrfForwardRnnCell : public nn::Cell {
 public:
  explicit CrfForwardRnnCell(const Input& transition_params);
  nn::rnn_cell::Sizes state_sizes() const override { return {PartialShape{tags_}}; }
  nn::rnn_cell::Sizes output_sizes() const override { return {PartialShape{tags_}}; }
  nn::rnn_cell::State initial_state(const nn::BatchSize& batch_size, DType dtype) override;
  nn::rnn_cell::CellOutput step(const std::vector<Output>& inputs,
                                const nn::rnn_cell::State& state) override;

 protected:
  Output transitions_;
  std::int64_t tags_;
};
class CrfDecodeForwardRnnCell : public CrfForwardRnnCell {
 public:
  using CrfForwardRnnCell::CrfForwardRnnCell;
  nn::rnn_cell::CellOutput step(const std::vector<Output>& inputs,
                                const nn::rnn_cell::State& state) override;
};
class CrfDecodeBackwardRnnCell : public nn::Cell {
 public:
  explicit CrfDecodeBackwardRnnCell(std::int64_t num_tags) : tags_(num_tags) {}
  nn::rnn_cell::Sizes state_sizes() const override { return {PartialShape{1}}; }
  nn::rnn_cell::Sizes output_sizes() const override { return {PartialShape{1}}; }
  nn::rnn_cell::State initial_state(const nn::BatchSize& batch_size, DType dtype) override;
  nn::rnn_cell::CellOutput step(const std::vector<Output>& inputs,
                                const nn::rnn_cell::State& state) override;

 private:
  std::int64_t tags_;
};

}  // namespace rill::contrib::crf
