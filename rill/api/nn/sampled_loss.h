#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/nn/embedding.h"
#include "rill/api/random/candidate_samplers.h"

namespace rill::nn {

// Losses over many classes that look at a sample of them.

struct AccidentalHits {
  Output indices = {}, ids = {},
         weights = {};  // row, place in the sample, and what to add to the logit
};
struct AccidentalHitsOptions {
  std::optional<std::int64_t> seed{};
  std::string name{};
};
// Where sampled classes are true ones. The weights are about minus infinity, so that such a class
// no longer counts as a wrong one.
AccidentalHits compute_accidental_hits(const Input& true_classes, const Input& sampled_candidates,
                                       std::int64_t num_true,
                                       const AccidentalHitsOptions& options = {},
                                       std::source_location at = std::source_location::current());

// Samples should be drawn by how frequent classes are: the default sampler takes classes to be
// numbered by falling frequency.
struct SampledLossOptions {
  std::int64_t num_true = 1;                         // true classes of each example
  std::optional<CandidateSamples> sampled_values{};  // log-uniform when absent
  std::optional<bool> remove_accidental_hits{};      // the loss's own default
  std::string partition_strategy = "mod";
  std::string name{};
  std::optional<std::int64_t> seed{};  // of sampled_softmax_loss
};
// Noise-contrastive estimation: whether each class, true or sampled, is told from noise. Weights
// are [classes, features], biases [classes], labels [batch, num_true], inputs [batch, features];
// the result is [batch]. For training only: to evaluate, compute all logits.
Output nce_loss(const EmbeddingTable& weights, const EmbeddingTable& biases, const Input& labels,
                const Input& inputs, std::int64_t num_sampled, std::int64_t num_classes,
                const SampledLossOptions& options = {},
                std::source_location at = std::source_location::current());
// The softmax cross entropy over true and sampled classes.
Output sampled_softmax_loss(const EmbeddingTable& weights, const EmbeddingTable& biases,
                            const Input& labels, const Input& inputs, std::int64_t num_sampled,
                            std::int64_t num_classes, const SampledLossOptions& options = {},
                            std::source_location at = std::source_location::current());

}  // namespace rill::nn
