#include "rill/api/core/basic_ops.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/losses/losses.h"
#include "rill/api/math/arithmetic.h"

namespace rill::losses {
namespace {

Output sum_of(const std::vector<Output>& losses, const std::string& name, std::source_location at) {
  return add_n({losses.begin(), losses.end()}, {.name = name}, at);
}

}  // namespace

// Eagerly nobody collects them, as nobody would let go of them.
void add_loss(Output loss, const std::string& loss_collection) {
  if (!loss_collection.empty() && !executing_eagerly()) add_to_collection(loss_collection, loss);
}

std::vector<Output> get_losses(std::string_view scope, const std::string& loss_collection) {
  return get_tensor_collection(loss_collection, scope);
}

std::vector<Output> get_regularization_losses(std::string_view scope) {
  return get_tensor_collection(GraphKeys::REGULARIZATION_LOSSES, scope);
}

Output get_regularization_loss(std::string_view scope, const std::string& name,
                               std::source_location at) {
  const std::vector<Output> losses = get_regularization_losses(scope);
  return losses.empty() ? constant(0.0, {}, at) : sum_of(losses, name, at);
}

Output get_total_loss(const TotalLossOptions& options, std::source_location at) {
  std::vector<Output> losses = get_losses(options.scope);
  if (options.add_regularization_losses)
    for (const Output& loss : get_regularization_losses(options.scope)) losses.push_back(loss);
  return sum_of(losses, options.name, at);
}

}  // namespace rill::losses
