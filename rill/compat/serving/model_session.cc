#include "rill/compat/serving/model_session.h"

#include <algorithm>
#include <future>
#include <map>

#include "rill/base/clock.h"
#include "rill/compat/convert.h"
#include "rill/compat/wrapped_session.h"
#include "rill/runtime/session/config.h"
#include "rill/runtime/session/saved_model.h"

namespace tensorflow {
namespace serving {
namespace {

using rill::serve::CompiledStep;
using rill::serve::CompiledStepRef;
using Names = std::set<std::string>;
using Inputs = std::vector<std::pair<string, Tensor>>;

std::string full_name(const string& tensor) {
  return tensor.find(':') == tensor.npos ? tensor + ":0" : tensor;
}

Names tensors_of(const protobuf::Map<string, TensorInfo>& infos) {
  Names names;
  for (const auto& [name, tensor] : rill::saved_model::tensor_names(infos))
    names.insert(full_name(tensor));
  return names;
}

class ModelSession final : public Session {
 public:
  ModelSession(rill::saved_model::Model loaded, std::unique_ptr<rill::serve::StepRunner> runner)
      : joins_(runner != nullptr), plain_(wrapped_session(loaded.graph, *loaded.session)) {
    for (const auto& [name, signature] : loaded.meta_graph.signature_def())
      signatures_.emplace(tensors_of(signature.inputs()), tensors_of(signature.outputs()));
    if (!joins_) runner = std::make_unique<rill::serve::DirectRunner>();
    model_ = std::make_unique<rill::serve::ModelServable>(std::move(loaded), std::move(runner));
  }
  const rill::serve::ModelServable& model() const { return *model_; }

  Status Run(const Inputs& inputs, const std::vector<string>& outputs,
             const std::vector<string>& targets, std::vector<Tensor>* values) override {
    return Run(RunOptions(), inputs, outputs, targets, values, nullptr);
  }
  Status Run(const RunOptions& options, const Inputs& inputs, const std::vector<string>& outputs,
             const std::vector<string>& targets, std::vector<Tensor>* values,
             RunMetadata* metadata) override {
    if (joins_ && !targets.empty())
      return errors::PermissionDenied("BatchingSession does not support target nodes");
    const CompiledStepRef step = joins_ ? step_of(inputs, outputs) : nullptr;
    if (step == nullptr) return plain_->Run(options, inputs, outputs, targets, values, metadata);
    return guarded([&] { run_joined(step, options, inputs, outputs, values); });
  }

  Status Create(const GraphDef& graph) override { return plain_->Create(graph); }
  Status Extend(const GraphDef& graph) override { return plain_->Extend(graph); }
  Status Close() override { return plain_->Close(); }
  Status ListDevices(std::vector<DeviceAttributes>* response) override {
    return plain_->ListDevices(response);
  }
  Status PRunSetup(const std::vector<string>& inputs, const std::vector<string>& outputs,
                   const std::vector<string>& targets, string* handle) override {
    return plain_->PRunSetup(inputs, outputs, targets, handle);
  }
  Status PRun(const string& handle, const Inputs& inputs, const std::vector<string>& outputs,
              std::vector<Tensor>* values) override {
    return plain_->PRun(handle, inputs, outputs, values);
  }
  Status MakeCallable(const CallableOptions& options, CallableHandle* handle) override {
    return plain_->MakeCallable(options, handle);
  }
  Status RunCallable(CallableHandle handle, const std::vector<Tensor>& feeds,
                     std::vector<Tensor>* fetches, RunMetadata* metadata) override {
    return plain_->RunCallable(handle, feeds, fetches, metadata);
  }
  Status ReleaseCallable(CallableHandle handle) override { return plain_->ReleaseCallable(handle); }

 private:
  // The signature's that feeds and fetches just this; nullptr when there is none.
  CompiledStepRef step_of(const Inputs& inputs, const std::vector<string>& outputs) const {
    Names feeds, fetches;
    for (const auto& [name, value] : inputs) feeds.insert(full_name(name));
    for (const string& name : outputs) fetches.insert(full_name(name));
    const bool known = feeds.size() == inputs.size() && signatures_.contains({feeds, fetches});
    return known ? model_->step(feeds, fetches) : nullptr;
  }

  void run_joined(const CompiledStepRef& step, const RunOptions& options, const Inputs& inputs,
                  const std::vector<string>& outputs, std::vector<Tensor>* values) const {
    std::map<std::string, rill::Tensor> by_name;
    for (const auto& [name, value] : inputs) by_name[full_name(name)] = TensorAccess::unwrap(value);
    std::vector<rill::Tensor> feeds;
    for (auto& [name, value] : by_name) feeds.push_back(std::move(value));
    rill::serve::RequestLimits limits;
    if (options.timeout_in_ms() > 0)
      limits.deadline_nanos = rill::monotonic_nanos() + options.timeout_in_ms() * 1'000'000;
    std::promise<std::vector<rill::Tensor>> ended;
    model_->run(step, std::move(feeds), limits,
                [&](std::vector<rill::Tensor> results, std::optional<rill::Error> error) {
                  if (error)
                    ended.set_exception(std::make_exception_ptr(*error));
                  else
                    ended.set_value(std::move(results));
                });
    const auto results = ended.get_future().get();
    if (values == nullptr) return;
    values->clear();
    for (const string& name : outputs) {
      const auto place = std::ranges::lower_bound(step->fetches, full_name(name));
      const auto index = static_cast<std::size_t>(place - step->fetches.begin());
      values->push_back(TensorAccess::wrap_aligned(results.at(index)));
    }
  }

  const bool joins_;
  std::set<std::pair<Names, Names>> signatures_;  // what they feed and fetch
  std::unique_ptr<rill::serve::ModelServable> model_;
  const std::unique_ptr<Session> plain_;  // of the model's session; goes first
};

}  // namespace

Status LoadModel(const SessionOptions& options, const string& path,
                 const std::unordered_set<string>& tags,
                 std::unique_ptr<rill::serve::StepRunner> runner, SavedModelBundle* bundle) {
  return guarded([&] {
    auto loaded = rill::saved_model::load_model(
        path, {tags.begin(), tags.end()}, rill::session_options(options.config, options.target));
    bundle->meta_graph_def = loaded.meta_graph;
    bundle->session.reset(new ModelSession(std::move(loaded), std::move(runner)));
  });
}

const rill::serve::ModelServable* model_in(const Session* session) {
  const auto* found = dynamic_cast<const ModelSession*>(session);
  return found == nullptr ? nullptr : &found->model();
}

}  // namespace serving
}  // namespace tensorflow
