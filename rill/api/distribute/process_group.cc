#include "rill/api/distribute/process_group.h"

#include <charconv>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "rill/api/core/control_flow.h"
#include "rill/api/distribute/cluster_resolver.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"
#include "rill/base/hash64.h"
#include "rill/cluster/server.h"
#include "rill/ops/collective/collectives.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::hvd {
namespace {

struct Membership {
  int rank = 0, size = 1, local_rank = 0, local_size = 1;
  std::unique_ptr<cluster::Server> server;  // none: there is one process
};

struct OwnMembership {
  std::mutex mutex;
  std::unique_ptr<Membership> membership;
};
OwnMembership& own() {
  static OwnMembership& own = *new OwnMembership;
  return own;
}

Membership& membership() {
  const std::lock_guard lock(own().mutex);
  if (own().membership == nullptr)
    raise(Code::kFailedPrecondition, "Horovod has not been initialized; use hvd.init().");
  return *own().membership;
}

std::optional<int> number_in(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return {};
  int number = -1;
  const char* const end = text + std::string_view(text).size();
  const auto [at, error] = std::from_chars(text, end, number);
  require(error == std::errc() && at == end && number >= 0, "The environment variable ", name,
          " is no number: \"", text, "\"");
  return number;
}

std::optional<int> first_of(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto number = number_in(name)) return number;
  return {};
}

// What TF_CONFIG says, where its tasks all train; else what mpirun or srun say.
train::ClusterSpec cluster_of_environment(Membership& self) {
  const distribute::cluster_resolver::TFConfigClusterResolver resolver;
  const train::ClusterSpec cluster = resolver.cluster_spec();
  std::map<std::string, std::vector<std::string>> workers;
  if (cluster && resolver.task_type() && resolver.task_id()) {
    for (const char* job : {"chief", "worker"})
      if (cluster.as_dict().contains(job))
        for (const auto& [number, address] : cluster.as_dict().at(job)) {
          if (*resolver.task_type() == job && *resolver.task_id() == number)
            self.rank = static_cast<int>(workers["worker"].size());
          workers["worker"].push_back(address);
        }
  } else if (const auto size = first_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})) {
    constexpr int kFirstPort = 23456;
    const int port = number_in("RILL_PORT").value_or(kFirstPort);
    self.rank = first_of({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}).value_or(0);
    const char* const nodes = std::getenv("SLURM_STEP_NODELIST");
    if (nodes != nullptr && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr)
      return distribute::cluster_resolver::SlurmClusterResolver({{"worker", *size}},
                                                                {.port_base = port})
          .cluster_spec();
    for (int i = 0; i < *size; ++i) workers["worker"].push_back(str_cat("127.0.0.1:", port + i));
  }
  return train::ClusterSpec(workers);
}

std::unique_ptr<Membership> joined() {
  auto self = std::make_unique<Membership>();
  const train::ClusterSpec cluster = cluster_of_environment(*self);
  if (cluster) self->size = static_cast<int>(cluster.num_tasks("worker"));
  self->local_rank = first_of({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
                         .value_or(self->rank);
  self->local_size =
      first_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}).value_or(self->size);
  if (self->size == 1) return self;
  require(self->rank < self->size, "This process is number ", self->rank, " of ", self->size);
  tensorflow::ServerDef def;
  *def.mutable_cluster() = cluster.as_cluster_def();
  def.set_job_name("worker");
  def.set_task_index(self->rank);
  def.set_protocol("grpc");
  self->server = cluster::Server::create(def);
  self->server->join_process_group();
  return self;
}

}  // namespace

void init() {
  const std::lock_guard lock(own().mutex);
  if (own().membership == nullptr) own().membership = joined();
}
void shutdown() {
  const std::lock_guard lock(own().mutex);
  own().membership.reset();
}
bool is_initialized() {
  const std::lock_guard lock(own().mutex);
  return own().membership != nullptr;
}
int rank() { return membership().rank; }
int size() { return membership().size; }
int local_rank() { return membership().local_rank; }
int local_size() { return membership().local_size; }

// --- ops -----------------------------------------------------------------------------------------

namespace {

// Names of tensors as part of names of operations.
std::string operation_name(const char* what, const Output& value, const std::string& name) {
  if (!name.empty()) return name;
  std::string text = str_cat(what, "_", value.name());
  for (char& c : text)
    if (c == '/' || c == ':' || c == '^') c = '_';
  return text;
}

// All processes give one value the same number, in whatever order they get to it.
std::int64_t instance_of(const std::string& name) {
  return static_cast<std::int64_t>(hash64(name) & 0x7fffffff);
}

AttrMap attrs_of(const std::string& name) {
  return {{"group_size", std::int64_t{size()}},
          {"group_key", kProcessGroup},
          {"instance_key", instance_of(name)}};
}

}  // namespace

Output allreduce(const Output& value, const AllreduceOptions& options) {
  const std::string name = operation_name("HorovodAllreduce", value, options.name);
  if (size() == 1) return raw::Identity(value, {.name = name});
  AttrMap attrs = attrs_of(name);
  attrs.emplace("merge_op", std::string("Add"));
  attrs.emplace("final_op", std::string(options.average ? "Div" : "Id"));
  attrs.emplace("subdiv_offsets", std::vector<std::int64_t>{0});
  return current_scope().add("CollectiveReduce", {value}, attrs, name).output(0);
}

Gradient allreduce(const Gradient& value, const AllreduceOptions& options) {
  if (value.empty()) return value;
  if (!value.is_slices()) return allreduce(value.dense(), options);
  const IndexedSlices& rows = value.slices();
  const auto own_name = [&](const char* part) {
    return CollectiveOptions{options.name.empty() ? std::string() : str_cat(options.name, part)};
  };
  Output all = allgather(rows.values, own_name("_values"));
  const Output indices = allgather(rows.indices, own_name("_indices"));
  if (options.average && size() > 1)
    all = raw::RealDiv(all, raw::Cast(size(), base_type(all.dtype())));
  return IndexedSlices{all, indices, rows.dense_shape};
}

Output allgather(const Output& value, const CollectiveOptions& options) {
  const std::string name = operation_name("HorovodAllgather", value, options.name);
  if (size() == 1) return raw::Identity(value, {.name = name});
  AttrMap attrs = attrs_of(name);
  PartialShape shape = value.shape();
  if (shape.has_rank() && shape.rank() > 0) {
    std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
    dims[0] = -1;
    shape = PartialShape(dims);
  }
  attrs.emplace("shape", shape);
  return current_scope().add("CollectiveGather", {value}, attrs, name).output(0);
}

Output broadcast(const Output& value, int root_rank, const CollectiveOptions& options) {
  require(root_rank >= 0 && root_rank < size(), "root_rank ", root_rank, " is not in [0, ", size(),
          ")");
  const std::string name = operation_name("HorovodBroadcast", value, options.name);
  if (size() == 1) return raw::Identity(value, {.name = name});
  AttrMap attrs = attrs_of(name);
  attrs.emplace("shape", value.shape());
  if (rank() == root_rank)
    return current_scope().add("CollectiveBcastSend", {value}, attrs, name).output(0);
  attrs.emplace("T", base_type(value.dtype()));
  return current_scope().add("CollectiveBcastRecv", {}, attrs, name).output(0);
}

Node& broadcast_global_variables(int root_rank) {
  std::vector<Node*> assigned;
  for (const Variable& variable : global_variables()) {
    const std::string name = operation_name("HorovodBroadcast", variable.handle(), {});
    assigned.push_back(
        &variable.assign_op(broadcast(as_tensor(variable.value()), root_rank, {name})));
  }
  return group(assigned);
}

}  // namespace rill::hvd
