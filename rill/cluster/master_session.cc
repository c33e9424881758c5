#include "rill/cluster/master_session.h"

#include <algorithm>
#include <set>
#include <shared_mutex>
#include <unordered_set>

#include "rill/base/clock.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/wire_notes.h"
#include "rill/graph/function_proto.h"
#include "rill/graph/graph_def.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/placement/partition.h"
#include "rill/runtime/placement/partition_graphs.h"
#include "rill/runtime/session/config.h"
#include "rill/runtime/session/debugged_plans.h"
#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/master.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr const char* kWorkerService = "/tensorflow.WorkerService/";

std::vector<Device*> pointers(const std::vector<std::unique_ptr<RemoteDevice>>& devices) {
  std::vector<Device*> all;
  for (const auto& device : devices) all.push_back(device.get());
  return all;
}

std::string text_of(const MasterSession::Signature& signature) {
  return str_cat(join(signature.feeds, ","), "->", join(signature.fetches, ","), "/",
                 join(signature.targets, ","));
}

// What nodes of `def` read of those that the graph has already.
std::map<std::string, Output> known_inputs(const Graph& graph, const tensorflow::GraphDef& def) {
  std::unordered_set<std::string_view> fresh;
  for (const auto& node : def.node()) fresh.insert(node.name());
  std::map<std::string, Output> known;
  for (const auto& node : def.node())
    for (const std::string& input : node.input()) {
      const bool waits = input.starts_with('^');
      const std::string name = input.substr(waits ? 1 : 0, input.rfind(':'));
      if (fresh.contains(name)) continue;
      if (Node* const there = graph.find(name); there != nullptr)
        known.emplace(input,
                      waits ? Output{there, 0} : graph.tensor(name == input ? name + ":0" : input));
    }
  return known;
}

std::optional<Error> run_failure(const google::protobuf::MessageLite& message) {
  const auto& response = static_cast<const tensorflow::RunGraphResponse&>(message);
  if (response.status_code() == tensorflow::error::OK) return {};
  return Error(static_cast<Code>(response.status_code()), response.status_error_message());
}

}  // namespace

MasterSession::MasterSession(std::string handle, SessionTasks tasks,
                             const tensorflow::ConfigProto& config)
    : handle_(std::move(handle)),
      tasks_(std::move(tasks)),
      isolates_(config.isolate_session_state()),
      timeout_ms_(config.operation_timeout_in_ms()),
      graph_options_(config.graph_options().SerializeAsString()),
      graph_(standard_ops()),
      kernels_(standard_kernels(), pointers(tasks_.devices)),
      placer_(graph_, pointers(tasks_.devices), standard_kernels(),
              {.soft = config.allow_soft_placement(), .log = config.log_device_placement()}),
      opened_(monotonic_nanos()) {}

MasterSession::~MasterSession() { close(); }

void MasterSession::open(const tensorflow::ConfigProto& config) {
  TaskCalls calls({.what = "the start of a session"});
  for (const auto& [task, link] : *tasks_.links) {
    auto request = std::make_shared<tensorflow::CreateWorkerSessionRequest>();
    request->set_session_handle(handle_);
    request->set_isolate_session_state(isolates_);
    add_note(*request, Note::kMaster,
             static_cast<std::int64_t>(tasks_.devices.front()->incarnation()));
    if (config.cluster_def().job_size() > 0) {
      *request->mutable_server_def()->mutable_cluster() = config.cluster_def();
      request->mutable_server_def()->set_protocol("grpc");
      const DeviceName name = DeviceName::parse(task);
      request->mutable_server_def()->set_job_name(name.job.value_or(""));
      request->mutable_server_def()->set_task_index(name.task.value_or(0));
    }
    for (const auto& device : tasks_.devices) {
      request->add_cluster_device_attributes()->ParseFromString(device->attributes());
    }
    calls.call(task, link, str_cat(kWorkerService, "CreateWorkerSession"), request,
               std::make_shared<tensorflow::CreateWorkerSessionResponse>());
  }
  calls.wait();
}

std::int64_t MasterSession::version() {
  const std::lock_guard lock(mutex_);
  return version_;
}

bool MasterSession::is_running() {
  const std::lock_guard lock(mutex_);
  return !running_.empty();
}

std::int64_t MasterSession::extend(const tensorflow::GraphDef& def, std::int64_t version) {
  const std::lock_guard lock(mutex_);
  if (version != version_)
    raise(Code::kAborted, "Current version is ", version_, " but caller expected ", version, ".");
  import_graph_def(
      graph_, def,
      {.input_map = known_inputs(graph_, def), .use_shapes = false, .internal_names = true});
  return ++version_;
}

std::string MasterSession::client_key(const std::string& tensor) const {
  const RemoteDevice& client = *tasks_.devices.front();
  return rendezvous_key(rendezvous_prefix(
      {{"send_device", client.name()},
       {"send_device_incarnation", static_cast<std::int64_t>(client.incarnation())},
       {"recv_device", client.name()},
       {"tensor_name", tensor}}));
}

std::shared_ptr<MasterSession::Step> MasterSession::cut(const Signature& signature) {
  std::vector<Output> feeds, fetches;
  std::vector<Node*> targets;
  for (const std::string& name : signature.feeds) feeds.push_back(graph_.tensor(name));
  for (const std::string& name : signature.fetches) {
    fetches.push_back(graph_.tensor(name));
    require(std::ranges::find(feeds, fetches.back()) == feeds.end(), fetches.back(),
            " is both fed and fetched.");
  }
  for (const std::string& name : signature.targets) targets.push_back(&graph_.at(name));
  // Tasks optimize what they are sent.
  CompileOptions plain{.fold = false, .share = false, .simplify = false};
  plain.rewrites.off.insert("all");
  const std::shared_lock lock(graph_.mutex());
  const Subgraph graph = compile_subgraph(feeds, fetches, targets, plain, kernels_, &placer_, true);
  ClientValues client{.by_rendezvous = true};
  for (const Output& fetch : fetches) client.fetch_names.push_back(fetch.name());
  for (const auto& device : tasks_.devices)
    client.incarnations.push_back(static_cast<std::int64_t>(device->incarnation()));
  const std::vector<std::string> devices = kernels_.device_names();
  const PartitionedGraph cut = partition(graph, devices, graph_.registry(), client);

  auto step = std::make_shared<Step>();
  std::map<std::string, tensorflow::GraphDef> defs;
  std::map<std::string, std::set<std::string>> taken;
  for (const Partition& part : cut.partitions) {
    const std::string& device = devices[static_cast<std::size_t>(part.device)];
    const std::string task = task_of_device(device);
    append_partition(part.graph, device, taken[task], &defs[task]);
  }
  for (auto& [task, def] : defs) {
    def.mutable_versions()->set_producer(graph_.versions.producer);
    to_proto(*graph_.functions(), def.mutable_library());
    step->parts.push_back({.task = task, .graph = def.SerializeAsString()});
  }
  for (const Output& feed : feeds) step->feed_keys.push_back(client_key(feed.name()));
  for (const Output& fetch : fetches) step->fetch_keys.push_back(client_key(fetch.name()));
  return step;
}

std::shared_ptr<MasterSession::Step> MasterSession::step(const Signature& signature,
                                                         const StepLimits& limits) {
  std::string key = text_of(signature);
  if (limits.debug != nullptr) key += to_key(debug_options(*limits.debug));
  const std::lock_guard lock(mutex_);
  if (closed_) raise(Code::kCancelled, "Session has been closed.");
  auto& step = steps_[key];
  if (step == nullptr) {
    try {
      step = cut(signature);
    } catch (...) {
      steps_.erase(key);
      throw;
    }
    if (limits.debug != nullptr) return keep_watched(key, step);
  }
  return step;
}

// With the mutex. Each watched run may be another one, so that only some are kept.
std::shared_ptr<MasterSession::Step> MasterSession::keep_watched(const std::string& key,
                                                                 std::shared_ptr<Step> step) {
  watched_.push_back(key);
  if (watched_.size() <= DebuggedPlans::kKept) return step;
  const auto oldest = steps_.find(watched_.front());
  watched_.pop_front();
  if (oldest == steps_.end()) return step;
  deregister(*oldest->second);
  steps_.erase(oldest);
  return step;
}

void MasterSession::register_parts(Step& step, const StepLimits& limits) {
  const std::lock_guard lock(step.mutex);
  if (step.is_registered) return;
  TaskCalls calls({.is_gone = limits.is_gone, .what = "the reception of a graph"});
  std::vector<std::shared_ptr<tensorflow::RegisterGraphResponse>> answers;
  for (const Part& part : step.parts) {
    auto request = std::make_shared<tensorflow::RegisterGraphRequest>();
    request->set_session_handle(handle_);
    request->set_create_worker_session_called(true);
    request->mutable_graph_def()->ParseFromString(part.graph);
    request->mutable_graph_options()->ParseFromString(graph_options_);
    if (limits.debug != nullptr) *request->mutable_debug_options() = *limits.debug;
    answers.push_back(std::make_shared<tensorflow::RegisterGraphResponse>());
    calls.call(part.task, tasks_.links->at(part.task), str_cat(kWorkerService, "RegisterGraph"),
               request, answers.back());
  }
  calls.wait();
  for (std::size_t i = 0; i < answers.size(); ++i)
    step.parts[i].handle = answers[i]->graph_handle();
  step.is_registered = true;
}

// Nobody waits for the answers, here and below.
void MasterSession::deregister(const Step& step) {
  for (const Part& part : step.parts) {
    if (part.handle.empty()) continue;
    auto request = std::make_shared<tensorflow::DeregisterGraphRequest>();
    request->set_session_handle(handle_);
    request->set_create_worker_session_called(true);
    request->set_graph_handle(part.handle);
    tasks_.links->at(part.task)->call(str_cat(kWorkerService, "DeregisterGraph"), request,
                                      std::make_shared<tensorflow::DeregisterGraphResponse>(),
                                      {.timeout_ms = 10'000}, [](const std::optional<Error>&) {});
  }
}

void MasterSession::clean_up_on(const std::string& task, std::int64_t step_id) {
  auto request = std::make_shared<tensorflow::CleanupGraphRequest>();
  request->set_step_id(step_id);
  tasks_.links->at(task)->call(str_cat(kWorkerService, "CleanupGraph"), request,
                               std::make_shared<tensorflow::CleanupGraphResponse>(),
                               {.timeout_ms = 10'000}, [](const std::optional<Error>&) {});
}

void MasterSession::clean_up(const Step& step, std::int64_t step_id) {
  for (const Part& part : step.parts) clean_up_on(part.task, step_id);
}

// Of a step that has ended well: other tasks are told with the next step's request, or a little
// later.
void MasterSession::clean_up_later(const Step& step, std::int64_t step_id) {
  bool needs_watch = false;
  for (const Part& part : step.parts) {
    if (part.task == tasks_.own || !tasks_.take_notes.contains(part.task)) {
      clean_up_on(part.task, step_id);
      continue;
    }
    const std::lock_guard lock(mutex_);
    unclean_[part.task].push_back(step_id);
    needs_watch = !std::exchange(will_clean_, true) || needs_watch;
  }
  if (!needs_watch) return;
  tasks_.watch->add([] { return true; },
                    [session = weak_from_this()] {
                      if (const auto self = session.lock()) self->clean_up_late();
                    });
}

void MasterSession::clean_up_late() {
  std::map<std::string, std::vector<std::int64_t>> unclean;
  {
    const std::lock_guard lock(mutex_);
    unclean.swap(unclean_);
    will_clean_ = false;
  }
  for (const auto& [task, steps] : unclean)
    for (const std::int64_t step : steps) clean_up_on(task, step);
}

void MasterSession::begin_step(std::int64_t id, const std::shared_ptr<Step>& step) {
  const std::lock_guard lock(mutex_);
  if (closed_) raise(Code::kCancelled, "Session has been closed.");
  running_[id] = {.step = step, .since = monotonic_nanos()};
}

void MasterSession::end_step(std::int64_t id, const Step& step, bool went_well) {
  if (went_well)
    clean_up_later(step, id);
  else
    clean_up(step, id);
  const std::lock_guard lock(mutex_);
  running_.erase(id);
  ++ended_steps_;
}

void MasterSession::call_part(TaskCalls& calls, const Part& part, std::int64_t id,
                              const PartCall& call, Answers& answers) {
  auto request = std::make_shared<tensorflow::RunGraphRequest>();
  request->set_session_handle(handle_);
  request->set_create_worker_session_called(true);
  request->set_graph_handle(part.handle);
  request->set_step_id(id);
  request->set_request_id(new_request_id());
  request->set_store_errors_in_response_body(true);
  request->set_is_partial(call.is_partial);
  request->set_is_last_partial_run(call.is_last);
  if (call.traces) request->mutable_exec_opts()->set_record_timeline(true);
  if (part.task != tasks_.own) {
    const std::lock_guard lock(mutex_);
    if (const auto it = unclean_.find(part.task); it != unclean_.end())
      for (const std::int64_t ended : std::exchange(it->second, {}))
        add_note(*request, Note::kEndedSteps, ended);
  }
  if (part.task == tasks_.own) {
    for (const auto& [key, value] : call.feeds) {
      auto& sent = *request->add_send();
      sent.set_name(key);
      *sent.mutable_tensor() = *value;
    }
    for (const std::string& key : call.fetch_keys) request->add_recv_key(key);
  }
  answers.push_back(std::make_shared<tensorflow::RunGraphResponse>());
  calls.call(part.task, tasks_.links->at(part.task), str_cat(kWorkerService, "RunGraph"), request,
             answers.back());
}

// The answers, the own part's last. It runs on this thread, since that waits anyway.
MasterSession::Answers MasterSession::call_parts(const std::shared_ptr<Step>& step, std::int64_t id,
                                                 const PartCall& call, const StepLimits& limits) {
  const std::int64_t timeout = limits.timeout_ms > 0 ? limits.timeout_ms : timeout_ms_;
  TaskCalls calls({.deadline_nanos = timeout > 0 ? monotonic_nanos() + timeout * 1'000'000 : 0,
                   .is_gone = limits.is_gone,
                   .what = "the end of a step"});
  calls.check_answer(run_failure);
  calls.on_error([this, step, id] { clean_up(*step, id); });
  const auto tell_status_of = [&](TaskCalls* those) {
    const std::lock_guard lock(mutex_);
    if (const auto it = running_.find(id); it != running_.end()) it->second.calls = those;
  };
  Answers answers;
  tell_status_of(&calls);
  try {
    const Part* own = nullptr;
    for (const Part& part : step->parts) {
      if (part.task == tasks_.own)
        own = &part;
      else if (!call.is_own_alone)
        call_part(calls, part, id, call, answers);
    }
    if (own != nullptr) {
      calls.watch_over(*tasks_.watch);
      const Service::OnThisThread here;
      call_part(calls, *own, id, call, answers);
    }
    calls.wait();
  } catch (...) {
    tell_status_of(nullptr);
    throw;
  }
  tell_status_of(nullptr);
  return answers;
}

void MasterSession::run(const Signature& signature, const Feeds& feeds, const StepLimits& limits,
                        const Result& result, tensorflow::RunMetadata* metadata) {
  const std::shared_ptr<Step> step = this->step(signature, limits);
  register_parts(*step, limits);
  if (limits.debug == nullptr) return run_registered(step, feeds, limits, result, metadata);
  const DebugOptions watches = debug_options(*limits.debug);
  DebuggedRun run{.global_step = watches.global_step,
                  .inputs = signature.feeds,
                  .outputs = signature.fetches,
                  .targets = signature.targets,
                  .micros = wall_micros()};
  {
    const std::lock_guard lock(mutex_);
    run.session_run = ended_steps_;
    run.executor_step = step->runs++;
  }
  const DebugPublication publication(watches, &run, {}, run.micros);
  run_registered(step, feeds, limits, result, metadata);
}

void MasterSession::run_registered(const std::shared_ptr<Step>& step, const Feeds& feeds,
                                   const StepLimits& limits, const Result& result,
                                   tensorflow::RunMetadata* metadata) {
  PartCall call{.traces = limits.traces};
  for (std::size_t i = 0; i < feeds.size(); ++i)
    call.feeds.emplace_back(step->feed_keys[i], feeds[i]);
  call.fetch_keys.insert(step->fetch_keys.begin(), step->fetch_keys.end());
  const std::int64_t id = new_step_id();
  begin_step(id, step);
  Answers answers;
  try {
    answers = call_parts(step, id, call, limits);
  } catch (...) {
    end_step(id, *step, false);
    throw;
  }
  end_step(id, *step, true);
  if (metadata != nullptr && limits.traces)
    for (const auto& answer : answers)
      metadata->mutable_step_stats()->MergeFrom(answer->step_stats());
  if (metadata != nullptr && limits.partition_graphs)
    for (const Part& part : step->parts)
      metadata->add_partition_graphs()->ParseFromString(part.graph);
  if (answers.empty()) return;
  for (auto& value : *answers.back()->mutable_recv())
    for (std::size_t f = 0; f < step->fetch_keys.size(); ++f)
      if (step->fetch_keys[f] == value.name()) *result(f) = value.tensor();
}

std::string MasterSession::partial_run_setup(const Signature& signature) {
  require(!signature.fetches.empty() || !signature.targets.empty(),
          "Must specify at least one target to fetch or execute.");
  std::vector<Output> feeds, fetches;
  for (const std::string& name : signature.feeds) feeds.push_back(graph_.tensor(name));
  for (const std::string& name : signature.fetches) fetches.push_back(graph_.tensor(name));
  auto partial = std::make_shared<PartialStep>(std::move(feeds), std::move(fetches));
  partial->step = step(signature, {});
  register_parts(*partial->step, {});
  partial->id = new_step_id();
  begin_step(partial->id, partial->step);
  const std::lock_guard lock(mutex_);
  const std::string handle = std::to_string(next_partial_++);
  partials_.emplace(handle, std::move(partial));
  return handle;
}

std::shared_ptr<MasterSession::PartialStep> MasterSession::partial(const std::string& handle) {
  const std::lock_guard lock(mutex_);
  if (closed_) raise(Code::kCancelled, "Session has been closed.");
  const auto it = partials_.find(handle);
  require(it != partials_.end(), "Must run PartialRunSetup before performing partial runs");
  return it->second;
}

void MasterSession::partial_run(const std::string& handle, const Signature& part,
                                const Feeds& feeds, const StepLimits& limits,
                                const Result& result) {
  const std::shared_ptr<PartialStep> partial = this->partial(handle);
  const std::lock_guard lock(partial->mutex);
  std::vector<Output> fed, fetched;
  for (const std::string& name : part.feeds) fed.push_back(graph_.tensor(name));
  for (const std::string& name : part.fetches) fetched.push_back(graph_.tensor(name));
  partial->announced.take(fed, fetched);
  const bool is_last = partial->announced.is_complete();
  PartCall call{
      .is_partial = true, .is_last = is_last, .is_own_alone = partial->has_begun && !is_last};
  partial->has_begun = true;
  for (std::size_t i = 0; i < feeds.size(); ++i)
    call.feeds.emplace_back(client_key(fed[i].name()), feeds[i]);
  std::vector<std::string> keys;
  for (const Output& fetch : fetched) keys.push_back(client_key(fetch.name()));
  call.fetch_keys.insert(keys.begin(), keys.end());
  const auto end = [&](bool went_well) {
    end_step(partial->id, *partial->step, went_well);
    const std::lock_guard relock(mutex_);
    partials_.erase(handle);
  };
  Answers answers;
  try {
    answers = call_parts(partial->step, partial->id, call, limits);
  } catch (...) {
    end(false);
    throw;
  }
  if (is_last) end(true);
  if (answers.empty()) return;
  for (auto& value : *answers.back()->mutable_recv())
    for (std::size_t f = 0; f < keys.size(); ++f)
      if (keys[f] == value.name()) *result(f) = value.tensor();
}

void MasterSession::close() {
  std::map<std::int64_t, Running> running;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return;
    running = running_;
  }
  clean_up_late();
  for (const auto& [id, step] : running) clean_up(*step.step, id);
  auto request = std::make_shared<tensorflow::DeleteWorkerSessionRequest>();
  request->set_session_handle(handle_);
  for (const auto& [task, link] : *tasks_.links)
    link->call(str_cat(kWorkerService, "DeleteWorkerSession"), request,
               std::make_shared<tensorflow::DeleteWorkerSessionResponse>(), {.timeout_ms = 10'000},
               [](const std::optional<Error>&) {});
}

void MasterSession::tell(wire::Session* status) {
  const std::int64_t now = monotonic_nanos();
  const std::lock_guard lock(mutex_);
  status->set_handle(handle_);
  status->set_open_millis((now - opened_) / 1'000'000);
  status->set_steps(ended_steps_);
  for (const auto& [task, link] : *tasks_.links) status->add_task(task);
  for (const auto& [id, running] : running_) {
    auto& step = *status->add_step();
    step.set_id(id);
    step.set_running_millis((now - running.since) / 1'000'000);
    if (running.calls == nullptr) continue;
    for (const std::string& task : running.calls->missing()) step.add_waits_for(task);
  }
}

}  // namespace rill::cluster
