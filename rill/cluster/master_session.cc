#include "rill/cluster/master_session.h"

#include <algorithm>
#include <set>
#include <shared_mutex>
#include <unordered_set>

#include "rill/base/clock.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/request_id.h"
#include "rill/graph/function_proto.h"
#include "rill/graph/graph_def.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/placement/partition.h"
#include "rill/runtime/placement/partition_graphs.h"
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
              {.soft = config.allow_soft_placement(), .log = config.log_device_placement()}) {}

MasterSession::~MasterSession() { close(); }

void MasterSession::open(const tensorflow::ConfigProto& config) {
  TaskCalls calls;
  for (const auto& [task, link] : *tasks_.links) {
    auto request = std::make_shared<tensorflow::CreateWorkerSessionRequest>();
    request->set_session_handle(handle_);
    request->set_isolate_session_state(isolates_);
    request->set_master_task(tasks_.own);
    request->set_master_incarnation(
        static_cast<std::int64_t>(tasks_.devices.front()->incarnation()));
    if (config.cluster_def().job_size() > 0) {
      *request->mutable_server_def()->mutable_cluster() = config.cluster_def();
      request->mutable_server_def()->set_protocol("grpc");
      const DeviceName name = DeviceName::parse(task);
      request->mutable_server_def()->set_job_name(name.job.value_or(""));
      request->mutable_server_def()->set_task_index(name.task.value_or(0));
    }
    for (const auto& device : tasks_.devices) {
      auto& attributes = *request->add_cluster_device_attributes();
      attributes.set_name(device->name());
      attributes.set_device_type(device->type());
      attributes.set_memory_limit(device->memory());
      attributes.set_incarnation(device->incarnation());
    }
    calls.call(task, link, str_cat(kWorkerService, "CreateWorkerSession"), request,
               std::make_shared<tensorflow::CreateWorkerSessionResponse>());
  }
  calls.wait({.what = "the start of a session"});
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

std::shared_ptr<MasterSession::Step> MasterSession::step(const Signature& signature) {
  const std::string key = text_of(signature);
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
  }
  return step;
}

void MasterSession::register_parts(Step& step, const StepLimits& limits) {
  const std::lock_guard lock(step.mutex);
  if (step.is_registered) return;
  TaskCalls calls;
  std::vector<std::shared_ptr<tensorflow::RegisterGraphResponse>> answers;
  for (const Part& part : step.parts) {
    auto request = std::make_shared<tensorflow::RegisterGraphRequest>();
    request->set_session_handle(handle_);
    request->set_create_worker_session_called(true);
    request->mutable_graph_def()->ParseFromString(part.graph);
    request->mutable_graph_options()->ParseFromString(graph_options_);
    answers.push_back(std::make_shared<tensorflow::RegisterGraphResponse>());
    calls.call(part.task, tasks_.links->at(part.task), str_cat(kWorkerService, "RegisterGraph"),
               request, answers.back());
  }
  calls.wait({.is_gone = limits.is_gone, .what = "the reception of a graph"});
  for (std::size_t i = 0; i < answers.size(); ++i)
    step.parts[i].handle = answers[i]->graph_handle();
  step.is_registered = true;
}

// Nobody waits for the answers.
void MasterSession::clean_up(const Step& step, std::int64_t step_id) {
  auto request = std::make_shared<tensorflow::CleanupGraphRequest>();
  request->set_step_id(step_id);
  for (const Part& part : step.parts)
    tasks_.links->at(part.task)->call(str_cat(kWorkerService, "CleanupGraph"), request,
                                      std::make_shared<tensorflow::CleanupGraphResponse>(),
                                      {.timeout_ms = 10'000}, [](const std::optional<Error>&) {});
}

void MasterSession::run(const Signature& signature, const Feeds& feeds, const StepLimits& limits,
                        const std::function<tensorflow::TensorProto*(std::size_t)>& result,
                        tensorflow::RunMetadata* metadata) {
  const std::shared_ptr<Step> step = this->step(signature);
  register_parts(*step, limits);
  const std::int64_t id = new_step_id();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) raise(Code::kCancelled, "Session has been closed.");
    running_.emplace(id, step);
  }
  TaskCalls calls;
  calls.check_answer(run_failure);
  calls.on_error([&] { clean_up(*step, id); });
  std::vector<std::shared_ptr<tensorflow::RunGraphResponse>> answers;
  for (const Part& part : step->parts) {
    auto request = std::make_shared<tensorflow::RunGraphRequest>();
    request->set_session_handle(handle_);
    request->set_create_worker_session_called(true);
    request->set_graph_handle(part.handle);
    request->set_step_id(id);
    request->set_request_id(new_request_id());
    request->set_store_errors_in_response_body(true);
    request->mutable_exec_opts()->set_record_timeline(limits.traces);
    if (part.task == tasks_.own) {
      for (std::size_t i = 0; i < feeds.size(); ++i) {
        auto& sent = *request->add_send();
        sent.set_name(step->feed_keys[i]);
        *sent.mutable_tensor() = *feeds[i];
      }
      const std::set<std::string> keys(step->fetch_keys.begin(), step->fetch_keys.end());
      for (const std::string& key : keys) request->add_recv_key(key);
    }
    answers.push_back(std::make_shared<tensorflow::RunGraphResponse>());
    calls.call(part.task, tasks_.links->at(part.task), str_cat(kWorkerService, "RunGraph"), request,
               answers.back());
  }
  const std::int64_t timeout = limits.timeout_ms > 0 ? limits.timeout_ms : timeout_ms_;
  const auto end = [&] {
    clean_up(*step, id);
    const std::lock_guard lock(mutex_);
    running_.erase(id);
  };
  try {
    calls.wait({.deadline_nanos = timeout > 0 ? monotonic_nanos() + timeout * 1'000'000 : 0,
                .is_gone = limits.is_gone,
                .what = "the end of a step"});
  } catch (...) {
    end();
    throw;
  }
  end();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (metadata != nullptr && limits.traces)
      metadata->mutable_step_stats()->MergeFrom(answers[i]->step_stats());
    if (metadata != nullptr && limits.partition_graphs)
      metadata->add_partition_graphs()->ParseFromString(step->parts[i].graph);
    if (step->parts[i].task != tasks_.own) continue;
    for (auto& value : *answers[i]->mutable_recv())
      for (std::size_t f = 0; f < step->fetch_keys.size(); ++f)
        if (step->fetch_keys[f] == value.name()) *result(f) = value.tensor();
  }
}

void MasterSession::close() {
  std::map<std::int64_t, std::shared_ptr<Step>> running;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return;
    running = running_;
  }
  for (const auto& [id, step] : running) clean_up(*step, id);
  auto request = std::make_shared<tensorflow::DeleteWorkerSessionRequest>();
  request->set_session_handle(handle_);
  for (const auto& [task, link] : *tasks_.links)
    link->call(str_cat(kWorkerService, "DeleteWorkerSession"), request,
               std::make_shared<tensorflow::DeleteWorkerSessionResponse>(), {.timeout_ms = 10'000},
               [](const std::optional<Error>&) {});
}

}  // namespace rill::cluster
