#pragma once

#include <cstddef>
#include <memory>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

// An optimizer update of some elements is a rule for one element (optimizer_update-inl.h) plus one
// loop around it. What all of these ops share is read from their declarations: the variable and its
// slots come first, "grad" (or "delta") and "indices" go by their names, what is left are scalars
// in order.
inline constexpr int kMaxSlots = 3, kMaxScalars = 8;

struct UpdateData {
  void* state[1 + kMaxSlots] = {};  // the variable and its slots
  const void* grad = nullptr;
  double scalar[kMaxScalars] = {};
  bool flag = false;  // that of update_flag(op)
};

// Updates `n` elements of the state from `at` on, with the gradient from `grad_at` on.
using UpdateFn = void (*)(const UpdateData& data, std::size_t at, std::size_t grad_at,
                          std::size_t n);
using FindUpdate = UpdateFn (*)(DType);

struct UpdateState final : KernelState {
  UpdateFn update = nullptr;
  UpdateArgs args;
  bool by_reference = false, flag = false;
};
std::unique_ptr<KernelState> make_update_state(const KernelNode& node, FindUpdate find);

// Which inputs of a call one update reads: those of the op itself, or of a node that takes several.
struct UpdateInputs {
  int state = 0;  // the variable; its slots follow
  int grad = -1, indices = -1;
  int scalars = -1;  // the first of them; -1: where the op has them
};
// Applies one update; `op` is the op whose arguments messages name. Returns its variable.
std::shared_ptr<VariableResource> apply_update(const KernelCall& call, const UpdateState& state,
                                               const Op& op, const UpdateInputs& inputs);

template <FindUpdate find>
std::unique_ptr<KernelState> update_state(const KernelNode& node) {
  return make_update_state(node, find);
}
void run_update_kernel(KernelCall& call);

template <FindUpdate find>
constexpr KernelEntry update_entry(const OpDecl* op) {
  return {.op = op,
          .types = kFloatTypes,
          .run = run_update_kernel,
          .make_state = update_state<find>,
          .allocates = true};
}

}  // namespace rill
