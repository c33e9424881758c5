#include "rill/cluster/remote_session.h"

#include <atomic>

#include "rill/base/clock.h"
#include "rill/base/scheduler.h"
#include "rill/cluster/local_servers.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/security.h"
#include "rill/cluster/task_calls.h"
#include "rill/cluster/task_start.h"
#include "rill/graph/graph_def.h"
#include "rill/runtime/session/config.h"
#include "rill/runtime/session/session_target.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/master.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr std::string_view kRemoteScheme = "grpc://";
constexpr const char* kMasterService = "/tensorflow.MasterService/";

std::optional<Error> step_failure(const google::protobuf::MessageLite& message) {
  const auto& response = static_cast<const tensorflow::RunStepResponse&>(message);
  if (response.status_code() == tensorflow::error::OK) return {};
  return Error(static_cast<Code>(response.status_code()), response.status_error_message());
}

std::shared_ptr<Link> link_of(const std::string& target) {
  const RemoteTarget remote = remote_target(target);
  return link_to_server(remote.address, client_security(remote.security));
}

// A session whose master is another process, or a server of this one.
class RemoteSession final : public SessionTarget {
 public:
  RemoteSession(const Graph& graph, const SessionOptions& options)
      : graph_(graph),
        timeout_ms_(options.timeout_ms),
        name_(str_cat(kRemoteScheme, remote_target(options.target).address)),
        link_(link_of(options.target)),
        config_(config_proto(options)) {}
  ~RemoteSession() override { close(); }

  std::vector<Tensor> run(std::span<const Feed> feeds, std::span<const Output> fetches,
                          std::span<Node* const> targets, const RunOptions& options,
                          StepStats* stats) override {
    bring_graph();
    auto request = run_request(feeds, fetches);
    for (const Node* target : targets) request->add_target(target->name());
    auto& wanted = *request->mutable_options();
    const std::int64_t timeout = options.timeout_ms > 0 ? options.timeout_ms : timeout_ms_;
    wanted.set_timeout_in_ms(timeout);
    if (options.trace) wanted.set_trace_level(tensorflow::RunOptions::FULL_TRACE);
    wanted.set_output_partition_graphs(options.output_partition_graphs);
    if (!options.debug.is_empty()) rill::to_proto(options.debug, wanted.mutable_debug_options());
    auto response = std::make_shared<tensorflow::RunStepResponse>();
    ask("RunStep", request, response, "the end of a step", timeout, step_failure);
    if (stats != nullptr) from_proto(response->metadata(), *stats);
    return values_of(*response, fetches);
  }

  std::string partial_run_setup(std::span<const Output> feeds, std::span<const Output> fetches,
                                std::span<Node* const> targets) override {
    bring_graph();
    auto request = std::make_shared<tensorflow::PartialRunSetupRequest>();
    request->set_session_handle(handle_);
    request->set_request_id(new_request_id());
    for (const Output& feed : feeds) request->add_feed(feed.name());
    for (const Output& fetch : fetches) request->add_fetch(fetch.name());
    for (const Node* target : targets) request->add_target(target->name());
    auto response = std::make_shared<tensorflow::PartialRunSetupResponse>();
    ask("PartialRunSetup", request, response, "the start of a partial run", timeout_ms_);
    return response->partial_run_handle();
  }

  std::vector<Tensor> partial_run(const std::string& handle, std::span<const Feed> feeds,
                                  std::span<const Output> fetches) override {
    auto request = run_request(feeds, fetches);
    request->set_partial_run_handle(handle);
    request->mutable_options()->set_timeout_in_ms(timeout_ms_);
    auto response = std::make_shared<tensorflow::RunStepResponse>();
    ask("RunStep", request, response, "what a partial run computes", timeout_ms_, step_failure);
    return values_of(*response, fetches);
  }

  std::vector<DeviceInfo> list_devices() override {
    bring_graph();
    auto request = std::make_shared<tensorflow::ListDevicesRequest>();
    request->set_session_handle(handle_);
    auto response = std::make_shared<tensorflow::ListDevicesResponse>();
    ask("ListDevices", request, response, "a list of devices", timeout_ms_);
    std::vector<DeviceInfo> list;
    for (const auto* devices : {&response->local_device(), &response->remote_device()})
      for (const auto& device : *devices)
        list.push_back(
            {device.name(), device.device_type(), device.memory_limit(), device.incarnation()});
    return list;
  }

  void close() override {
    std::string handle;
    {
      closed_ = true;
      const std::lock_guard lock(mutex_);
      handle = std::exchange(handle_, {});
    }
    if (handle.empty()) return;
    auto request = std::make_shared<tensorflow::CloseSessionRequest>();
    request->set_session_handle(handle);
    try {  // a master that is gone has closed it
      call_and_wait(*link_, std::string(kMasterService) + "CloseSession", request,
                    std::make_shared<tensorflow::CloseSessionResponse>(), {.timeout_ms = 5000});
    } catch (const Error&) {
    }
  }

 private:
  std::shared_ptr<tensorflow::RunStepRequest> run_request(std::span<const Feed> feeds,
                                                          std::span<const Output> fetches) const {
    auto request = std::make_shared<tensorflow::RunStepRequest>();
    request->set_session_handle(handle_);
    request->set_store_errors_in_response_body(true);
    request->set_request_id(new_request_id());
    for (const Feed& feed : feeds) {
      auto& given = *request->add_feed();
      given.set_name(feed.target.name());
      to_proto(feed.value, given.mutable_tensor(), ProtoForm::content);
    }
    for (const Output& fetch : fetches) request->add_fetch(fetch.name());
    return request;
  }

  void ask(const char* method, MessageRef request, MutableMessageRef response, const char* what,
           std::int64_t timeout_ms,
           std::function<std::optional<Error>(const google::protobuf::MessageLite&)> check = {}) {
    // The master counts the time of a step itself, and knows more of why it takes so long.
    const std::int64_t grace = 5000;
    TaskCalls calls({.deadline_nanos =
                         timeout_ms > 0 ? monotonic_nanos() + (timeout_ms + grace) * 1'000'000 : 0,
                     .is_gone = [this] { return closed_.load(); },
                     .what = what});
    calls.check_answer(std::move(check));
    const Service::OnThisThread here;  // which waits, and a master of this process has limits too
    calls.call(str_cat("of the session's master, ", name_, ","), link_,
               std::string(kMasterService) + method, std::move(request), std::move(response));
    calls.wait();
  }

  // Opens the session, or sends the nodes that were added since the last run.
  void bring_graph() {
    const std::lock_guard lock(mutex_);
    if (closed_) raise(Code::kCancelled, "Attempted to use a closed Session.");
    const int count = graph_.node_count();
    if (!handle_.empty() && count == sent_) return;
    if (handle_.empty()) {
      wait_for_tasks({{"the session's master", link_}},
                     {.timeout_ms = timeout_ms_, .is_gone = [this] { return closed_.load(); }});
      auto request = std::make_shared<tensorflow::CreateSessionRequest>();
      export_graph_def(graph_, request->mutable_graph_def());
      *request->mutable_config() = config_;
      request->set_target(name_);
      const int brought = request->graph_def().node_size();
      auto response = std::make_shared<tensorflow::CreateSessionResponse>();
      ask("CreateSession", request, response, "the start of a session", timeout_ms_);
      handle_ = response->session_handle();
      version_ = response->graph_version();
      sent_ = brought;
      return;
    }
    auto request = std::make_shared<tensorflow::ExtendSessionRequest>();
    request->set_session_handle(handle_);
    request->set_current_graph_version(version_);
    export_graph_def(graph_, request->mutable_graph_def(), {.from_version = sent_});
    const int brought = sent_ + request->graph_def().node_size();
    auto response = std::make_shared<tensorflow::ExtendSessionResponse>();
    ask("ExtendSession", request, response, "the reception of new nodes", timeout_ms_);
    version_ = response->new_graph_version();
    sent_ = brought;
  }

  static std::vector<Tensor> values_of(const tensorflow::RunStepResponse& response,
                                       std::span<const Output> fetches) {
    std::vector<Tensor> results;
    for (const Output& fetch : fetches) results.push_back(value_of(response, fetch));
    return results;
  }

  // Answers come by name, in any order.
  static Tensor value_of(const tensorflow::RunStepResponse& response, const Output& fetch) {
    const std::string name = fetch.name();
    for (const auto& given : response.tensor())
      if (given.name() == name) return rill::from_proto(given.tensor());
    raise(Code::kInternal, "The master did not answer with ", name);
  }

  const Graph& graph_;
  const std::int64_t timeout_ms_;
  const std::string name_;
  const std::shared_ptr<Link> link_;
  const tensorflow::ConfigProto config_;
  LongMutex mutex_;
  std::string handle_;
  std::int64_t version_ = 0;
  int sent_ = 0;  // nodes that the master has
  std::atomic<bool> closed_ = false;
};

void reset_remote(const SessionOptions& options, const std::vector<std::string>& containers) {
  auto request = std::make_shared<tensorflow::ResetRequest>();
  for (const std::string& container : containers) request->add_container(container);
  *request->mutable_device_filters() = config_proto(options).device_filters();
  call_and_wait(*link_of(options.target), std::string(kMasterService) + "Reset", request,
                std::make_shared<tensorflow::ResetResponse>(),
                {.timeout_ms = options.timeout_ms > 0 ? options.timeout_ms : 60'000});
}

}  // namespace

void register_remote_sessions() {
  register_session_target({.scheme = std::string(kRemoteScheme),
                           .open = [](const Graph& graph, const SessionOptions& options)
                               -> std::unique_ptr<SessionTarget> {
                             return std::make_unique<RemoteSession>(graph, options);
                           },
                           .reset = reset_remote});
}

}  // namespace rill::cluster
