#include "rill/api/replicas/strategy.h"

#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/reduce.h"
#include "rill/api/replicas/replica_threads.h"

namespace rill::distribute {

StrategyExtended::StrategyExtended(std::vector<std::string> worker_devices)
    : worker_devices_(std::move(worker_devices)) {
  require(!worker_devices_.empty(), "Must specify at least one device.");
}

void StrategyExtended::call_for_each_replica(const std::function<void(ReplicaContext&)>& build) {
  if (!in_cross_replica_context() && has_strategy())
    raise(Code::kFailedPrecondition,
          "Method requires being in cross-replica context, use "
          "get_replica_context().merge_call()");
  if (is_default()) return build(*get_replica_context());
  std::optional<StrategyScope> scope;
  if (!has_strategy()) scope.emplace(shared_from_this());
  build_replicas(build);
}

void StrategyExtended::build_replicas(const std::function<void(ReplicaContext&)>& build) {
  build_on_threads(shared_from_this(), build);
}

namespace {

Gradient copied(const Gradient& value) {
  if (!value.is_slices()) return raw::Identity(value.dense());
  const IndexedSlices& rows = value.slices();
  return IndexedSlices{raw::Identity(rows.values), raw::Identity(rows.indices),
                       rows.dense_shape.node ? raw::Identity(rows.dense_shape) : Output()};
}

Gradient divided(const Gradient& value, std::size_t count) {
  const auto number = static_cast<double>(count);
  if (!value.is_slices()) return truediv(value.dense(), number);
  const IndexedSlices& rows = value.slices();
  return IndexedSlices{truediv(rows.values, number), rows.indices, rows.dense_shape};
}

Gradient sum_of(const std::vector<Gradient>& values) {
  if (values.size() == 1) return values.front();
  if (!values.front().is_slices()) {
    Inputs all;
    for (const Gradient& value : values) all.emplace_back(value.dense());
    return raw::AddN(all);
  }
  Inputs rows, indices;
  for (const Gradient& value : values) {
    rows.emplace_back(value.slices().values);
    indices.emplace_back(value.slices().indices);
  }
  const Output all = raw::ConcatV2(rows, 0, {.name = "concat"});
  return IndexedSlices{all, raw::ConcatV2(indices, 0, {.name = "concat"}),
                       values.front().slices().dense_shape};
}

}  // namespace

Gradient aggregated(ReduceOp op, const std::vector<Gradient>& values) {
  require(!values.empty(), "There is nothing to reduce");
  const Gradient sum = sum_of(values);
  return op == ReduceOp::MEAN && values.size() > 1 ? divided(sum, values.size()) : sum;
}

std::vector<Gradient> StrategyExtended::reduce_to(ReduceOp op, const std::vector<Gradient>& values,
                                                  const std::vector<std::string>& destinations) {
  require(!destinations.empty(), "destinations cannot be empty");
  if (values.size() == 1 && destinations.size() == 1) return values;
  Gradient one;
  {
    const DeviceScope there(destinations.front());
    one = aggregated(op, values);
  }
  if (executing_eagerly()) return std::vector<Gradient>(destinations.size(), one);
  std::vector<Gradient> all;
  for (const std::string& device : destinations) {
    const DeviceScope there(device);
    all.push_back(copied(one));
  }
  return all;
}

std::vector<std::vector<Gradient>> StrategyExtended::batch_reduce_to(
    ReduceOp op, const std::vector<ToReduce>& all) {
  std::vector<std::vector<Gradient>> results;
  for (const ToReduce& each : all) results.push_back(reduce_to(op, each.values, each.destinations));
  return results;
}

std::vector<Output> StrategyExtended::broadcast_to(
    const Output& value, const std::vector<std::string>& destinations) const {
  std::vector<Output> all;
  for (const std::string& device : destinations) {
    const DeviceScope there(device);
    all.push_back(raw::Identity(value));
  }
  return all;
}

std::vector<std::string> StrategyExtended::devices_of(const Variable& var) const {
  std::vector<std::string> devices;
  for (const Variable& copy : var.whole().copies()) devices.push_back(copy.device());
  return devices;
}

void StrategyExtended::update(const Variable& var,
                              const std::function<void(const Variable& copy, int index)>& change) {
  const Variable whole = var.whole();
  const Standing outside(shared_from_this(), nullptr);
  const bool one_place = !whole.has_copies() ||
                         whole.state()->copies->kind() == std::string_view("AggregatingVariable");
  int index = 0;
  for (const Variable& copy : whole.copies()) {
    const InReplica updated(index);
    if (one_place) {
      const ColocateWith beside(copy.op());
      change(copy, index);
    } else {
      const DeviceScope there(copy.device());
      const NameScope named(str_cat("update_", index));
      change(copy, index);
    }
    ++index;
  }
}

std::vector<std::string> StrategyExtended::non_slot_devices(const std::vector<Variable>&) const {
  return parameter_devices();
}

void StrategyExtended::update_non_slot(const std::vector<std::string>& devices,
                                       const std::function<void(int index)>& change) {
  const Standing outside(shared_from_this(), nullptr);
  int index = 0;
  for (const std::string& device : devices) {
    const InReplica updated(index);
    const DeviceScope there(device);
    std::optional<NameScope> named;
    if (mirrors_variables()) named.emplace(str_cat("update_", index));
    change(index++);
  }
}

Output Strategy::reduce(ReduceOp op, const std::vector<Output>& values,
                        std::optional<int> axis) const {
  require(!values.empty(), "There is nothing to reduce");
  const std::string device = canonical_device("/device:CPU:0", extended_->worker_devices().front());
  const auto to_one = [&](ReduceOp how, const std::vector<Output>& all) {
    const std::vector<Gradient> given(all.begin(), all.end());
    return extended_->reduce_to(how, given, {device}).front().dense();
  };
  if (!axis) return to_one(op, values);
  std::vector<Output> sums, counts;
  for (const Output& value : values) {
    const DeviceScope there(value.node->device());
    sums.push_back(reduce_sum(value, {.axis = *axis}));
    if (op == ReduceOp::SUM) continue;
    const int at = *axis;
    const Output sizes = raw::Shape(value, {.out_type = DType::i64});
    counts.push_back(raw::GatherV2(sizes, at < 0 ? at + value.shape().rank() : at, 0));
  }
  const Output sum = to_one(ReduceOp::SUM, sums);
  if (op == ReduceOp::SUM) return sum;
  const Output count = to_one(ReduceOp::SUM, counts);
  const DType wanted = base_type(sum.dtype());
  return raw::RealDiv(sum, raw::Cast(count, wanted));
}

Node& Strategy::group(const std::vector<Output>& values, const std::string& name) const {
  std::vector<Node*> nodes;
  for (const Output& value : values) nodes.push_back(value.node);
  return rill::group(nodes, name.empty() ? "group_deps" : name);
}

}  // namespace rill::distribute
