#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/sparse/sparse_tensor.h"

namespace rill::nn {

// Connectionist temporal classification: sequences of labels spelled by longer sequences of logits,
// with blanks and repetitions in between. Logits are [time, batch, classes].

// preprocess_collapse_repeated: labels that repeat count once. ctc_merge_repeated: logits that
// repeat a class without a blank between spell it once. ignore_longer_outputs_than_inputs: examples
// whose labels do not fit have loss 0; otherwise they fail the step.
struct CtcLossOptions {
  bool preprocess_collapse_repeated = false;
  bool ctc_merge_repeated = true;
  bool ignore_longer_outputs_than_inputs = false;
  bool time_major = true;  // false: [batch, time, classes]
};
// Minus the logarithm of the probability of the labels. The last class is the blank.
Output ctc_loss(const SparseTensor& labels, const Input& inputs, const Input& sequence_length,
                const CtcLossOptions& options = {},
                std::source_location at = std::source_location::current());

struct CtcLossV2Options {
  bool logits_time_major = true;
  std::optional<std::int64_t> blank_index{};  // counted from the end where it is negative
  std::string name{};
};
// The same with any class as the blank, which must be said.
Output ctc_loss_v2(const SparseTensor& labels, const Input& logits, const Input& logit_length,
                   const CtcLossV2Options& options,
                   std::source_location at = std::source_location::current());
// The same for labels [batch, longest], of which the first `label_length` count; the first class is
// the blank unless another is named. Labels that do not fit into their logits have the loss
// -log(1e-307).
Output ctc_loss_v2(const Input& labels, const Input& logits, const Input& label_length,
                   const Input& logit_length, const CtcLossV2Options& options = {},
                   std::source_location at = std::source_location::current());

struct CtcDecoded {
  std::vector<SparseTensor> decoded = {};
  Output log_probability = {};  // minus the sum of logits for the greedy decoder
};
// merge_repeated: a class that repeats without a blank between counts once.
struct GreedyDecoderOptions {
  bool merge_repeated = true;
};
// The labels of the largest logits.
CtcDecoded ctc_greedy_decoder(const Input& inputs, const Input& sequence_length,
                              const GreedyDecoderOptions& options = {},
                              std::source_location at = std::source_location::current());
// top_paths: how many answers for each example, at most beam_width; `decoded` has so many.
struct BeamSearchOptions {
  std::int64_t beam_width = 100, top_paths = 1;
  bool merge_repeated = true;  // false for ctc_beam_search_decoder_v2
};
// The likeliest labels that a search finds.
CtcDecoded ctc_beam_search_decoder(const Input& inputs, const Input& sequence_length,
                                   const BeamSearchOptions& options = {},
                                   std::source_location at = std::source_location::current());
CtcDecoded ctc_beam_search_decoder_v2(const Input& inputs, const Input& sequence_length,
                                      const BeamSearchOptions& options = {},
                                      std::source_location at = std::source_location::current());

struct CtcOptions {
  std::string name{};
};
// Labels [batch, longest] without those that follow themselves, and how many are left.
std::pair<Output, Output> collapse_repeated(
    const Input& labels, const Input& seq_length, const CtcOptions& options = {},
    std::source_location at = std::source_location::current());
// The different labels of each row, and which of them each label is.
std::pair<Output, Output> ctc_unique_labels(
    const Input& labels, const CtcOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill::nn
