#include "rill/api/core/control_flow.h"
#include "rill/api/estimator/heads/single_head.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/train/global_step.h"

namespace rill::estimator {

Output sum_of(const std::vector<Output>& losses) {
  if (losses.empty()) return {};
  return add_n(std::vector<Input>(losses.begin(), losses.end()));
}

void require_one_way_to_train(const HeadCall& call) {
  const bool has_optimizer = call.optimizer || call.keras_optimizer;
  require(!has_optimizer || !call.train_op_fn, "train_op_fn and optimizer cannot both be set.");
  require(has_optimizer || call.train_op_fn, "train_op_fn and optimizer cannot both be None.");
}

Runnable training_op(const HeadCall& call, Output loss) {
  require_one_way_to_train(call);
  if (call.train_op_fn) return call.train_op_fn(loss);
  if (call.optimizer)
    return call.optimizer->minimize(loss, {.global_step = train::get_global_step()});
  require(call.trainable_variables.has_value(), "trainable_variables cannot be None. Given None");
  return call.keras_optimizer->get_updates(loss, *call.trainable_variables);
}

Runnable with_update_ops(Runnable train_op, const std::vector<Runnable>& update_ops) {
  std::vector<Node*> nodes = {&train_op.node()};
  for (const Runnable& op : update_ops) nodes.push_back(&op.node());
  return group(nodes);
}

}  // namespace rill::estimator
