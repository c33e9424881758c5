#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/gen/array.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/train/optimizer.h"
#include "rill/api/train/parts.h"

namespace rill::train {

Node& Optimizer::apply_in_replica(const std::vector<GradientAndVariable>& items,
                                  const ApplyGradientsOptions& options, std::source_location at) {
  distribute::ReplicaContext* const replica = distribute::get_replica_context();
  if (replica == nullptr)
    raise(Code::kFailedPrecondition,
          "Use `_distributed_apply()` instead of `apply_gradients()` in a cross-replica context.");
  std::vector<GradientAndVariable> changed;
  std::ranges::copy_if(items, std::back_inserter(changed),
                       [](const auto& item) { return !item.gradient.empty(); });
  require(!changed.empty(),
          "No gradients provided for any variable: ", items.front().variable.name(),
          items.size() > 1 ? ", ..." : "", ".");
  return *replica->merge_call(
      [&](distribute::StrategyExtended& strategy, const OfReplicas& all) {
        return apply_outside(strategy, all, options, at);
      },
      changed);
}

namespace {

using ToReduce = distribute::StrategyExtended::ToReduce;

// The gradients of each variable, of all replicas.
std::vector<ToReduce> by_variable(distribute::StrategyExtended& strategy,
                                  const std::vector<std::vector<GradientAndVariable>>& items) {
  std::vector<ToReduce> all;
  for (std::size_t j = 0; j < items.front().size(); ++j) {
    const Variable variable = items.front()[j].variable.whole();
    ToReduce& one = all.emplace_back();
    for (const auto& replica : items) {
      require(j < replica.size() && replica[j].variable.whole() == variable,
              "The replicas have gradients of different variables: ", variable.name(),
              " is one that not all of them have");
      one.values.push_back(replica[j].gradient);
    }
    one.destinations = strategy.devices_of(variable);
  }
  return all;
}

// Adds one to every copy. Returns what each replica gets: the step, once all copies have it.
std::vector<Node*> count_copies(distribute::StrategyExtended& strategy, const Variable& step) {
  std::vector<Node*> counted, results;
  strategy.update(step, [&](const Variable& copy, int) {
    counted.push_back(&write_of(copy, copy.assign_add(1)));
  });
  Node* const together = &group(counted);
  for (const Variable& copy : step.whole().copies()) {
    const DeviceScope there(copy.device());
    const ControlDependencies after(std::span(&together, 1));
    results.push_back(raw::Identity(copy).node);
  }
  return results;
}

}  // namespace

std::vector<Node*> Optimizer::update_copies(distribute::StrategyExtended& strategy,
                                            const std::vector<Variable>& variables,
                                            const std::vector<std::vector<Gradient>>& gradients) {
  std::vector<Node*> updates;
  for (std::size_t j = 0; j < variables.size(); ++j)
    strategy.update(variables[j], [&](const Variable& copy, int index) {
      updates.push_back(&update({gradients[j].at(static_cast<std::size_t>(index)), copy}));
    });
  std::vector<Node*> finished;
  strategy.update_non_slot(strategy.non_slot_devices(variables),
                           [&](int) { finished.push_back(&finish(updates, "update")); });
  return finished;
}

std::vector<Node*> Optimizer::apply_outside(distribute::StrategyExtended& strategy,
                                            const OfReplicas& items,
                                            const ApplyGradientsOptions& options,
                                            std::source_location at) {
  const auto gradients =
      strategy.batch_reduce_to(distribute::ReduceOp::SUM, by_variable(strategy, items));
  std::vector<Variable> variables;
  for (const auto& item : items.front()) variables.push_back(item.variable.whole());
  {
    const OutsideFlow outside;
    create_slots(variables);
  }
  const Block in(options.name, name_, at);
  prepare();
  const std::vector<Node*> finished = update_copies(strategy, variables, gradients);
  std::vector<Node*> results;
  if (options.global_step) {
    const ControlDependencies after(finished);
    results = count_copies(strategy, options.global_step);
  } else {
    results.push_back(&group(finished, in.own_name()));
  }
  if (!executing_eagerly()) add_to_collection(GraphKeys::TRAIN_OP, results.front());
  results.resize(items.size(), results.front());
  return results;
}

}  // namespace rill::train
