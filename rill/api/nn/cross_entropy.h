#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct LossOptions {
  std::string name{};
};
// The cross entropy of independent yes-or-no questions, from logits. Throws InvalidArgument unless
// shapes fit.
Output sigmoid_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const LossOptions& options = {},
                                         std::source_location at = std::source_location::current());
// The same where what is true counts `pos_weight` times.
Output weighted_cross_entropy_with_logits(
    const Input& labels, const Input& logits, const Input& pos_weight,
    const LossOptions& options = {}, std::source_location at = std::source_location::current());

struct CrossEntropyOptions {
  int axis = -1;  // of the classes
  std::string name{};
};
// The cross entropy between distributions over classes, from logits. Gradients reach the labels.
Output softmax_cross_entropy_with_logits_v2(
    const Input& labels, const Input& logits, const CrossEntropyOptions& options = {},
    std::source_location at = std::source_location::current());
// The same without gradients for the labels.
Output softmax_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const CrossEntropyOptions& options = {},
                                         std::source_location at = std::source_location::current());
// The same for labels that are numbers of classes. Throws InvalidArgument unless the labels have
// the shape of the logits without its last dimension.
Output sparse_softmax_cross_entropy_with_logits(
    const Input& labels, const Input& logits, const LossOptions& options = {},
    std::source_location at = std::source_location::current());

struct LogPoissonOptions {
  bool compute_full_loss = false;  // with Stirling's approximation of the constant
  std::string name{};
};
// Minus the logarithm of the probability of counts, from the logarithms of their rates.
Output log_poisson_loss(const Input& targets, const Input& log_input,
                        const LogPoissonOptions& options = {},
                        std::source_location at = std::source_location::current());

}  // namespace rill::nn
