#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kIdentityOp, kIdentityN, kStopGradient, kPreventGradient, kSnapshot,
    kGuaranteeConst, kDebugGradientIdentity, kRefIdentity, kDebugGradientRefIdentity;

namespace {

// Tensors never change once shared, so passing one on is enough.
void pass_on(KernelCall& call) {
  for (int i = 0; i < call.output_count(); ++i) call.set_output(i, call.input_tensor(i));
}

// For an op that may find a variable without value.
void pass_on_if_any(KernelCall& call) {
  if (!call.input_tensor(0).has_value())
    raise(Code::kFailedPrecondition, "Attempting to use uninitialized value");
  pass_on(call);
}

void pass_on_reference(KernelCall& call) { call.set_ref_output(0, call.ref_input(0)); }

constexpr KernelEntry passing(const OpDecl& op) {
  return {.op = &op, .run = pass_on, .allocates = true, .expensive = false, .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    passing(kIdentityOp),
    passing(kIdentityN),
    passing(kStopGradient),
    passing(kPreventGradient),
    passing(kSnapshot),
    {.op = &kGuaranteeConst, .run = pass_on, .allocates = true, .expensive = false},
    {.op = &kDebugGradientIdentity, .run = pass_on_if_any, .allocates = true, .expensive = false},
    {.op = &kRefIdentity, .run = pass_on_reference, .allocates = true, .expensive = false},
    {.op = &kDebugGradientRefIdentity,
     .run = pass_on_reference,
     .allocates = true,
     .expensive = false},
};

}  // namespace

extern const KernelTable kIdentityCpu{kEntries};

}  // namespace rill
