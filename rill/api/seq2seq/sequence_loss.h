#pragma once

#include <functional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::contrib::seq2seq {

struct SequenceLossOptions {
  bool average_across_timesteps = true, average_across_batch = true;
  bool sum_over_timesteps = false, sum_over_batch = false;
  // The loss of flat labels and logits; cross entropy.
  std::function<Output(Output labels, Output logits)> softmax_loss_function = {};
  std::string name = {};
};
// The weighted cross entropy of logits [batch, time, classes] for targets [batch, time], summed or
// averaged; an average divides by the sum of the weights. Weights of 0 hide padding. Throws
// InvalidArgument for other ranks, or when both is asked for.
Output sequence_loss(const Input& logits, const Input& targets, const Input& weights,
                     const SequenceLossOptions& options = {},
                     std::source_location at = std::source_location::current());

// Each example `multiplier` times, one after the other: [batch * multiplier, ...], as a beam search
// needs its states.
Output tile_batch(const Input& t, const Input& multiplier, const std::string& name = {},
                  std::source_location at = std::source_location::current());

}  // namespace rill::contrib::seq2seq
