#include "rill/cluster/worker.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>

#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/tensor_message.h"
#include "rill/ops/fusion/rewrite_switches.h"
#include "rill/runtime/session/config.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

std::unique_ptr<ThreadPool> make_own_pool(int threads) {
  return threads > 0 ? std::make_unique<ThreadPool>(threads) : nullptr;
}

CompileOptions passes_of(const tensorflow::GraphOptions& graph) {
  tensorflow::ConfigProto config;
  *config.mutable_graph_options() = graph;
  const SessionOptions options = session_options(config);
  return {.fold = options.fold,
          .share = options.share,
          .simplify = options.simplify,
          .rewrites = rewrite_switches(options.rewrites_off, options.rewrites_on)};
}

Links links_of(const ClusterSpec& cluster) {
  Links links;
  for (const auto& [task, address] : cluster.addresses()) links[task] = link_to(address);
  return links;
}

// Which task keeps the collective groups.
std::string leader_of(const WorkerOptions& options) {
  if (!options.collective_leader.empty())
    return task_of_device(options.collective_leader + "/device:CPU:0");
  const auto tasks = options.cluster.addresses();
  for (const char* job : {"chief", "worker"})
    for (const auto& [task, address] : tasks)
      if (task == task_name(job, 0)) return task;
  return tasks.empty() ? options.task : tasks.begin()->first;
}

}  // namespace

Worker::Worker(WorkerOptions options)
    : options_(std::move(options)),
      own_pool_(make_own_pool(options_.defaults.intra_op_threads)),
      pool_(own_pool_ ? *own_pool_ : shared_pool()),
      resources_(std::make_shared<ResourceStore>("localhost")) {
  const auto cpus = options_.defaults.device_count.find("CPU");
  const int count = cpus == options_.defaults.device_count.end() ? 1 : std::max(1, cpus->second);
  for (int i = 0; i < count; ++i)
    devices_.push_back(std::make_unique<CpuDevice>(
        options_.task, i, pool_, options_.defaults.guard.get(), new_incarnation()));
  collectives_ = make_collectives();
  share_collectives(*resources_);
  add_methods();
}

std::shared_ptr<TaskCollectives> Worker::make_collectives() {
  TaskCollectivesOptions options{
      .task = options_.task,
      .leader = leader_of(options_),
      .links = std::make_shared<const Links>(links_of(options_.cluster)),
      .incarnations = {},
      .open = {},
      .close = [this](std::int64_t id, const char* why) { clean_up_step(id, why); }};
  options.open = [this, links = options.links](std::int64_t id) {
    auto exchange = rendezvous(id);
    exchange->connect(links);
    return exchange;
  };
  for (const auto& device : devices_) options.incarnations[device->name()] = device->incarnation();
  return std::make_shared<TaskCollectives>(std::move(options));
}

void Worker::share_collectives(ResourceManager& resources) const {
  resources.find_or_make<Collectives>(Collectives::kContainer, "task",
                                      [this] { return collectives_; });
}

Worker::~Worker() {
  collectives_->close();
  std::map<std::int64_t, Step> steps;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, step] : steps_) over_.add(id);
    steps = std::move(steps_);
  }
  for (const auto& [id, step] : steps) {
    step.rendezvous->abort(
        std::make_exception_ptr(Error(Code::kCancelled, "The server was stopped.")));
    for (const auto& run : step.runs) run->cancel();
  }
}

std::vector<tensorflow::DeviceAttributes> Worker::device_attributes() const {
  std::vector<tensorflow::DeviceAttributes> all;
  for (const auto& device : devices_) {
    tensorflow::DeviceAttributes& attributes = all.emplace_back();
    attributes.set_name(device->name());
    attributes.set_device_type(device->type());
    attributes.set_memory_limit(256 << 20);
    attributes.mutable_locality();
    attributes.set_incarnation(device->incarnation());
  }
  return all;
}

std::shared_ptr<WorkerSession> Worker::session(const std::string& handle) {
  const std::lock_guard lock(mutex_);
  if (const auto it = sessions_.find(handle); it != sessions_.end()) return it->second;
  raise(Code::kAborted, "Session handle is not found: ", handle, ". Possibly this worker (\"",
        options_.task, "\") just restarted.");
}

void Worker::create_session(const tensorflow::CreateWorkerSessionRequest& request) {
  const bool brings_cluster = request.server_def().cluster().job_size() > 0;
  const ClusterSpec cluster =
      brings_cluster ? ClusterSpec(request.server_def().cluster()) : options_.cluster;
  TaskParts parts{.pool = &pool_,
                  .threads = &threads_,
                  .resources = request.isolate_session_state() || brings_cluster
                                   ? std::make_shared<ResourceStore>("localhost")
                                   : resources_,
                  .kernels = std::make_shared<SharedKernels>(),
                  .may_spread = options_.defaults.inter_op_threads >= 0};
  share_collectives(*parts.resources);
  for (const auto& device : devices_) parts.devices.push_back(device.get());
  auto made = std::make_shared<WorkerSession>(
      std::move(parts), std::make_shared<const Links>(links_of(cluster)), options_.task);
  const std::lock_guard lock(mutex_);
  if (!sessions_.emplace(request.session_handle(), std::move(made)).second)
    raise(Code::kAlreadyExists, "There is a session ", request.session_handle(), " already");
}

void Worker::delete_session(const std::string& handle) {
  std::shared_ptr<WorkerSession> gone;  // ends without the lock
  const std::lock_guard lock(mutex_);
  const auto it = sessions_.find(handle);
  if (it == sessions_.end()) return;
  gone = std::move(it->second);
  sessions_.erase(it);
}

std::shared_ptr<StepRendezvous> Worker::rendezvous(std::int64_t step_id) {
  const std::lock_guard lock(mutex_);
  if (over_.contains(step_id))
    raise(Code::kAborted, "Step ", step_id, " is over on ", options_.task);
  Step& step = steps_[step_id];
  if (step.rendezvous == nullptr)
    step.rendezvous = std::make_shared<StepRendezvous>(step_id, options_.task);
  return step.rendezvous;
}

void Worker::run_graph(const tensorflow::RunGraphRequest& request,
                       tensorflow::RunGraphResponse* response, const net::CallLimits& limits,
                       const Done& done) {
  if (request.is_partial()) raise(Code::kUnimplemented, "RunGraph in instalments (is_partial)");
  threads_.run([this, &request, response, limits, done] {
    std::optional<Error> failure;
    try {
      run_on_thread(request, response, limits);
    } catch (const Error& error) {
      failure = error;
    } catch (const std::exception& error) {
      failure = Error(Code::kInternal, error.what());
    }
    if (failure && request.store_errors_in_response_body()) {
      response->set_status_code(static_cast<tensorflow::error::Code>(failure->code()));
      response->set_status_error_message(failure->message());
      failure.reset();
    }
    done(std::move(failure));
  });
}

void Worker::run_on_thread(const tensorflow::RunGraphRequest& request,
                           tensorflow::RunGraphResponse* response, const net::CallLimits& limits) {
  const std::shared_ptr<WorkerSession> session = this->session(request.session_handle());
  const std::shared_ptr<TaskGraph> graph = session->graph(request.graph_handle());
  const std::int64_t id = request.step_id();
  const std::shared_ptr<StepRendezvous> meeting = rendezvous(id);
  meeting->connect(session->links());
  const auto canceller = std::make_shared<StepCanceller>();
  {
    const std::lock_guard lock(mutex_);
    if (over_.contains(id)) raise(Code::kCancelled, "Step ", id, " was given up");
    steps_[id].runs.push_back(canceller);
  }
  std::int64_t watched = 0;
  if (limits.is_gone)
    watched = watch_.add(limits.is_gone,
                         [this, id] { clean_up_step(id, "Who asked for the step is gone."); });
  const auto leave = [&] {
    if (watched != 0) watch_.forget(watched);
    const std::lock_guard lock(mutex_);
    if (const auto it = steps_.find(id); it != steps_.end()) it->second.runs.remove(canceller);
  };
  StepStats stats;
  const bool traces = request.exec_opts().record_timeline() || request.exec_opts().record_costs();
  try {
    for (const auto& sent : request.send())
      meeting->send(sent.name(), from_proto(sent.tensor()), false);
    const StepCanceller::Scope scope(*canceller);
    graph->run(id, *meeting, traces ? &stats : nullptr);
    for (const std::string& key : request.recv_key()) {
      tensorflow::NamedTensorProto& value = *response->add_recv();
      value.set_name(key);
      struct Received {
        std::exception_ptr error;
        std::optional<Tensor> tensor;
        bool is_dead = false;
      };
      const auto received = std::make_shared<Received>();
      meeting->receive_here(key, [received](std::exception_ptr error, Tensor tensor, bool is_dead) {
        *received = {error, std::move(tensor), is_dead};
      });
      if (received->error) std::rethrow_exception(received->error);
      require(received->tensor.has_value(), "Nothing was sent as ", key);
      require(!received->is_dead, "The tensor returned for ", key, " was not valid.");
      to_proto(*received->tensor, value.mutable_tensor(), ProtoForm::content);
    }
  } catch (...) {
    meeting->abort(std::current_exception());
    leave();
    throw;
  }
  leave();
  if (traces) {
    tensorflow::RunMetadata metadata;
    to_proto(stats, &metadata);
    *response->mutable_step_stats() = std::move(*metadata.mutable_step_stats());
  }
}

// Whether this process is the one that the key means, and not one that was there before it.
void Worker::check_source(const std::string& key) const {
  const std::size_t first = key.find(';'), second = key.find(';', first + 1);
  require(second != std::string::npos, "Invalid  rendezvous key: ", key);
  const std::string name = key.substr(0, first);
  const auto it = std::ranges::find(devices_, name, [](const auto& d) { return d->name(); });
  require(it != devices_.end(), options_.task, " has no device ", name);
  const std::uint64_t wanted =
      std::strtoull(key.substr(first + 1, second - first - 1).c_str(), nullptr, 16);
  if (wanted != (*it)->incarnation())
    raise(Code::kAborted, "RecvTensor expects a different device incarnation: ", wanted, " vs. ",
          (*it)->incarnation(), ". Your worker job (\"", options_.task,
          "\") was probably restarted. Check your worker job for the reason why it was restarted.");
}

// Answers with the tensor's own bytes; who changes it meanwhile works on a copy.
void Worker::recv_tensor(const std::shared_ptr<net::RpcCall>& call) {
  tensorflow::RecvTensorRequest request;
  require(request.ParseFromZeroCopyStream(&call->request()), "The request is no RecvTensorRequest");
  check_source(request.rendezvous_key());
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  std::int64_t watched = 0;
  const net::CallLimits limits = call->limits();
  const std::shared_ptr<StepRendezvous> meeting = rendezvous(request.step_id());
  if (limits.is_gone)  // its answer is wanted no more, but what was sent is taken
    watched = watch_.add(limits.is_gone, [is_over, call] {
      if (!is_over->exchange(true))
        call->fail(Error(Code::kCancelled, "Who asked for the tensor is gone."));
    });
  const auto answer = [this, is_over, watched, call](std::exception_ptr error, Tensor value,
                                                     bool is_dead) {
    if (watched != 0) watch_.forget(watched);
    if (is_over->exchange(true)) return;
    try {
      if (error) std::rethrow_exception(error);
      const auto kept = std::make_shared<const Tensor>(std::move(value));
      WrittenTensor written =
          write_tensor_message({.value = *kept, .is_dead = is_dead}, wall_micros());
      call->reply_bytes(std::move(written.head), written.body, kept);
    } catch (...) {
      call->fail(current_error());
    }
  };
  meeting->receive_here(request.rendezvous_key(), answer);
}

void Worker::clean_up_step(std::int64_t step_id, const char* why) {
  Step step;
  {
    const std::lock_guard lock(mutex_);
    over_.add(step_id);
    const auto it = steps_.find(step_id);
    if (it == steps_.end()) return;
    step = std::move(it->second);
    steps_.erase(it);
  }
  if (step.rendezvous != nullptr)
    step.rendezvous->abort(std::make_exception_ptr(Error(Code::kCancelled, why)));
  for (const auto& run : step.runs) run->cancel();
}

void Worker::clean_up_all(const tensorflow::CleanupAllRequest& request) {
  if (request.container_size() == 0) resources_->clear("");
  for (const std::string& container : request.container()) resources_->clear(container);
}

void Worker::add_methods() {
  using namespace tensorflow;
  const std::string prefix = "/tensorflow.WorkerService/";
  const Service::Runner on_thread = [this](auto task) { threads_.run(std::move(task)); };
  service_.answer<GetStatusRequest, GetStatusResponse>(
      prefix + "GetStatus", [this](const auto&, auto* response) {
        for (auto& device : device_attributes())
          *response->add_device_attributes() = std::move(device);
      });
  service_.answer<CreateWorkerSessionRequest, CreateWorkerSessionResponse>(
      prefix + "CreateWorkerSession",
      [this](const auto& request, auto*) { create_session(request); });
  service_.answer<DeleteWorkerSessionRequest, DeleteWorkerSessionResponse>(
      prefix + "DeleteWorkerSession",
      [this](const auto& request, auto*) { delete_session(request.session_handle()); }, on_thread);
  service_.answer<RegisterGraphRequest, RegisterGraphResponse>(
      prefix + "RegisterGraph",
      [this](const auto& request, auto* response) {
        response->set_graph_handle(
            session(request.session_handle())
                ->add(request.graph_def(), passes_of(request.graph_options())));
      },
      on_thread);
  service_.answer<DeregisterGraphRequest, DeregisterGraphResponse>(
      prefix + "DeregisterGraph",
      [this](const auto& request, auto*) {
        session(request.session_handle())->remove(request.graph_handle());
      },
      on_thread);
  service_.answer<CleanupGraphRequest, CleanupGraphResponse>(
      prefix + "CleanupGraph", [this](const auto& request, auto*) {
        clean_up_step(request.step_id(), "The step is over.");
      });
  service_.answer<CleanupAllRequest, CleanupAllResponse>(
      prefix + "CleanupAll", [this](const auto& request, auto*) { clean_up_all(request); },
      on_thread);
  service_.add<RunGraphRequest, RunGraphResponse>(prefix + "RunGraph",
                                                  std::bind_front(&Worker::run_graph, this));
  service_.add<CompleteGroupRequest, CompleteGroupResponse>(
      prefix + "CompleteGroup",
      [this](const auto& request, auto* response, const auto&, const Done& done) {
        collectives_->complete_group(request, response, done);
      });
  service_.add<CompleteInstanceRequest, CompleteInstanceResponse>(
      prefix + "CompleteInstance",
      [this](const auto& request, auto* response, const auto&, const Done& done) {
        collectives_->complete_instance(request, response, done);
      });
  service_.add_remote(prefix + "RecvTensor", [this](const std::shared_ptr<net::RpcCall>& call) {
    try {
      recv_tensor(call);
    } catch (...) {
      call->fail(current_error());
    }
  });
  service_.answer<MarkRecvFinishedRequest, MarkRecvFinishedResponse>(prefix + "MarkRecvFinished",
                                                                     [](const auto&, auto*) {});
  service_.answer<LoggingRequest, LoggingResponse>(prefix + "Logging", [](const auto&, auto*) {});
  service_.answer<TracingRequest, TracingResponse>(prefix + "Tracing", [](const auto&, auto*) {});
}

}  // namespace rill::cluster
