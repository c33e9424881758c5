#include "rill/cluster/remote_calls.h"

#include <algorithm>
#include <vector>

#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/request_id.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/function_proto.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/kernel/step_context.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

const std::string kService = "/tensorflow.WorkerService/";

AttrMap transfer_attrs(const std::string& device, const char* what, std::size_t i) {
  return {{"tensor_name", str_cat(what, i)},
          {"send_device", device},
          {"send_device_incarnation", std::int64_t{1}},
          {"recv_device", device},
          {"client_terminated", true}};
}

std::string key_of(const std::string& device, const char* what, std::size_t i) {
  return rendezvous_key(rendezvous_prefix(transfer_attrs(device, what, i)));
}

tensorflow::NodeDef& add_node(tensorflow::GraphDef& graph, const std::string& device,
                              const std::string& op, const std::string& name,
                              const AttrMap& attrs) {
  tensorflow::NodeDef& node = *graph.add_node();
  node.set_name(name);
  node.set_op(op);
  node.set_device(device);
  for (const auto& [attr, value] : attrs) to_proto(value, &(*node.mutable_attr())[attr]);
  return node;
}

tensorflow::GraphDef graph_of(const RemoteFunction& function, const FunctionLibrary& library) {
  tensorflow::GraphDef graph;
  const std::string& device = function.device;
  for (std::size_t i = 0; i < function.argument_types.size(); ++i) {
    AttrMap attrs = transfer_attrs(device, "arg_", i);
    attrs.emplace("tensor_type", function.argument_types[i]);
    add_node(graph, device, "_Recv", str_cat("_recv_", i), attrs);
  }
  tensorflow::NodeDef& call = add_node(
      graph, device, "StatefulPartitionedCall", "call",
      {{"Tin", function.argument_types}, {"Tout", function.result_types}, {"f", function.name}});
  for (std::size_t i = 0; i < function.argument_types.size(); ++i)
    call.add_input(str_cat("_recv_", i));
  for (std::size_t i = 0; i < function.result_types.size(); ++i) {
    AttrMap attrs = transfer_attrs(device, "ret_", i);
    attrs.emplace("T", function.result_types[i]);
    add_node(graph, device, "_Send", str_cat("_send_", i), attrs)
        .add_input(i == 0 ? std::string("call") : str_cat("call:", i));
  }
  to_proto(library, graph.mutable_library());
  graph.mutable_versions()->set_producer(kGraphDefVersion);
  return graph;
}

std::string text_of(const RemoteFunction& function) {
  tensorflow::AttrValue name;
  to_proto(AttrValue(function.name), &name);
  return str_cat(function.device, "\n", name.SerializeAsString());
}

std::vector<Tensor> results_of(const tensorflow::RunGraphResponse& response,
                               const RemoteFunction& function) {
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < function.result_types.size(); ++i) {
    const std::string key = key_of(function.device, "ret_", i);
    const auto& all = response.recv();
    const auto it = std::ranges::find(all, key, [](const auto& value) { return value.name(); });
    require(it != all.end(), "The task did not answer with result ", i, " of ", function.name.name);
    results.push_back(from_proto(it->tensor()));
  }
  return results;
}

// One call that is under way.
class RemoteRun : public std::enable_shared_from_this<RemoteRun> {
 public:
  RemoteRun(RemoteFunction function, std::string session, std::shared_ptr<Link> link,
            StepContext& step, std::vector<Tensor> arguments, BoundFunction::Done done)
      : function_(std::move(function)),
        session_(std::move(session)),
        link_(std::move(link)),
        step_(step),
        arguments_(std::move(arguments)),
        done_(std::move(done)) {}

  void start(const std::string& graph) {
    auto request = std::make_shared<tensorflow::RunGraphRequest>();
    request->set_session_handle(session_);
    request->set_create_worker_session_called(true);
    request->set_graph_handle(graph);
    request->set_step_id(id_);
    request->set_request_id(new_request_id());
    request->set_store_errors_in_response_body(true);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      auto& sent = *request->add_send();
      sent.set_name(key_of(function_.device, "arg_", i));
      to_proto(arguments_[i], sent.mutable_tensor(), ProtoForm::content);
    }
    for (std::size_t i = 0; i < function_.result_types.size(); ++i)
      request->add_recv_key(key_of(function_.device, "ret_", i));
    auto response = std::make_shared<tensorflow::RunGraphResponse>();
    token_ = step_.cancellation->on_cancel([self = shared_from_this()] { self->cancel(); });
    auto pending =
        link_->call(kService + "RunGraph", request, response, {},
                    [self = shared_from_this(), response](const std::optional<Error>& error) {
                      self->end(error, *response);
                    });
    const std::lock_guard lock(mutex_);
    pending_ = std::move(pending);
  }

  void fail(const Error& error) { done_(std::make_exception_ptr(error), {}); }

 private:
  void end(const std::optional<Error>& error, const tensorflow::RunGraphResponse& response) {
    step_.cancellation->forget(token_);
    clean_up();
    try {
      if (error) throw *error;
      if (response.status_code() != tensorflow::error::OK)
        throw Error(static_cast<Code>(response.status_code()), response.status_error_message());
      auto results = results_of(response, function_);
      done_(nullptr, std::move(results));
    } catch (...) {
      done_(std::current_exception(), {});
    }
  }

  void cancel() {
    clean_up();
    std::shared_ptr<net::PendingCall> pending;
    {
      const std::lock_guard lock(mutex_);
      pending = pending_;
    }
    if (pending != nullptr) pending->cancel();
  }

  void clean_up() {
    auto request = std::make_shared<tensorflow::CleanupGraphRequest>();
    request->set_step_id(id_);
    link_->call(kService + "CleanupGraph", request,
                std::make_shared<tensorflow::CleanupGraphResponse>(), {.timeout_ms = 10'000},
                [](const std::optional<Error>&) {});
  }

  const RemoteFunction function_;
  const std::string session_;
  const std::shared_ptr<Link> link_;
  StepContext& step_;
  const std::vector<Tensor> arguments_;
  const BoundFunction::Done done_;
  const std::int64_t id_ = new_step_id();
  std::int64_t token_ = 0;
  std::mutex mutex_;
  std::shared_ptr<net::PendingCall> pending_;
};

}  // namespace

// A function at a task, which has it or is about to.
struct RemoteCalls::Sent {
  using Then = std::function<void(const std::optional<Error>&, const std::string& handle)>;
  void when_there(Then then) {
    {
      const std::lock_guard lock(mutex);
      if (!is_there && !error) return waiting.push_back(std::move(then));
    }
    then(error, handle);
  }
  void came(std::optional<Error> failure, std::string graph) {
    std::vector<Then> those;
    {
      const std::lock_guard lock(mutex);
      is_there = true;
      error = std::move(failure);
      handle = std::move(graph);
      those.swap(waiting);
    }
    for (const Then& then : those) then(error, handle);
  }

  std::mutex mutex;
  bool is_there = false;
  std::optional<Error> error;
  std::string handle;
  std::vector<Then> waiting;
};

std::shared_ptr<Link> RemoteCalls::link_of(const std::string& device) const {
  const std::string task = task_of_device(device);
  const auto it = links_->find(task);
  require(it != links_->end(), "The session knows no task ", task);
  return it->second;
}

std::shared_ptr<RemoteCalls::Sent> RemoteCalls::sent(const RemoteFunction& function,
                                                     const std::shared_ptr<Link>& link) {
  std::shared_ptr<Sent> made;
  {
    const std::lock_guard lock(mutex_);
    auto& known = sent_[text_of(function)];
    if (known != nullptr && !known->error) return known;
    known = made = std::make_shared<Sent>();
  }
  auto request = std::make_shared<tensorflow::RegisterGraphRequest>();
  request->set_session_handle(session_);
  request->set_create_worker_session_called(true);
  *request->mutable_graph_def() = graph_of(function, *library_);
  const auto response = std::make_shared<tensorflow::RegisterGraphResponse>();
  link->call(kService + "RegisterGraph", request, response, {},
             [made, response](std::optional<Error> error) {
               made->came(std::move(error), response->graph_handle());
             });
  return made;
}

void RemoteCalls::call(const RemoteFunction& function, StepContext& step,
                       std::vector<Tensor> arguments, BoundFunction::Done done) {
  const std::shared_ptr<Link> link = link_of(function.device);
  const auto run = std::make_shared<RemoteRun>(function, session_, link, step, std::move(arguments),
                                               std::move(done));
  sent(function, link)
      ->when_there([run](const std::optional<Error>& error, const std::string& handle) {
        if (error)
          run->fail(*error);
        else
          run->start(handle);
      });
}

}  // namespace rill::cluster
