#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/core/default_graph.h"

// tf.losses: how far predictions are from labels, as one number to be made smaller.
namespace rill::losses {

// What becomes of the weighted losses of all elements. A quotient whose divisor is zero is zero, so
// that a batch without weights costs nothing.
enum class Reduction {
  NONE,  // they stay
  SUM,
  MEAN,                 // the sum over the sum of the weights
  SUM_OVER_BATCH_SIZE,  // over the number of losses
  SUM_BY_NONZERO_WEIGHTS,
  SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS,
};
// As programs write it: "weighted_sum". Throws InvalidArgument for other texts.
Reduction reduction_of(std::string_view text);
std::string_view reduction_text(Reduction reduction);

// Weights must broadcast to the losses without making them larger: InvalidArgument where the shapes
// tell that they do not, else the step fails.
struct LossOptions {
  Input weights = 1.0;  // a scalar, or of the rank of the losses
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;  // "": none
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};

// Each of these adds the loss that it returns to the collection. Labels and predictions are cast to
// float32, and InvalidArgument is thrown where their shapes cannot be equal: they do not broadcast.
//
//   losses::mean_squared_error(labels, predictions, {.weights = per_example});
//   Output total = losses::get_total_loss();
Output compute_weighted_loss(const Input& losses, const LossOptions& options = {},
                             std::source_location at = std::source_location::current());
// |predictions - labels|
Output absolute_difference(const Input& labels, const Input& predictions,
                           const LossOptions& options = {},
                           std::source_location at = std::source_location::current());
// (predictions - labels)^2
Output mean_squared_error(const Input& labels, const Input& predictions,
                          const LossOptions& options = {},
                          std::source_location at = std::source_location::current());
// 1 - the product of unit vectors along `axis`. That they have length one is taken for granted.
Output cosine_distance(const Input& labels, const Input& predictions, std::int64_t axis,
                       const LossOptions& options = {},
                       std::source_location at = std::source_location::current());
// max(0, 1 - (2 * labels - 1) * logits), for labels 0 and 1.
Output hinge_loss(const Input& labels, const Input& logits, const LossOptions& options = {},
                  std::source_location at = std::source_location::current());

struct HuberLossOptions {
  Input weights = 1.0;
  Input delta = 1.0;  // where squares turn into a line
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};
// e**2 / 2 for errors e up to delta, delta * e - delta**2 / 2 beyond: outliers pull less.
Output huber_loss(const Input& labels, const Input& predictions,
                  const HuberLossOptions& options = {},
                  std::source_location at = std::source_location::current());

struct LogLossOptions {
  Input weights = 1.0;
  Input epsilon = 1e-7;  // keeps the logarithm from zero
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};
// -labels * log(predictions + epsilon) - (1 - labels) * log(1 - predictions + epsilon), for
// predictions that are probabilities.
Output log_loss(const Input& labels, const Input& predictions, const LogLossOptions& options = {},
                std::source_location at = std::source_location::current());

struct PairwiseLossOptions {
  Input weights = 1.0;
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
};
// The squared differences between the errors of all pairs of elements of one example: an offset
// common to a whole example costs nothing.
Output mean_pairwise_squared_error(const Input& labels, const Input& predictions,
                                   const PairwiseLossOptions& options = {},
                                   std::source_location at = std::source_location::current());

// Smoothing s makes labels labels * (1 - s) + s / 2 for the sigmoid, s / classes for the softmax.
struct CrossEntropyOptions {
  Input weights = 1.0;
  double label_smoothing = 0;  // how far labels are moved towards equal shares
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};
// Classes that do not exclude each other: each logit is a decision of its own.
Output sigmoid_cross_entropy(const Input& multi_class_labels, const Input& logits,
                             const CrossEntropyOptions& options = {},
                             std::source_location at = std::source_location::current());
// One class of several, labels being their shares. No gradient flows into the labels.
Output softmax_cross_entropy(const Input& onehot_labels, const Input& logits,
                             const CrossEntropyOptions& options = {},
                             std::source_location at = std::source_location::current());
// Labels are numbers of classes, in the shape of logits without its last dimension; a last
// dimension of 1 more is dropped.
Output sparse_softmax_cross_entropy(const Input& labels, const Input& logits,
                                    const LossOptions& options = {},
                                    std::source_location at = std::source_location::current());

// The collections of the default graph; with a scope, what has names that begin with it.
void add_loss(Output loss, const std::string& loss_collection = GraphKeys::LOSSES);
std::vector<Output> get_losses(std::string_view scope = {},
                               const std::string& loss_collection = GraphKeys::LOSSES);
std::vector<Output> get_regularization_losses(std::string_view scope = {});
// Their sum; 0 where there are none.
Output get_regularization_loss(std::string_view scope = {},
                               const std::string& name = "total_regularization_loss",
                               std::source_location at = std::source_location::current());
struct TotalLossOptions {
  bool add_regularization_losses = true;
  std::string name = "total_loss";
  std::string scope{};
};
// The sum of LOSSES and, unless told otherwise, of REGULARIZATION_LOSSES. Throws InvalidArgument
// when there are no losses.
Output get_total_loss(const TotalLossOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace rill::losses
