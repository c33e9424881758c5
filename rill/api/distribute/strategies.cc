#include "rill/api/distribute/strategies.h"

#include <algorithm>

#include "rill/api/math/arithmetic.h"
#include "rill/api/replicas/copies.h"
#include "rill/api/replicas/replica_threads.h"
#include "rill/kernel/device_type.h"

namespace rill::distribute {
namespace {

std::vector<std::string> canonical(const std::vector<std::string>& devices) {
  std::vector<std::string> all;
  for (const std::string& device : devices) all.push_back(canonical_device(device));
  for (const std::string& device : all)
    require(std::ranges::count(all, device) == 1,
            "No duplicates allowed in `devices` argument: ", device);
  return all;
}

// All GPUs of this machine, else the CPU.
std::vector<std::string> local_devices() {
  std::vector<std::string> all;
  for (const auto& type : device_types())
    for (int i = 0; type->name() == "GPU" && i < type->count(); ++i)
      all.push_back(str_cat("/device:GPU:", i));
  if (all.empty()) all.emplace_back("/device:CPU:0");
  return all;
}

std::vector<std::string> devices_or_local(const std::vector<std::string>& devices) {
  return canonical(devices.empty() ? local_devices() : devices);
}

class MirroredExtended final : public StrategyExtended {
 public:
  explicit MirroredExtended(const MirroredOptions& options)
      : StrategyExtended(devices_or_local(options.devices)),
        reduces_on_(options.cross_device_ops.reduce_to_device) {}

  const char* name() const override { return "MirroredStrategy"; }
  bool mirrors_variables() const override { return true; }
  Variable create_variable(const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& options) override {
    return make_copies(*this, worker_devices(), next, value, options);
  }
  std::vector<Gradient> reduce_to(ReduceOp op, const std::vector<Gradient>& values,
                                  const std::vector<std::string>& destinations) override {
    if (reduces_on_.empty() || values.size() == 1)
      return StrategyExtended::reduce_to(op, values, destinations);
    std::vector<std::string> all{canonical_device(reduces_on_)};
    all.insert(all.end(), destinations.begin(), destinations.end());
    std::vector<Gradient> reduced = StrategyExtended::reduce_to(op, values, all);
    reduced.erase(reduced.begin());
    return reduced;
  }

 private:
  const std::string reduces_on_;
};

class OneDeviceExtended final : public StrategyExtended {
 public:
  explicit OneDeviceExtended(const std::string& device)
      : StrategyExtended({canonical_device(device)}) {}

  const char* name() const override { return "OneDeviceStrategy"; }
  Variable create_variable(const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& options) override {
    const DeviceScope there(worker_devices().front());
    return next(value, options);
  }

 protected:
  void build_replicas(const std::function<void(ReplicaContext&)>& build) override {
    build_here(shared_from_this(), build);
  }
};

// Variables on one device, or on the tasks of a job in turn.
class CentralExtended : public StrategyExtended {
 public:
  CentralExtended(const char* name, std::vector<std::string> compute,
                  std::vector<std::string> parameters, std::string default_device)
      : StrategyExtended(std::move(compute)),
        name_(name),
        parameters_(std::move(parameters)),
        default_device_(std::move(default_device)) {}

  const char* name() const override { return name_; }
  std::vector<std::string> parameter_devices() const override { return parameters_; }
  std::string default_device() const override { return default_device_; }
  Variable create_variable(const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& options) override {
    const DeviceScope there(parameters_[next_device_++ % parameters_.size()]);
    if (num_replicas_in_sync() == 1) return next(value, options);
    return make_aggregating(*this, next, value, options);
  }
  std::vector<std::string> non_slot_devices(const std::vector<Variable>& variables) const override {
    if (variables.empty()) return {parameters_.front()};
    const auto first =
        std::ranges::min_element(variables, {}, [](const Variable& v) { return v.whole().name(); });
    return {first->whole().device()};
  }

 private:
  const char* const name_;
  const std::vector<std::string> parameters_;
  const std::string default_device_;
  std::size_t next_device_ = 0;
};

StrategyRef central_storage(const CentralStorageOptions& options) {
  std::vector<std::string> compute = devices_or_local(options.compute_devices);
  const std::string cpu = canonical_device("/device:CPU:0");
  const bool beside = compute.size() == 1 && options.compute_devices.empty();
  const std::string parameters = !options.parameter_device.empty()
                                     ? canonical_device(options.parameter_device)
                                 : beside ? compute.front()
                                          : cpu;
  return std::make_shared<CentralExtended>("CentralStorageStrategy", std::move(compute),
                                           std::vector<std::string>{parameters}, "");
}

}  // namespace

MirroredStrategy::MirroredStrategy(const MirroredOptions& options)
    : Strategy(std::make_shared<MirroredExtended>(options)) {}

OneDeviceStrategy::OneDeviceStrategy(const std::string& device)
    : Strategy(std::make_shared<OneDeviceExtended>(device)) {}

CentralStorageStrategy::CentralStorageStrategy(const CentralStorageOptions& options)
    : Strategy(central_storage(options)) {}

// --- parameter servers ---------------------------------------------------------------------------

namespace {

class ParameterServerExtended final : public CentralExtended {
 public:
  ParameterServerExtended(std::vector<std::string> compute, std::vector<std::string> parameters,
                          std::string worker, bool is_chief, SessionNeeds needs)
      : CentralExtended("ParameterServerStrategy", std::move(compute), std::move(parameters),
                        worker),
        in_cluster_(!worker.empty()),
        is_chief_(is_chief),
        needs_(std::move(needs)) {}

  bool experimental_between_graph() const override { return in_cluster_; }
  bool experimental_should_init() const override { return is_chief_; }
  bool should_checkpoint() const override { return is_chief_; }
  bool should_save_summary() const override { return is_chief_; }
  const SessionNeeds& needs() const { return needs_; }

 private:
  const bool in_cluster_, is_chief_;
  const SessionNeeds needs_;
};

// This process as a task of a cluster.
struct OwnTask {
  train::ClusterSpec cluster;
  std::string type;
  int id = 0;
  bool is_chief = true;

  std::string device() const { return str_cat("/job:", type, "/task:", id); }
  bool alone() const { return !cluster; }
};

OwnTask own_task(cluster_resolver::ClusterResolverRef resolver) {
  if (resolver == nullptr) resolver = std::make_shared<cluster_resolver::TFConfigClusterResolver>();
  OwnTask task{.cluster = resolver->cluster_spec()};
  if (task.alone()) return task;
  const auto type = resolver->task_type();
  const auto id = resolver->task_id();
  require(type.has_value() && id.has_value(),
          "When `cluster_spec` is given, you must also specify `task_type` and `task_id`.");
  task.type = *type;
  task.id = *id;
  const bool has_chief = task.cluster.as_dict().contains("chief");
  task.is_chief = task.type == "chief" || (!has_chief && task.type == "worker" && task.id == 0);
  return task;
}

StrategyRef parameter_server(const ParameterServerOptions& options) {
  const OwnTask task = own_task(options.cluster_resolver);
  if (task.alone())
    return std::make_shared<ParameterServerExtended>(
        devices_or_local({}), std::vector<std::string>{canonical_device("/device:CPU:0")}, "", true,
        SessionNeeds());
  require(task.cluster.as_dict().contains("ps"), "The cluster spec needs to have `ps` jobs.");
  std::vector<std::string> parameters;
  for (const std::int64_t number : task.cluster.task_indices("ps"))
    parameters.push_back(str_cat("/job:ps/task:", number));
  SessionNeeds needs{.device_filters = {task.device(), "/job:ps"}};
  return std::make_shared<ParameterServerExtended>(
      std::vector<std::string>{canonical_device("/device:CPU:0", task.device())},
      std::move(parameters), task.device(), task.is_chief, std::move(needs));
}

}  // namespace

ParameterServerStrategy::ParameterServerStrategy(const ParameterServerOptions& options)
    : Strategy(parameter_server(options)) {}

// --- several workers -----------------------------------------------------------------------------

namespace {

// Keys are given in the order of building, which is the same in all workers.
class CollectiveKeys {
 public:
  std::int64_t next_op() { return op_++; }
  std::int64_t next_variable() { return variable_++; }

 private:
  std::int64_t op_ = 100, variable_ = 1'000'000;
};

class MultiWorkerExtended final : public StrategyExtended {
 public:
  MultiWorkerExtended(std::vector<std::string> devices, OwnTask task,
                      CollectiveCommunication communication)
      : StrategyExtended(std::move(devices)),
        task_(std::move(task)),
        communication_(communication == CollectiveCommunication::NCCL   ? "nccl"
                       : communication == CollectiveCommunication::RING ? "ring"
                                                                        : "auto") {
    if (task_.alone()) return;
    for (const auto& [job, tasks] : task_.cluster.as_dict())
      if (job == "chief" || job == "worker") workers_ += static_cast<int>(tasks.size());
    --workers_;  // this process was counted
    const bool has_chief = task_.cluster.as_dict().contains("chief");
    worker_ = task_.type == "chief" ? 0 : task_.id + (has_chief ? 1 : 0);
  }

  const char* name() const override { return "MultiWorkerMirroredStrategy"; }
  bool mirrors_variables() const override { return true; }
  int num_replicas_in_sync() const override { return workers_ * local_replicas(); }
  int first_replica() const override { return worker_ * local_replicas(); }
  bool experimental_between_graph() const override { return true; }
  bool should_checkpoint() const override { return task_.is_chief; }
  bool should_save_summary() const override { return task_.is_chief; }
  std::string default_device() const override { return task_.alone() ? "" : task_.device(); }
  const OwnTask& task() const { return task_; }

  Variable create_variable(const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& options) override {
    if (workers_ == 1) return make_copies(*this, worker_devices(), next, value, options);
    const InitialValue of_first(std::function<Output()>(
        [this, value, dtype = options.dtype] { return broadcast_value(value.build(dtype)); }));
    return make_copies(*this, worker_devices(), next, of_first, options);
  }

  std::vector<Gradient> reduce_to(ReduceOp op, const std::vector<Gradient>& values,
                                  const std::vector<std::string>& destinations) override {
    if (workers_ == 1) return StrategyExtended::reduce_to(op, values, destinations);
    std::vector<Gradient> own = values;  // of each device here
    if (own.size() < worker_devices().size()) own.resize(worker_devices().size(), values.front());
    std::vector<Gradient> reduced =
        values.front().is_slices() ? gathered(op, own) : collective_sums(op, own);
    if (destinations.size() != reduced.size()) reduced.resize(destinations.size(), reduced.front());
    return reduced;
  }

 private:
  AttrMap attrs(std::int64_t instance) const {
    return {{"group_size", std::int64_t{num_replicas_in_sync()}},
            {"group_key", std::int64_t{1}},
            {"instance_key", instance},
            {"communication_hint", std::string(communication_)}};
  }

  Output on_device(std::size_t i, const char* op, const Output& value, AttrMap attrs) const {
    const DeviceScope there(worker_devices()[i]);
    return current_scope().add(op, {value}, std::move(attrs)).output(0);
  }

  std::vector<Gradient> collective_sums(ReduceOp op, const std::vector<Gradient>& values) {
    AttrMap how = attrs(keys_.next_op());
    how.emplace("merge_op", std::string("Add"));
    how.emplace("final_op", std::string(op == ReduceOp::MEAN ? "Div" : "Id"));
    how.emplace("subdiv_offsets", std::vector<std::int64_t>{0});
    std::vector<Gradient> all;
    for (std::size_t i = 0; i < values.size(); ++i)
      all.emplace_back(on_device(i, "CollectiveReduce", values[i].dense(), how));
    return all;
  }

  // Rows of all replicas behind each other.
  std::vector<Gradient> gathered(ReduceOp op, const std::vector<Gradient>& values) {
    AttrMap rows = attrs(keys_.next_op()), indices = attrs(keys_.next_op());
    std::vector<Gradient> all;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const IndexedSlices& own = values[i].slices();
      rows.insert_or_assign("shape", of_any_rows(own.values.shape()));
      indices.insert_or_assign("shape", of_any_rows(own.indices.shape()));
      Output all_rows = on_device(i, "CollectiveGather", own.values, rows);
      const Output all_indices = on_device(i, "CollectiveGather", own.indices, indices);
      if (op == ReduceOp::MEAN) {
        const DeviceScope there(worker_devices()[i]);
        all_rows = truediv(all_rows, static_cast<double>(num_replicas_in_sync()));
      }
      all.emplace_back(IndexedSlices{all_rows, all_indices, own.dense_shape});
    }
    return all;
  }

  static PartialShape of_any_rows(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return shape;
    std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
    dims[0] = -1;
    return PartialShape(dims);
  }

  // The chief's first value, on all workers.
  Output broadcast_value(const Output& value) {
    const std::int64_t instance = keys_.next_variable();
    AttrMap how = attrs(instance);
    how.insert_or_assign("group_size", std::int64_t{workers_});
    how.insert_or_assign("group_key", std::int64_t{local_replicas() == 1 ? 1 : 2});
    how.emplace("shape", value.shape());
    const DeviceScope there(worker_devices().front());
    if (worker_ == 0) return current_scope().add("CollectiveBcastSend", {value}, how).output(0);
    how.emplace("T", base_type(value.dtype()));
    return current_scope().add("CollectiveBcastRecv", {}, how).output(0);
  }

  const OwnTask task_;
  const char* const communication_;
  int workers_ = 1, worker_ = 0;
  CollectiveKeys keys_;
};

StrategyRef multi_worker(const MultiWorkerMirroredOptions& options) {
  OwnTask task = own_task(options.cluster_resolver);
  std::vector<std::string> devices = options.local_devices.empty()
                                         ? std::vector<std::string>{"/device:CPU:0"}
                                         : options.local_devices;
  for (std::string& device : devices)
    device = canonical_device(device, task.alone() ? "" : task.device());
  return std::make_shared<MultiWorkerExtended>(std::move(devices), std::move(task),
                                               options.communication);
}

}  // namespace

MultiWorkerMirroredStrategy::MultiWorkerMirroredStrategy(const MultiWorkerMirroredOptions& options)
    : Strategy(multi_worker(options)) {}

TPUStrategy::TPUStrategy() : Strategy(get_strategy()) {
  raise(Code::kUnimplemented, "TPUStrategy needs a TPU");
}

ReduceOp get_loss_reduction() {
  return get_strategy().extended().scales_loss ? ReduceOp::MEAN : ReduceOp::SUM;
}

void experimental_set_strategy(const std::optional<Strategy>& strategy) {
  thread_local std::unique_ptr<StrategyScope> scope;
  scope = nullptr;
  if (!strategy) return;
  if (has_strategy())
    raise(Code::kFailedPrecondition, "Must not be called inside a `tf.distribute.Strategy` scope.");
  scope = std::make_unique<StrategyScope>(strategy->ref());
}

SessionNeeds session_needs(const Strategy& strategy) {
  if (const auto* ps = dynamic_cast<const ParameterServerExtended*>(&strategy.extended()))
    return ps->needs();
  const auto* workers = dynamic_cast<const MultiWorkerExtended*>(&strategy.extended());
  if (workers == nullptr || workers->task().alone()) return {};
  const bool has_chief = workers->task().cluster.as_dict().contains("chief");
  return {.device_filters = {workers->task().device()},
          .collective_group_leader =
              has_chief ? "/job:chief/replica:0/task:0" : "/job:worker/replica:0/task:0"};
}

}  // namespace rill::distribute
