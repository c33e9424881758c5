#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

// Sequences with nodes for every step: tf.contrib.legacy_seq2seq.
namespace rill::contrib::legacy_seq2seq {

using nn::rnn_cell::State;

// What the next input is after an output, in place of the one that is given.
using LoopFunction = std::function<Output(Output previous, int step)>;

struct DecodedSteps {
  std::vector<Output> outputs = {};
  State state = {};
};
// loop_function: from the second step on its result takes the place of the given input, which may
// be Output() then, as when a model reads its own words.
struct RnnDecoderOptions {
  LoopFunction loop_function = {};
  rill::layers::ScopeChoice scope = {};  // "rnn_decoder"
};
// One step for each input, which are [batch, size].
DecodedSteps rnn_decoder(const std::vector<Output>& decoder_inputs, const State& initial_state,
                         nn::Cell& cell, const RnnDecoderOptions& options = {},
                         std::source_location at = std::source_location::current());

struct AttentionDecoderOptions {
  std::optional<std::int64_t> output_size = {};  // the cell's
  int num_heads = 1;
  LoopFunction loop_function = {};
  DType dtype = DType::invalid;          // the scope's
  rill::layers::ScopeChoice scope = {};  // "attention_decoder"
  bool initial_state_attention = false;  // look at the memory before the first step
};
// rnn_decoder that looks into attention_states [batch, time, size] after each step. Throws
// InvalidArgument when there are no inputs or heads, or a size is not known.
DecodedSteps attention_decoder(const std::vector<Output>& decoder_inputs,
                               const State& initial_state, Output attention_states, nn::Cell& cell,
                               const AttentionDecoderOptions& options = {},
                               std::source_location at = std::source_location::current());

// The row of the most likely word, after a projection where there is one, as next input.
struct OutputProjection {
  Input weights, biases;
};
LoopFunction argmax_and_embed(std::function<Output(Output ids)> embedding,
                              std::optional<OutputProjection> output_projection = {},
                              bool update_embedding = true);

using LossFunction = std::function<Output(Output labels, Output logits)>;
// average_across_timesteps divides by the sum of the weights, which may be small but not zero.
struct SequenceLossByExampleOptions {
  bool average_across_timesteps = true;
  LossFunction softmax_loss_function = {};
  std::string name = {};
};
// The weighted cross entropy of each example; logits, targets and weights are lists over time.
// Throws InvalidArgument when their lengths differ.
Output sequence_loss_by_example(const std::vector<Output>& logits,
                                const std::vector<Output>& targets,
                                const std::vector<Output>& weights,
                                const SequenceLossByExampleOptions& options = {},
                                std::source_location at = std::source_location::current());
struct SequenceLossOptions {
  bool average_across_timesteps = true, average_across_batch = true;
  LossFunction softmax_loss_function = {};
  std::string name = {};
};
// The same summed over the examples, or averaged.
Output sequence_loss(const std::vector<Output>& logits, const std::vector<Output>& targets,
                     const std::vector<Output>& weights, const SequenceLossOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill::contrib::legacy_seq2seq
