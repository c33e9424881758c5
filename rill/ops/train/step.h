#pragma once

#include <cstddef>
#include <memory>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/train/step_shape.h"

namespace rill {

// An optimizer's step on some elements is a rule for one element (step-inl.h) plus one loop around
// it. What all of these ops share is read from their declarations: the variable and its slots come
// first, "grad" (or "delta") and "indices" go by their names, what is left are scalars in order.
inline constexpr int kMaxSlots = 3, kMaxScalars = 8;

struct StepData {
  void* state[1 + kMaxSlots] = {};  // the variable and its slots
  const void* grad = nullptr;
  double scalar[kMaxScalars] = {};
  bool flag = false;  // use_nesterov or update_slots, whichever the op has
};

// Takes the step on `n` elements of the state from `at` on, with the gradient from `grad_at` on.
using StepFn = void (*)(const StepData& data, std::size_t at, std::size_t grad_at, std::size_t n);
using FindStep = StepFn (*)(DType);

struct StepState final : KernelState {
  StepFn step = nullptr;
  StepArgs args;
  bool by_reference = false, flag = false;
};
std::unique_ptr<KernelState> make_step_state(const KernelNode& node, FindStep find);

// Which inputs of a call one step reads: those of the op itself, or of a node that takes several.
struct StepInputs {
  int state = 0;  // the variable; its slots follow
  int grad = -1, indices = -1;
  int scalars = -1;  // the first of them; -1: where the op has them
};
// Takes one step; `op` is the op whose arguments messages name. Returns its variable.
std::shared_ptr<VariableResource> take_step(const KernelCall& call, const StepState& state,
                                            const Op& op, const StepInputs& inputs);

template <FindStep find>
std::unique_ptr<KernelState> step_state(const KernelNode& node) {
  return make_step_state(node, find);
}
void run_step_kernel(KernelCall& call);

template <FindStep find>
constexpr KernelEntry step_entry(const OpDecl* op) {
  return {.op = op,
          .types = kFloatTypes,
          .run = run_step_kernel,
          .make_state = step_state<find>,
          .allocates = true};
}

}  // namespace rill
