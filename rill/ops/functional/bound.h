#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// The functions that a node calls, found when they are first needed and kept from step to step.
class CalledFunctions final : public KernelState {
 public:
  CalledFunctions(const KernelNode& caller, std::vector<FuncName> names)
      : device_(caller.device), names_(std::move(names)) {
    bound_ = std::make_unique<Entry[]>(names_.size());
  }
  int count() const { return static_cast<int>(names_.size()); }

  // Throws InvalidArgument when the function does not take or give what the node does.
  BoundFunction& get(int which, StepContext& step, std::span<const DType> arguments,
                     std::span<const DType> results) {
    return find(which, step, arguments, &results);
  }
  // A function with a single result of any type, which lies in host memory.
  BoundFunction& get_condition(int which, StepContext& step, std::span<const DType> arguments) {
    return find(which, step, arguments, nullptr);
  }

 private:
  BoundFunction& find(int which, StepContext& step, std::span<const DType> arguments,
                      const std::span<const DType>* results);
  struct Entry {
    std::atomic<BoundFunction*> ready{nullptr};
    std::shared_ptr<BoundFunction> owner;
  };
  const Device* const device_;
  const std::vector<FuncName> names_;
  std::mutex mutex_;
  std::unique_ptr<Entry[]> bound_;
};

// make_state for nodes that call what their attribute `f` names.
std::unique_ptr<KernelState> calls_f(const KernelNode& node);

// A few tensors without a request for memory, many with one.
class TensorList {
 public:
  explicit TensorList(std::size_t count) : count_(count) {
    if (count > kFew) many_.resize(count);
  }
  std::span<Tensor> all() { return {many_.empty() ? few_.data() : many_.data(), count_}; }
  Tensor& operator[](std::size_t i) { return all()[i]; }

 private:
  static constexpr std::size_t kFew = 8;
  std::size_t count_;
  std::array<Tensor, kFew> few_;
  std::vector<Tensor> many_;
};

std::vector<Tensor> inputs_from(const KernelCall& call, int first);

// The node is a call of `function` with its inputs from `first` on.
void call_through(KernelCall& call, BoundFunction& function, int first);
void start_through(KernelCall& call, BoundFunction& function, int first, Done done);

// What a tensor means as a condition: a scalar that is not zero or empty, or any elements at all.
bool is_true(const Tensor& condition);

}  // namespace rill
