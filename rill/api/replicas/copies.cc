#include "rill/api/replicas/copies.h"

#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"

namespace rill::distribute {
namespace {

// What the copies of `whole` are after `write`: all of them are written before one is read.
std::vector<Output> write_all(StrategyExtended& strategy, const Variable& primary,
                              const std::vector<Output>& values, const WriteCopy& write) {
  std::vector<Output> written;
  strategy.update(primary.whole(), [&](const Variable& copy, int index) {
    written.push_back(write(copy, values.at(static_cast<std::size_t>(index))));
  });
  if (written.size() == 1 || executing_eagerly()) return written;
  std::vector<Node*> all;
  for (const Output& one : written) all.push_back(one.node);
  Node* const together = &group(all);
  std::vector<Output> results;
  for (const Output& one : written) {
    const DeviceScope there(one.node->device());
    const ControlDependencies after(std::span(&together, 1));
    results.push_back(raw::Identity(one));
  }
  return results;
}

class Copies : public VariableCopies {
 public:
  Copies(StrategyRef strategy, std::vector<Variable> all)
      : VariableCopies(std::move(all)), strategy_(std::move(strategy)) {}

 protected:
  const StrategyRef& strategy() const { return strategy_; }
  VariableAggregation aggregation() const { return primary()->aggregation; }
  bool is_updating() const { return replica_here() >= 0 && in_cross_replica_context(); }

 private:
  const StrategyRef strategy_;
};

void require_aggregation(VariableAggregation aggregation, const char* kind) {
  require(aggregation != VariableAggregation::NONE,
          "You must specify an aggregation method to update a ", kind,
          " in Replica Context. You can do so by passing an explicit value for argument "
          "`aggregation` to tf.Variable(..), e.g. `tf.Variable(..., "
          "aggregation=tf.VariableAggregation.SUM)`: all copies of it are kept the same, so the "
          "values of all replicas have to become one first. Or update it outside of replicas, in "
          "`tf.distribute.get_replica_context().merge_call(merge_fn, ..)` by "
          "`tf.distribute.StrategyExtended.update()`.");
}

// In a replica: what all of them bring is brought together, and written by each.
Output write_together(const VariableCopies& copies, const Input& value, const WriteCopy& write) {
  const Variable whole = copies.primary().whole();
  const VariableAggregation aggregation = copies.primary()->aggregation;
  require_aggregation(aggregation, copies.kind());
  const Output mine = as_tensor(value, "value", whole.dtype());
  return get_replica_context()->merge_call(
      [&](StrategyExtended& strategy, const std::vector<Output>& brought) {
        const std::vector<Gradient> one =
            apply_aggregation(strategy, {brought.begin(), brought.end()}, aggregation, whole);
        std::vector<Output> values;
        for (const Gradient& each : one) values.push_back(each.dense());
        std::vector<Output> written = write_all(strategy, copies.primary(), values, write);
        written.resize(brought.size(), written.front());
        return written;
      },
      mine);
}

class MirroredCopies final : public Copies {
 public:
  using Copies::Copies;
  const char* kind() const override { return "MirroredVariable"; }

  Output write(const Input& value, const WriteCopy& change) const override {
    if (is_updating()) return change(here(), value);
    if (replica_here() >= 0) return write_together(*this, value, change);
    const Output one = as_tensor(value, "value", primary().dtype());
    return write_all(*strategy(), primary(), std::vector<Output>(all().size(), one), change)
        .front();
  }
};

class OnReadCopies final : public Copies {
 public:
  using Copies::Copies;
  const char* kind() const override { return "SyncOnReadVariable"; }

  Output write(const Input& value, const WriteCopy& change) const override {
    if (replica_here() >= 0) return change(here(), value);
    const Output share = share_of(as_tensor(value, "value", primary().dtype()));
    return write_all(*strategy(), primary(), std::vector<Output>(all().size(), share), change)
        .front();
  }

  Output read_outside() const override {
    if (aggregation() == VariableAggregation::ONLY_FIRST_REPLICA) return primary().value();
    require(
        aggregation() != VariableAggregation::NONE,
        "Could not convert from `tf.VariableAggregation` NONE to `tf.distribute.ReduceOp` type");
    const ReduceOp op = aggregation() == VariableAggregation::SUM ? ReduceOp::SUM : ReduceOp::MEAN;
    std::vector<Gradient> values;
    for (const Variable& copy : all()) values.emplace_back(copy.value());
    return strategy()->reduce_to(op, values, {primary().device()}).front().dense();
  }

  Output saved() const override {
    return aggregation() == VariableAggregation::NONE ? primary().snapshot() : read_outside();
  }

  Output share_of(const Output& saved) const override {
    if (aggregation() != VariableAggregation::SUM) return saved;
    return cast(truediv(saved, static_cast<double>(strategy()->num_replicas_in_sync())),
                base_type(saved.dtype()));
  }
};

class AggregatingCopy final : public Copies {
 public:
  using Copies::Copies;
  const char* kind() const override { return "AggregatingVariable"; }

  Output write(const Input& value, const WriteCopy& change) const override {
    if (replica_here() >= 0 && !is_updating()) return write_together(*this, value, change);
    return change(primary(), value);
  }
};

std::vector<std::string> collections_for(const VariableOptions& options, bool trainable) {
  std::vector<std::string> names =
      options.collections.value_or(std::vector<std::string>{GraphKeys::GLOBAL_VARIABLES});
  if (trainable && std::ranges::find(names, GraphKeys::TRAINABLE_VARIABLES) == names.end())
    names.emplace_back(GraphKeys::TRAINABLE_VARIABLES);
  return names;
}

// The variable that stands for `all`, in the collections that the program wanted for it.
template <class C>
Variable as_one(StrategyExtended& strategy, std::vector<Variable> all,
                const VariableOptions& options, bool trainable) {
  for (const Variable& copy : all) copy.state()->trainable = trainable;
  auto state = std::make_shared<VariableState>(*all.front().state());
  for (const Variable& copy : all) copy.state()->whole = state;
  state->copies = std::make_shared<C>(strategy.shared_from_this(), std::move(all));
  if (!executing_eagerly())
    add_to_collections(collections_for(options, trainable), std::shared_ptr<Collectable>(state));
  return Variable(std::move(state));
}

bool is_trained(const VariableOptions& options) {
  const bool on_read = options.synchronization == VariableSynchronization::ON_READ;
  require(!(on_read && options.trainable.value_or(false)),
          "Synchronization value can be set to VariableSynchronization.ON_READ only for "
          "non-trainable variables. You have specified trainable=True and "
          "synchronization=VariableSynchronization.ON_READ.");
  return options.trainable.value_or(!on_read);
}

// A copy belongs to no collection itself.
VariableOptions of_copy(VariableOptions options) {
  options.collections.emplace();
  options.trainable = false;
  options.caching_device.reset();
  return options;
}

InitialValue value_of_first(const Variable& first, const std::string& device) {
  return std::function<Output()>([first, device] {
    const DeviceScope there(device);
    return raw::Identity(first.is_eager() ? first.value() : first.initial_value());
  });
}

}  // namespace

Variable make_copies(StrategyExtended& strategy, const std::vector<std::string>& devices,
                     const MakeVariable& next, const InitialValue& value,
                     const VariableOptions& options) {
  require(options.synchronization != VariableSynchronization::NONE,
          "`NONE` variable synchronization mode is not supported with `Mirrored` distribution "
          "strategy. Please change the `synchronization` for variable: ",
          options.name);
  const bool trainable = is_trained(options);
  std::vector<Variable> all;
  for (const std::string& device : devices) {
    const InScope anywhere(current_scope().without_colocation());
    const DeviceScope there(device);
    const InReplica none(-1);
    VariableOptions own = of_copy(options);
    if (all.empty()) {
      all.push_back(next(value, own));
      continue;
    }
    const std::string& first = all.front().name();
    own.name = str_cat(first.substr(0, first.find(':')), "/replica_", all.size(), "/");
    own.dtype = all.front().dtype();
    all.push_back(next(value_of_first(all.front(), device), own));
  }
  if (options.synchronization == VariableSynchronization::ON_READ)
    return as_one<OnReadCopies>(strategy, std::move(all), options, trainable);
  return as_one<MirroredCopies>(strategy, std::move(all), options, trainable);
}

Variable make_aggregating(StrategyExtended& strategy, const MakeVariable& next,
                          const InitialValue& value, const VariableOptions& options) {
  const bool trainable = is_trained(options);
  const InReplica none(-1);
  return as_one<AggregatingCopy>(strategy, {next(value, of_copy(options))}, options, trainable);
}

std::vector<Gradient> apply_aggregation(StrategyExtended& strategy,
                                        const std::vector<Gradient>& values,
                                        VariableAggregation aggregation, const Variable& var) {
  const std::vector<std::string> devices = strategy.devices_of(var);
  if (aggregation == VariableAggregation::ONLY_FIRST_REPLICA) {
    std::vector<Gradient> all;
    for (const Output& one : strategy.broadcast_to(values.at(0).dense(), devices))
      all.emplace_back(one);
    return all;
  }
  const ReduceOp op = aggregation == VariableAggregation::MEAN ? ReduceOp::MEAN : ReduceOp::SUM;
  return strategy.reduce_to(op, values, devices);
}

}  // namespace rill::distribute
