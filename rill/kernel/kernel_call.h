#pragma once

#include <span>

#include "rill/base/error.h"
#include "rill/kernel/kernel_node.h"
#include "rill/kernel/step_context.h"
#include "rill/kernel/value.h"

namespace rill {

// One execution of a kernel: its inputs, its outputs and its surroundings. A structured kernel
// finds every output allocated; a self-allocating one sets each output itself.
class KernelCall {
 public:
  KernelCall(const KernelNode& node, KernelState* state, std::span<Value* const> inputs,
             std::span<Value* const> outputs, StepContext& step)
      : node_(node), state_(state), inputs_(inputs), outputs_(outputs), step_(step) {}

  const KernelNode& node() const { return node_; }
  StepContext& step() const { return step_; }
  Device& device() const { return *node_.device; }
  template <class S>
  S& state() const {  // what the entry's make_state returned
    return static_cast<S&>(*state_);
  }

  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return static_cast<int>(outputs_.size()); }

  const Tensor& input_tensor(int i) const { return inputs_[check_input(i)]->tensor; }
  template <class T>
  std::span<const T> input(int i) const {
    return input_tensor(i).flat<T>();
  }
  // The variable on a reference input.
  const std::shared_ptr<VariableResource>& ref_input(int i) const;

  Tensor& output_tensor(int i) const { return outputs_[check_output(i)]->tensor; }
  template <class T>
  std::span<T> output(int i) const {
    return output_tensor(i).flat<T>();
  }

  // For self-allocating kernels.
  Tensor& allocate_output(int i, Shape shape) const;
  void set_output(int i, Tensor value) const {
    outputs_[check_output(i)]->tensor = std::move(value);
  }
  void set_ref_output(int i, std::shared_ptr<VariableResource> variable) const {
    outputs_[check_output(i)]->ref = std::move(variable);
  }
  // The variable behind a resource handle input; throws FailedPrecondition or NotFound.
  std::shared_ptr<Resource> resource_input(int i) const;

  // Calls body(begin, end) over [0, total) on the device's threads. `cost` is what one item costs
  // in nanoseconds, roughly; work of less than some 20 microseconds stays on this thread. Ranges
  // depend on total and cost alone, so results never depend on the number of threads.
  void parallel_for(std::size_t total, double cost,
                    FunctionRef<void(std::size_t, std::size_t)> body) const;

 private:
  std::size_t check_input(int i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= inputs_.size()) [[unlikely]]
      bad_index("input", i);
    return static_cast<std::size_t>(i);
  }
  std::size_t check_output(int i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= outputs_.size()) [[unlikely]]
      bad_index("output", i);
    return static_cast<std::size_t>(i);
  }
  [[noreturn]] void bad_index(const char* what, int i) const;

  const KernelNode& node_;
  KernelState* state_;
  std::span<Value* const> inputs_;
  std::span<Value* const> outputs_;
  StepContext& step_;
};

}  // namespace rill
