#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kConst, kHostConst;

namespace {

struct ConstantState final : KernelState {
  explicit ConstantState(Tensor value) : value(std::move(value)) {}
  const Tensor value;
};

std::unique_ptr<KernelState> make_constant(const KernelNode& node) {
  const Tensor& value = node.attr<Tensor>("value");
  require(value.dtype() == node.output_types[0], "Type mismatch between value (", value.dtype(),
          ") and dtype (", node.output_types[0], ")");
  return std::make_unique<ConstantState>(value);
}

void constant(KernelCall& call) { call.set_output(0, call.state<ConstantState>().value); }

constexpr KernelEntry constant_entry(const OpDecl* op) {
  return {.op = op,
          .run = constant,
          .make_state = make_constant,
          .allocates = true,
          .expensive = false};
}

constexpr KernelEntry kEntries[] = {constant_entry(&kConst), constant_entry(&kHostConst)};

}  // namespace

extern const KernelTable kConstantCpu{kEntries};

}  // namespace rill
