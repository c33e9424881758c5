#include "rill/api/core/recorded_function.h"

#include <mutex>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/op_call.h"
#include "rill/kernel/host_functions.h"

namespace rill {
namespace {

// One call: what was recorded, and between which values.
struct Call {
  std::shared_ptr<Recording> recording = std::make_shared<Recording>();
  std::vector<Output> arguments, results;
};

// The calls of one function. Its gradient is that of the latest call, as in TensorFlow.
class Calls {
 public:
  explicit Calls(RecordedFunction function) : function_(std::move(function)) {}

  std::vector<Tensor> forward(const std::vector<Tensor>& arguments) {
    auto call = std::make_shared<Call>();
    Recording& recording = *call->recording;
    for (const Tensor& argument : arguments)
      call->arguments.push_back(recording.add_value(argument.clone()));
    {
      const AsDefault as_default(recording.graph());
      call->results = function_(recording, call->arguments);
    }
    recording.run_new();
    std::vector<Tensor> values;
    for (const Output& result : call->results) values.push_back(recording.value(result));
    const std::lock_guard lock(mutex_);
    latest_ = std::move(call);
    return values;
  }

  std::vector<Tensor> backward(const std::vector<Tensor>& dys) {
    const std::lock_guard lock(mutex_);
    if (latest_ == nullptr)
      raise(Code::kFailedPrecondition, "the gradient of a function that was not called yet");
    auto grads = latest_->recording->gradients(latest_->results, dys, latest_->arguments);
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < grads.size(); ++i) {
      const Tensor argument = latest_->recording->value(latest_->arguments[i]);
      values.push_back(grads[i] ? *grads[i] : Tensor::zeros(argument.dtype(), argument.shape()));
    }
    return values;
  }

 private:
  RecordedFunction function_;
  std::mutex mutex_;
  std::shared_ptr<Call> latest_;
};

}  // namespace

std::string add_recorded_function(RecordedFunction function) {
  auto calls = std::make_shared<Calls>(std::move(function));
  return add_host_function(
      [calls](const std::vector<Tensor>& arguments) { return calls->forward(arguments); },
      [calls](const std::vector<Tensor>& dys) { return calls->backward(dys); });
}

std::vector<Output> recorded_function(RecordedFunction function, const std::vector<Input>& inputs,
                                      const std::vector<DType>& result_types, std::string_view name,
                                      std::source_location at) {
  AttrMap attrs{{"token", add_recorded_function(std::move(function))}, {"Tout", result_types}};
  Scope scope = here(at);
  Node& node = scope.add("EagerPyFunc", {InputArg(inputs)}, std::move(attrs), name);
  return all_outputs(node);
}

}  // namespace rill
