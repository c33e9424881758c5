#include "rill/cluster/master.h"

#include <algorithm>
#include <cstdio>

#include "rill/base/clock.h"
#include "rill/base/environment.h"
#include "rill/base/log.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/task_start.h"
#include "rill/cluster/wire_notes.h"
#include "rill/cluster/worker.h"
#include "rill/graph/device_name.h"
#include "rill_cluster/cluster.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/master.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

// Clients that vanish leave sessions behind.
std::int64_t idle_limit_nanos() {
  const std::int64_t seconds = environment_number("RILL_CLUSTER_IDLE_SECONDS");
  return (seconds > 0 ? seconds : 24 * 3600) * 1'000'000'000;
}

std::string new_handle() {
  char handle[17];
  std::snprintf(handle, sizeof handle, "%016llx",
                static_cast<unsigned long long>(new_incarnation()));
  return handle;
}

[[noreturn]] void unknown_session(const std::string& handle) {
  raise(Code::kAborted, "Session ", handle, " is not found. Possibly, this master has restarted.");
}

MasterSession::StepLimits step_limits(const tensorflow::RunOptions& options,
                                      const net::CallLimits& limits) {
  const bool is_watched = options.debug_options().debug_tensor_watch_opts_size() > 0;
  return {.timeout_ms = options.timeout_in_ms(),
          .is_gone = limits.is_gone,
          .traces = options.trace_level() > tensorflow::RunOptions::NO_TRACE,
          .partition_graphs = options.output_partition_graphs(),
          .debug = is_watched ? &options.debug_options() : nullptr};
}

template <class T>
std::vector<std::string> strings(const T& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace

Master::Master(MasterOptions options, Worker& worker)
    : options_(std::move(options)),
      worker_(worker),
      // Not owned: the worker outlives what is called here.
      own_(&worker.service(), [](const Service*) {}),
      forgetting_(kForgettingPeriod, [this] { close_idle_sessions(); }) {
  add_methods();
}

Master::~Master() {
  std::map<std::string, Session> sessions;
  {
    const std::lock_guard lock(mutex_);
    sessions = std::move(sessions_);
  }
  for (const auto& [handle, session] : sessions) session.session->close();
}

std::size_t Master::session_count() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

std::shared_ptr<MasterSession> Master::session(const std::string& handle, bool is_use) {
  const std::lock_guard lock(mutex_);
  const auto it = sessions_.find(handle);
  if (it == sessions_.end()) unknown_session(handle);
  if (is_use) it->second.used_nanos = monotonic_nanos();
  return it->second.session;
}

// To the tasks that the filters let through, and to this process whatever they say.
std::shared_ptr<const Links> Master::links(const ClusterSpec& cluster,
                                           std::span<const std::string> filters) const {
  auto links = std::make_shared<Links>();
  for (const auto& [task, address] : cluster.addresses())
    if (task == worker_.task())
      (*links)[task] = link_to(address, own_);
    else if (ClusterSpec::passes(task, filters))
      (*links)[task] = link_to(address, options_.security);
  if (!links->contains(worker_.task())) (*links)[worker_.task()] = link_to("this process", own_);
  return links;
}

// Waits until all of them are there; of those that were there before, only for what the graph
// names: who has ended is not awaited.
SessionTasks Master::find_tasks(const tensorflow::ConfigProto& config,
                                const tensorflow::GraphDef& graph, const net::CallLimits& limits) {
  const ClusterSpec cluster =
      config.cluster_def().job_size() > 0 ? ClusterSpec(config.cluster_def()) : options_.cluster;
  const std::vector<std::string> filters = strings(config.device_filters());
  SessionTasks tasks{.own = worker_.task(),
                     .links = links(cluster, filters),
                     .devices = {},
                     .take_notes = {},
                     .watch = &worker_.watch()};
  StartLimits start{.is_gone = limits.is_gone};
  {
    const std::lock_guard lock(mutex_);
    start.optional = seen_;
  }
  for (const auto& node : graph.node()) {  // what the graph needs is waited for
    const DeviceName name = DeviceName::parse(node.device());
    if (name.job && name.task) start.optional.erase(task_name(*name.job, *name.task));
  }
  const auto found = wait_for_tasks(*tasks.links, start);
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [task, status] : found) seen_.insert(task);
  }
  auto there = std::make_shared<Links>();
  for (const auto& [task, link] : *tasks.links)
    if (found.contains(task)) there->emplace(task, link);
  tasks.links = std::move(there);
  // This process's first: what says nothing of where it runs goes there, and so does the client.
  for (const auto& [task, status] : found)
    if (!notes(*status, Note::kTakesNotes).empty()) tasks.take_notes.insert(task);
  const auto add = [&](const tensorflow::GetStatusResponse& status) {
    for (const auto& device : status.device_attributes())
      tasks.devices.push_back(std::make_unique<RemoteDevice>(
          device.name(), device.device_type(), device.incarnation(), device.SerializeAsString()));
  };
  add(*found.at(tasks.own));
  for (const auto& [task, status] : found)
    if (task != tasks.own) add(*status);
  return tasks;
}

void Master::create_session(const tensorflow::CreateSessionRequest& request,
                            tensorflow::CreateSessionResponse* response,
                            const net::CallLimits& limits) {
  if (request.config().use_per_session_threads())
    raise(Code::kInvalidArgument,
          "Distributed session does not support session thread pool options.");
  auto session = std::make_shared<MasterSession>(
      new_handle(), find_tasks(request.config(), request.graph_def(), limits), request.config());
  response->set_graph_version(session->extend(request.graph_def(), 0));
  session->open(request.config());
  response->set_session_handle(session->handle());
  const std::lock_guard lock(mutex_);
  sessions_[session->handle()] = {.session = session, .used_nanos = monotonic_nanos()};
}

void Master::close_idle_sessions() {
  std::vector<std::string> idle;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, session] : sessions_)
      if (!session.session->is_running() &&
          monotonic_nanos() - session.used_nanos > idle_limit_nanos())
        idle.push_back(handle);
  }
  for (const std::string& handle : idle) {
    log(LogLevel::kWarning, "Session ", handle, " is closed: nobody used it for so long.");
    try {
      close_session(handle);
    } catch (const Error&) {  // its client came back, to close it
    }
  }
}

void Master::close_session(const std::string& handle) {
  std::shared_ptr<MasterSession> session;
  {
    const std::lock_guard lock(mutex_);
    const auto it = sessions_.find(handle);
    if (it == sessions_.end()) unknown_session(handle);
    session = std::move(it->second.session);
    sessions_.erase(it);
  }
  session->close();
}

void Master::run_step(const tensorflow::RunStepRequest& request,
                      tensorflow::RunStepResponse* response, const net::CallLimits& limits) {
  const std::shared_ptr<MasterSession> session = this->session(request.session_handle());
  MasterSession::Signature signature{
      .feeds = {}, .fetches = strings(request.fetch()), .targets = strings(request.target())};
  MasterSession::Feeds feeds;
  for (const auto& feed : request.feed()) {
    signature.feeds.push_back(feed.name());
    feeds.push_back(&feed.tensor());
  }
  for (const std::string& name : signature.fetches) response->add_tensor()->set_name(name);
  const auto result = [&](std::size_t i) {
    return response->mutable_tensor(static_cast<int>(i))->mutable_tensor();
  };
  const MasterSession::StepLimits step = step_limits(request.options(), limits);
  try {
    if (!request.partial_run_handle().empty())
      session->partial_run(request.partial_run_handle(), signature, feeds, step, result);
    else
      session->run(signature, feeds, step, result, response->mutable_metadata());
  } catch (const Error& error) {
    if (!request.store_errors_in_response_body()) throw;
    response->clear_tensor();
    response->set_status_code(static_cast<tensorflow::error::Code>(error.code()));
    response->set_status_error_message(error.message());
  }
}

std::int64_t Master::make_callable(const std::string& handle,
                                   const tensorflow::CallableOptions& options) {
  const std::lock_guard lock(mutex_);
  const auto it = sessions_.find(handle);
  if (it == sessions_.end()) unknown_session(handle);
  Session& session = it->second;
  session.callables[session.next_callable] =
      std::make_shared<const tensorflow::CallableOptions>(options);
  return session.next_callable++;
}

void Master::run_callable(const tensorflow::RunCallableRequest& request,
                          tensorflow::RunCallableResponse* response,
                          const net::CallLimits& limits) {
  std::shared_ptr<MasterSession> session;
  std::shared_ptr<const tensorflow::CallableOptions> options;
  {
    const std::lock_guard lock(mutex_);
    const auto it = sessions_.find(request.session_handle());
    if (it == sessions_.end()) unknown_session(request.session_handle());
    const auto callable = it->second.callables.find(request.handle());
    require(callable != it->second.callables.end(), "No such callable handle: ", request.handle());
    it->second.used_nanos = monotonic_nanos();
    session = it->second.session;
    options = callable->second;
  }
  require(request.feed_size() == options->feed_size(), "The callable takes ", options->feed_size(),
          " values, ", request.feed_size(), " were given");
  const MasterSession::Signature signature{.feeds = strings(options->feed()),
                                           .fetches = strings(options->fetch()),
                                           .targets = strings(options->target())};
  MasterSession::Feeds feeds;
  for (const auto& feed : request.feed()) feeds.push_back(&feed);
  for (int i = 0; i < options->fetch_size(); ++i) response->add_fetch();
  session->run(
      signature, feeds, step_limits(options->run_options(), limits),
      [&](std::size_t i) { return response->mutable_fetch(static_cast<int>(i)); },
      response->mutable_metadata());
}

void Master::list_devices(const std::string& handle, tensorflow::ListDevicesResponse* response) {
  // Workers ask so whether the session is still there: that is no use of it.
  const std::shared_ptr<MasterSession> session = this->session(handle, false);
  for (const auto& device : session->devices()) {
    const bool is_own = task_of_device(device->name()) == worker_.task();
    auto& attributes = is_own ? *response->add_local_device() : *response->add_remote_device();
    attributes.ParseFromString(device->attributes());
  }
}

void Master::partial_run_setup(const tensorflow::PartialRunSetupRequest& request,
                               tensorflow::PartialRunSetupResponse* response,
                               const net::CallLimits&) {
  response->set_partial_run_handle(session(request.session_handle())
                                       ->partial_run_setup({.feeds = strings(request.feed()),
                                                            .fetches = strings(request.fetch()),
                                                            .targets = strings(request.target())}));
}

void Master::tell(wire::StatusResponse* status) {
  std::vector<std::shared_ptr<MasterSession>> sessions;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, session] : sessions_) sessions.push_back(session.session);
  }
  for (const auto& session : sessions) session->tell(status->add_session());
}

// Clears containers of every task that is there, and ends all sessions of this master.
void Master::reset(const tensorflow::ResetRequest& request, tensorflow::ResetResponse*,
                   const net::CallLimits& limits) {
  std::map<std::string, Session> sessions;
  {
    const std::lock_guard lock(mutex_);
    sessions = std::move(sessions_);
    sessions_.clear();
  }
  for (const auto& [handle, session] : sessions) session.session->close();
  auto wanted = std::make_shared<tensorflow::CleanupAllRequest>();
  *wanted->mutable_container() = request.container();
  TaskCalls calls({.is_gone = limits.is_gone, .what = "the clearing of containers"});
  const std::vector<std::string> filters = strings(request.device_filters());
  const std::shared_ptr<const Links> tasks = links(options_.cluster, filters);
  for (const auto& [task, link] : *tasks)
    calls.call(task, link, "/tensorflow.WorkerService/CleanupAll", wanted,
               std::make_shared<tensorflow::CleanupAllResponse>());
  calls.wait();
}

template <class Request, class Response>
void Master::add_long(const std::string& name,
                      void (Master::*method)(const Request&, Response*, const net::CallLimits&)) {
  service_.add<Request, Response>(
      "/tensorflow.MasterService/" + name,
      [this, method](const Request& request, Response* response, const net::CallLimits& limits,
                     const Done& done) {
        long_calls_.run([this, method, &request, response, limits, done] {
          Service::answer_with(done, [&] { (this->*method)(request, response, limits); });
        });
      });
}

void Master::add_methods() {
  using namespace tensorflow;
  const std::string prefix = "/tensorflow.MasterService/";
  const Service::Runner on_thread = [this](auto task) { threads_.run(std::move(task)); };
  add_long("CreateSession", &Master::create_session);
  add_long("PartialRunSetup", &Master::partial_run_setup);
  add_long("RunStep", &Master::run_step);
  add_long("RunCallable", &Master::run_callable);
  add_long("Reset", &Master::reset);
  service_.answer<ExtendSessionRequest, ExtendSessionResponse>(
      prefix + "ExtendSession",
      [this](const auto& request, auto* response) {
        response->set_new_graph_version(
            session(request.session_handle())
                ->extend(request.graph_def(), request.current_graph_version()));
      },
      on_thread);
  service_.answer<CloseSessionRequest, CloseSessionResponse>(
      prefix + "CloseSession",
      [this](const auto& request, auto*) { close_session(request.session_handle()); }, on_thread);
  service_.answer<ListDevicesRequest, ListDevicesResponse>(
      prefix + "ListDevices", [this](const auto& request, auto* response) {
        list_devices(request.session_handle(), response);
      });
  service_.answer<MakeCallableRequest, MakeCallableResponse>(
      prefix + "MakeCallable", [this](const auto& request, auto* response) {
        response->set_handle(make_callable(request.session_handle(), request.options()));
      });
  service_.answer<ReleaseCallableRequest, ReleaseCallableResponse>(
      prefix + "ReleaseCallable", [this](const auto& request, auto*) {
        const std::lock_guard lock(mutex_);
        const auto it = sessions_.find(request.session_handle());
        if (it != sessions_.end()) it->second.callables.erase(request.handle());
      });
}

}  // namespace rill::cluster
