#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kNoOp, kControlTrigger;

namespace {

void nothing(KernelCall&) {}

constexpr KernelEntry kEntries[] = {
    {.op = &kNoOp, .run = nothing, .expensive = false, .any_device = true},
    {.op = &kControlTrigger, .run = nothing, .expensive = false, .any_device = true},
};

}  // namespace

extern const KernelTable kNoOpCpu{kEntries};

}  // namespace rill
