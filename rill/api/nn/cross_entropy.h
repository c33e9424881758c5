#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct LossOptions {
  std::string name{};
};
// The cross entropy of independent yes-or-no questions, from logits x and labels z in [0, 1]:
// max(x, 0) - x * z + log(1 + exp(-|x|)), which does not overflow. One loss for each element.
// Throws InvalidArgument unless shapes fit.
Output sigmoid_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const LossOptions& options = {},
                                         std::source_location at = std::source_location::current());
// The same where what is true counts `pos_weight` times: above 1 finds more, below 1 errs less.
Output weighted_cross_entropy_with_logits(
    const Input& labels, const Input& logits, const Input& pos_weight,
    const LossOptions& options = {}, std::source_location at = std::source_location::current());

struct CrossEntropyOptions {
  int axis = -1;  // of the classes
  std::string name{};
};
// -sum(labels * log_softmax(logits)) along `axis`: the cross entropy between distributions over
// classes, from logits. Labels should sum to 1, which is not checked. The result lacks the axis.
// Gradients reach the labels.
Output softmax_cross_entropy_with_logits_v2(
    const Input& labels, const Input& logits, const CrossEntropyOptions& options = {},
    std::source_location at = std::source_location::current());
// The same without gradients for the labels.
Output softmax_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const CrossEntropyOptions& options = {},
                                         std::source_location at = std::source_location::current());
// The same for labels that are numbers of classes, int32 or int64. Throws InvalidArgument unless
// the labels have the shape of the logits without its last dimension. A number that no class has
// fails the step on a CPU.
Output sparse_softmax_cross_entropy_with_logits(
    const Input& labels, const Input& logits, const LossOptions& options = {},
    std::source_location at = std::source_location::current());

// By name, so that nobody mixes them up: f({.labels = y, .logits = x}).
struct LabelsAndLogits {
  Input labels, logits;
  std::string name = {};
};
inline Output sigmoid_cross_entropy_with_logits(
    const LabelsAndLogits& of, std::source_location at = std::source_location::current()) {
  return sigmoid_cross_entropy_with_logits(of.labels, of.logits, {.name = of.name}, at);
}
inline Output softmax_cross_entropy_with_logits_v2(
    const LabelsAndLogits& of, std::source_location at = std::source_location::current()) {
  return softmax_cross_entropy_with_logits_v2(of.labels, of.logits, {.name = of.name}, at);
}
inline Output softmax_cross_entropy_with_logits(
    const LabelsAndLogits& of, std::source_location at = std::source_location::current()) {
  return softmax_cross_entropy_with_logits(of.labels, of.logits, {.name = of.name}, at);
}
inline Output sparse_softmax_cross_entropy_with_logits(
    const LabelsAndLogits& of, std::source_location at = std::source_location::current()) {
  return sparse_softmax_cross_entropy_with_logits(of.labels, of.logits, {.name = of.name}, at);
}

struct LogPoissonOptions {
  bool compute_full_loss = false;  // with Stirling's approximation of the constant
  std::string name{};
};
// Minus the logarithm of the probability of counts z, from the logarithms c of their rates: exp(c)
// - z * c, and z * log(z) - z + log(2 pi z) / 2 more with compute_full_loss.
Output log_poisson_loss(const Input& targets, const Input& log_input,
                        const LogPoissonOptions& options = {},
                        std::source_location at = std::source_location::current());

}  // namespace rill::nn
