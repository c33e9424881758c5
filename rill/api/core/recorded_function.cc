#include "rill/api/core/recorded_function.h"

#include <mutex>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/op_call.h"
#include "rill/grad/gradients.h"
#include "rill/graph/tape.h"
#include "rill/kernel/host_functions.h"

namespace rill {
namespace {

// One call: what was recorded, and between which values.
struct Call {
  Tape tape;
  std::vector<Output> arguments, results;
};

std::vector<Tensor> values_of(std::span<const Output> outputs) {
  std::vector<Tensor> values;
  for (const Output& output : outputs) values.push_back(output.value());
  return values;
}

std::vector<Tensor> gradients_of(const Call& call, const std::vector<Tensor>& dys) {
  const AsDefault as_default(eager_graph());
  Scope& scope = current_scope();
  GradientOptions options{.tape = &call.tape};
  std::vector<Output> differentiable;
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    if (!is_differentiable(call.results[i].dtype())) continue;
    differentiable.push_back(call.results[i]);
    options.grad_ys.emplace_back(scope.constant(dys.at(i)));
  }
  std::vector<Tensor> values;
  const auto made = gradients(scope, differentiable, call.arguments, options);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Tensor& argument = call.arguments[i].value();
    values.push_back(made[i].empty()       ? Tensor::zeros(argument.dtype(), argument.shape())
                     : made[i].is_slices() ? densify(scope, made[i].slices()).value()
                                           : made[i].dense().value());
  }
  return values;
}

// The calls of one function. Its gradient is that of the latest call, as in TensorFlow.
class Calls {
 public:
  explicit Calls(RecordedFunction function) : function_(std::move(function)) {}

  std::vector<Tensor> forward(const std::vector<Tensor>& arguments) {
    auto call = std::make_shared<Call>();
    const AsDefault as_default(eager_graph());
    for (const Tensor& argument : arguments) {
      call->arguments.push_back(current_scope().constant(argument.clone()));
      call->tape.watch(call->arguments.back());
    }
    call->tape.start();
    call->results = function_(call->arguments);
    call->tape.stop();
    auto values = values_of(call->results);
    const std::lock_guard lock(mutex_);
    latest_ = std::move(call);
    return values;
  }

  std::vector<Tensor> backward(const std::vector<Tensor>& dys) {
    const std::lock_guard lock(mutex_);
    if (latest_ == nullptr)
      raise(Code::kFailedPrecondition, "the gradient of a function that was not called yet");
    return gradients_of(*latest_, dys);
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

std::vector<Output> recorded_function(RecordedFunction function, const Inputs& inputs,
                                      const std::vector<DType>& result_types, std::string_view name,
                                      std::source_location at) {
  AttrMap attrs{{"token", add_recorded_function(std::move(function))}, {"Tout", result_types}};
  Scope scope = here(at);
  Node& node = scope.add("EagerPyFunc", {InputArg(inputs)}, std::move(attrs), name);
  return all_outputs(node);
}

}  // namespace rill
