#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kAbort;

namespace {

void abort_step(KernelCall& call) {
  const bool quietly = call.node().attr<bool>("exit_without_error");
  raise(Code::kAborted,
        quietly ? "Abort_op asks for the end of the process; " : "Abort_op intentional failure; ",
        call.node().attr<std::string>("error_msg"));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAbort, .run = abort_step, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kAbortCpu{kEntries};

}  // namespace rill
