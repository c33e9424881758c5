#include "rill/cluster/worker.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>

#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "rill/cluster/piece_fetch.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/wire_notes.h"
#include "rill/ops/fusion/rewrite_switches.h"
#include "rill/runtime/session/config.h"
#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr std::chrono::seconds kLookingPeriod{5};
// A step that is asked for its values, and does not begin in this time, never does.
constexpr std::int64_t kLatestBeginNanos = 3'600'000'000'000;

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

Links links_of(const ClusterSpec& cluster,
               const std::shared_ptr<const net::ClientSecurity>& security) {
  Links links;
  for (const auto& [task, address] : cluster.addresses()) links[task] = link_to(address, security);
  return links;
}

// TensorFlow tells more of devices, and of who opens a session, since it numbers loops otherwise.
bool has_newer_tasks(const tensorflow::CreateWorkerSessionRequest& request) {
  constexpr int kDeviceId = 8, kMasterTask = 5;
  if (has_field(request, kMasterTask)) return true;
  return std::ranges::any_of(request.cluster_device_attributes(),
                             [](const auto& device) { return has_field(device, kDeviceId); });
}

// The master that opens a session, where it says which of the devices is its own.
SessionOwners::Owner owner_of(const tensorflow::CreateWorkerSessionRequest& request,
                              const Links& links, const std::string& own_task) {
  SessionOwners::Owner owner;
  for (const std::int64_t incarnation : notes(request, Note::kMaster))
    for (const auto& device : request.cluster_device_attributes())
      if (static_cast<std::int64_t>(device.incarnation()) == incarnation)
        owner = {.task = task_of_device(device.name()), .incarnation = incarnation};
  const auto link = links.find(owner.task);
  if (owner.task != own_task && link != links.end()) owner.link = link->second;
  return owner;
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
      resources_(std::make_shared<ResourceStore>("localhost")),
      looking_(kLookingPeriod, [this] { look_after_steps(); }) {
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
      .links = std::make_shared<const Links>(links_of(options_.cluster, options_.security)),
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

Worker::Kept Worker::kept() const {
  const std::lock_guard lock(mutex_);
  return {.sessions = sessions_.size(), .steps = steps_.size()};
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
                  .newer_loop_numbers = has_newer_tasks(request),
                  .may_spread = options_.defaults.inter_op_threads >= 0};
  share_collectives(*parts.resources);
  for (const auto& device : devices_) parts.devices.push_back(device.get());
  parts.session = request.session_handle();
  parts.links = std::make_shared<const Links>(links_of(cluster, options_.security));
  SessionOwners::Owner owner = owner_of(request, *parts.links, options_.task);
  auto made = std::make_shared<WorkerSession>(std::move(parts), options_.task);
  {
    const std::lock_guard lock(mutex_);
    if (!sessions_.emplace(request.session_handle(), std::move(made)).second)
      raise(Code::kAlreadyExists, "There is a session ", request.session_handle(), " already");
  }
  if (owner.task.empty()) return;
  for (const std::string& left : owners_.add(request.session_handle(), std::move(owner)))
    delete_session(left);
}

// And ends its steps.
void Worker::delete_session(const std::string& handle) {
  owners_.remove(handle);
  std::shared_ptr<WorkerSession> gone;  // ends without the lock
  std::vector<std::int64_t> steps;
  {
    const std::lock_guard lock(mutex_);
    const auto it = sessions_.find(handle);
    if (it == sessions_.end()) return;
    gone = std::move(it->second);
    sessions_.erase(it);
    for (const auto& [id, step] : steps_)
      if (step.session == handle) steps.push_back(id);
  }
  for (const std::int64_t id : steps) clean_up_step(id, "The session was closed.");
}

void Worker::look_after_steps() {
  std::vector<std::shared_ptr<StepRendezvous>> meetings;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, step] : steps_)
      if (step.rendezvous != nullptr) meetings.push_back(step.rendezvous);
  }
  for (const auto& meeting : meetings) meeting->ask_silent_tasks();
  if (++looks_ * kLookingPeriod < kForgettingPeriod) return;
  looks_ = 0;
  forget_what_nobody_wants();
}

// Sessions whose master does not know them any more, and steps that never began.
void Worker::forget_what_nobody_wants() {
  for (const std::string& handle : owners_.ask()) delete_session(handle);
  std::vector<std::int64_t> late;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, step] : steps_)
      if (id >= 0 && step.session.empty() &&  // others are of collective groups
          monotonic_nanos() - step.made_nanos > kLatestBeginNanos)
        late.push_back(id);
  }
  for (const std::int64_t id : late) clean_up_step(id, "The step never began.");
}

void Worker::tell(wire::StatusResponse* status) {
  const std::int64_t now = monotonic_nanos();
  std::map<std::string, std::shared_ptr<WorkerSession>> sessions;
  std::map<std::int64_t, std::shared_ptr<StepRendezvous>> steps;
  {
    const std::lock_guard lock(mutex_);
    sessions = sessions_;
    for (const auto& [id, step] : steps_) steps.emplace(id, step.rendezvous);
  }
  for (const auto& device : devices_) status->add_incarnation(device->incarnation());
  for (const auto& [handle, session] : sessions) {
    auto& told = *status->add_worker_session();
    told.set_handle(handle);
    told.set_graphs(session->graph_count());
  }
  for (const auto& [id, meeting] : steps) {
    if (meeting == nullptr) continue;
    for (const Awaited& awaited : meeting->awaited()) {
      auto& told = *status->add_wait();
      told.set_step(id);
      told.set_waiter(options_.task);
      told.set_source(awaited.task);
      told.set_tensor(tensor_of_key(awaited.key));
      told.set_millis((now - awaited.since) / 1'000'000);
    }
  }
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
        add_note(*response, Note::kTakesNotes, 1);
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
        response->set_graph_handle(session(request.session_handle())
                                       ->add(request.graph_def(),
                                             passes_of(request.graph_options()),
                                             debug_options(request.debug_options())));
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
  service_.add_remote(kReadPiece, [this](const std::shared_ptr<net::RpcCall>& call) {
    try {
      read_piece(call);
    } catch (...) {
      call->fail(current_error());
    }
  });
  service_.answer<MarkRecvFinishedRequest, MarkRecvFinishedResponse>(prefix + "MarkRecvFinished",
                                                                     [](const auto&, auto*) {});
  service_.answer<LoggingRequest, LoggingResponse>(
      prefix + "Logging",
      [this](const auto& request, auto* response) { logs_.answer(request, response); });
  // As TensorFlow's: steps are traced by RunOptions.
  service_.answer<TracingRequest, TracingResponse>(
      prefix + "Tracing", [](const auto&, auto*) { raise(Code::kUnimplemented, "Tracing"); });
}

}  // namespace rill::cluster
