#include "tensorflow/core/public/session.h"

#include <map>
#include <mutex>
#include <set>

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/log.h"
#include "rill/compat/convert.h"
#include "rill/compat/wrapped_session.h"
#include "rill/graph/graph_def.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/cc/saved_model/constants.h"
#include "tensorflow/cc/saved_model/loader.h"

namespace tensorflow {
namespace {

// Inputs that the definition leaves to nodes that are in the graph already.
void map_to_existing(const rill::Graph& graph, const GraphDef& def, rill::ImportOptions& options) {
  std::set<std::string> own;
  for (const NodeDef& node : def.node()) own.insert(node.name());
  for (const NodeDef& node : def.node())
    for (const std::string& input : node.input()) {
      const std::string name = input.substr(input.starts_with("^") ? 1 : 0);
      const std::string owner = name.substr(0, name.find(':'));
      rill::Node* existing = own.contains(owner) ? nullptr : graph.find(owner);
      if (existing == nullptr) continue;
      if (input.starts_with("^"))
        options.input_map.emplace(input, rill::Output{existing, 0});
      else
        options.input_map.emplace(input,
                                  graph.tensor(name.find(':') == name.npos ? name + ":0" : name));
    }
}

class LocalSession final : public Session {
 public:
  explicit LocalSession(const rill::SessionOptions& options)
      : graph_(rill::make_graph()),
        owned_(std::make_unique<rill::Session>(graph_, options)),
        session_(*owned_) {}
  LocalSession(std::shared_ptr<rill::Graph> graph, std::unique_ptr<rill::Session> session)
      : graph_(std::move(graph)), owned_(std::move(session)), session_(*owned_) {}
  LocalSession(std::shared_ptr<rill::Graph> graph, rill::Session& session)
      : graph_(std::move(graph)), session_(session) {}

  Status Create(const GraphDef& graph) override {
    if (graph_->node_count() > 0)
      return errors::AlreadyExists("A Graph has already been created for this session.");
    return Extend(graph);
  }
  Status Extend(const GraphDef& graph) override {
    return guarded([&] {
      rill::ImportOptions options;
      options.internal_names = true;
      map_to_existing(*graph_, graph, options);
      rill::import_graph_def(*graph_, graph, options);
    });
  }

  Status Run(const std::vector<std::pair<string, Tensor>>& inputs,
             const std::vector<string>& output_tensor_names,
             const std::vector<string>& target_node_names, std::vector<Tensor>* outputs) override {
    return Run(RunOptions(), inputs, output_tensor_names, target_node_names, outputs, nullptr);
  }
  Status Run(const RunOptions& run_options, const std::vector<std::pair<string, Tensor>>& inputs,
             const std::vector<string>& output_tensor_names,
             const std::vector<string>& target_node_names, std::vector<Tensor>* outputs,
             RunMetadata* run_metadata) override {
    return guarded([&] {
      rill::StepStats stats;
      const auto values =
          session_.run(feeds(inputs), tensors(output_tensor_names), nodes(target_node_names),
                       rill::run_options(run_options), run_metadata == nullptr ? nullptr : &stats);
      give(values, outputs);
      if (run_metadata != nullptr) rill::to_proto(stats, run_metadata);
    });
  }

  Status PRunSetup(const std::vector<string>& input_names, const std::vector<string>& output_names,
                   const std::vector<string>& target_nodes, string* handle) override {
    return guarded([&] {
      *handle = session_.partial_run_setup(tensors(input_names), tensors(output_names),
                                           nodes(target_nodes));
    });
  }
  Status PRun(const string& handle, const std::vector<std::pair<string, Tensor>>& inputs,
              const std::vector<string>& output_names, std::vector<Tensor>* outputs) override {
    return guarded(
        [&] { give(session_.partial_run(handle, feeds(inputs), tensors(output_names)), outputs); });
  }

  Status ListDevices(std::vector<DeviceAttributes>* response) override {
    return guarded([&] {
      response->clear();
      for (const rill::DeviceInfo& device : session_.list_devices()) {
        DeviceAttributes attributes;
        attributes.set_name(device.name);
        attributes.set_device_type(device.type);
        attributes.set_memory_limit(device.memory_limit);
        attributes.set_incarnation(device.incarnation);
        response->push_back(std::move(attributes));
      }
    });
  }
  Status Close() override {
    return guarded([&] { session_.close(); });
  }

  Status MakeCallable(const CallableOptions& callable_options,
                      CallableHandle* out_handle) override {
    return guarded([&] {
      rill::Callable made = session_.make_callable(tensors(callable_options.feed()),
                                                   tensors(callable_options.fetch()),
                                                   nodes(callable_options.target()));
      const std::lock_guard lock(mutex_);
      *out_handle = next_callable_++;
      callables_.emplace(
          *out_handle,
          KeptCallable{std::move(made), rill::run_options(callable_options.run_options())});
    });
  }
  Status RunCallable(CallableHandle handle, const std::vector<Tensor>& feed_tensors,
                     std::vector<Tensor>* fetch_tensors, RunMetadata* run_metadata) override {
    return guarded([&] {
      KeptCallable callable;
      {
        const std::lock_guard lock(mutex_);
        const auto it = callables_.find(handle);
        rill::require(it != callables_.end(), "No such callable handle: ", handle);
        callable = it->second;
      }
      std::vector<rill::Tensor> feeds;
      for (const Tensor& value : feed_tensors) feeds.push_back(TensorAccess::unwrap(value));
      rill::StepStats stats;
      give(callable.call(feeds, callable.options, run_metadata == nullptr ? nullptr : &stats),
           fetch_tensors);
      if (run_metadata != nullptr) rill::to_proto(stats, run_metadata);
    });
  }
  Status ReleaseCallable(CallableHandle handle) override {
    const std::lock_guard lock(mutex_);
    if (callables_.erase(handle) == 1) return Status::OK();
    return errors::InvalidArgument("No such callable handle: ", handle);
  }

 private:
  rill::Output tensor(const string& name) const {
    try {
      return graph_->tensor(name.find(':') == name.npos ? name + ":0" : name);
    } catch (const rill::Error& error) {
      raise(rill::Code::kNotFound, "FetchOutputs node ", name, ": not found (", error.message(),
            ")");
    }
  }
  rill::Node& node(const string& name) const {
    rill::Node* found = graph_->find(name);
    if (found == nullptr) raise(rill::Code::kNotFound, "TargetNodes node ", name, ": not found");
    return *found;
  }
  template <class Names>
  std::vector<rill::Output> tensors(const Names& names) const {
    std::vector<rill::Output> all;
    for (const string& name : names) all.push_back(tensor(name));
    return all;
  }
  template <class Names>
  std::vector<rill::Node*> nodes(const Names& names) const {
    std::vector<rill::Node*> all;
    for (const string& name : names) all.push_back(&node(name));
    return all;
  }
  std::vector<rill::Feed> feeds(const std::vector<std::pair<string, Tensor>>& inputs) const {
    std::vector<rill::Feed> all;
    for (const auto& [name, value] : inputs)
      all.push_back({tensor(name), TensorAccess::unwrap(value)});
    return all;
  }
  static void give(const std::vector<rill::Tensor>& values, std::vector<Tensor>* outputs) {
    if (outputs == nullptr) return;
    outputs->clear();
    for (const rill::Tensor& value : values) outputs->push_back(TensorAccess::wrap_aligned(value));
  }

  const std::shared_ptr<rill::Graph> graph_;
  const std::unique_ptr<rill::Session> owned_;
  rill::Session& session_;
  std::mutex mutex_;
  struct KeptCallable {
    rill::Callable call;
    rill::RunOptions options;
  };
  std::map<CallableHandle, KeptCallable> callables_;
  CallableHandle next_callable_ = 0;
};

}  // namespace

std::unique_ptr<Session> wrapped_session(std::shared_ptr<rill::Graph> graph,
                                         std::unique_ptr<rill::Session> session) {
  return std::make_unique<LocalSession>(std::move(graph), std::move(session));
}
std::unique_ptr<Session> wrapped_session(std::shared_ptr<rill::Graph> graph,
                                         rill::Session& session) {
  return std::make_unique<LocalSession>(std::move(graph), session);
}

Status NewSession(const SessionOptions& options, Session** out_session) {
  *out_session = nullptr;
  return guarded([&] {
    *out_session = new LocalSession(rill::session_options(options.config, options.target));
  });
}

Session* NewSession(const SessionOptions& options) {
  Session* session = nullptr;
  const Status status = NewSession(options, &session);
  if (!status.ok()) rill::log(rill::LogLevel::kError, status.error_message());
  return session;
}

Status Reset(const SessionOptions&, const std::vector<string>& containers) {
  return guarded([&] { rill::Session::reset(containers); });
}

Status LoadSavedModel(const SessionOptions& session_options, const RunOptions&,
                      const string& export_dir, const std::unordered_set<string>& tags,
                      SavedModelBundle* const bundle) {
  return guarded([&] {
    rill::saved_model::Bundle loaded = rill::saved_model::load(
        export_dir, {tags.begin(), tags.end()},
        rill::session_options(session_options.config, session_options.target));
    bundle->session = wrapped_session(std::move(loaded.graph), std::move(loaded.session));
    bundle->meta_graph_def = std::move(loaded.meta_graph);
  });
}

bool MaybeSavedModelDirectory(const string& export_dir) {
  Env* env = Env::Default();
  return env->FileExists(export_dir + "/" + kSavedModelFilenamePb).ok() ||
         env->FileExists(export_dir + "/" + kSavedModelFilenamePbTxt).ok();
}

}  // namespace tensorflow
