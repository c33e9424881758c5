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

// What becomes of the weighted losses of all elements.
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

struct LossOptions {
  Input weights = 1.0;  // a scalar, or of the rank of the losses
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;  // "": none
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};

// Each of these adds the loss that it returns to the collection.
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
// 1 - the product of unit vectors along `axis`.
Output cosine_distance(const Input& labels, const Input& predictions, std::int64_t axis,
                       const LossOptions& options = {},
                       std::source_location at = std::source_location::current());
// max(0, 1 - (2 * labels - 1) * logits)
Output hinge_loss(const Input& labels, const Input& logits, const LossOptions& options = {},
                  std::source_location at = std::source_location::current());

struct HuberLossOptions {
  Input weights = 1.0;
  Input delta = 1.0;  // where squares turn into a line
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};
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
Output log_loss(const Input& labels, const Input& predictions, const LogLossOptions& options = {},
                std::source_location at = std::source_location::current());

struct PairwiseLossOptions {
  Input weights = 1.0;
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
};
// The squared differences between the errors of all pairs of elements of one example.
Output mean_pairwise_squared_error(const Input& labels, const Input& predictions,
                                   const PairwiseLossOptions& options = {},
                                   std::source_location at = std::source_location::current());

struct CrossEntropyOptions {
  Input weights = 1.0;
  double label_smoothing = 0;  // how far labels are moved towards equal shares
  std::string scope{};
  std::string loss_collection = GraphKeys::LOSSES;
  Reduction reduction = Reduction::SUM_BY_NONZERO_WEIGHTS;
};
Output sigmoid_cross_entropy(const Input& multi_class_labels, const Input& logits,
                             const CrossEntropyOptions& options = {},
                             std::source_location at = std::source_location::current());
Output softmax_cross_entropy(const Input& onehot_labels, const Input& logits,
                             const CrossEntropyOptions& options = {},
                             std::source_location at = std::source_location::current());
// Labels are numbers of classes.
Output sparse_softmax_cross_entropy(const Input& labels, const Input& logits,
                                    const LossOptions& options = {},
                                    std::source_location at = std::source_location::current());

// The collections of the default graph; with a scope, what has names that begin with it.
void add_loss(Output loss, const std::string& loss_collection = GraphKeys::LOSSES);
std::vector<Output> get_losses(std::string_view scope = {},
                               const std::string& loss_collection = GraphKeys::LOSSES);
std::vector<Output> get_regularization_losses(std::string_view scope = {});
Output get_regularization_loss(std::string_view scope = {},
                               const std::string& name = "total_regularization_loss",
                               std::source_location at = std::source_location::current());
struct TotalLossOptions {
  bool add_regularization_losses = true;
  std::string name = "total_loss";
  std::string scope{};
};
// Throws InvalidArgument when there are no losses.
Output get_total_loss(const TotalLossOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace rill::losses
