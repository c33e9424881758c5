#include "rill/kernel/kernel_registry.h"
#include "rill/kernel/rendezvous_key.h"

namespace rill {

extern const OpDecl kSwitchOp, kRefSwitch, kSwitchN, kMergeOp, kRefMerge, kEnterOp, kRefEnter,
    kExitOp, kRefExit, kNextIterationOp, kRefNextIteration, kLoopCond, kRefSelect, kSendOp, kRecvOp,
    kHostSend, kHostRecv;

namespace {

// Only an executor knows what is dead and which iteration it is, so it moves these values itself.
void moved_by_executor(KernelCall& call) {
  raise(Code::kFailedPrecondition, call.node().op->name,
        " has no counterpart: it stands where no device or frame ends");
}

void pass_on(KernelCall& call) { call.set_output(0, call.input_tensor(0)); }

void ref_select(KernelCall& call) {
  const std::int32_t index = call.input_tensor(0).scalar_value<std::int32_t>();
  const int count = call.input_count() - 1;
  require(index >= 0 && index < count, "Index must be in the range [0, ", count, ") but got ",
          index);
  call.set_ref_output(0, call.ref_input(1 + index));
}

constexpr KernelEntry moved(const OpDecl& op) {
  return {.op = &op,
          .run = moved_by_executor,
          .allocates = true,
          .expensive = false,
          .any_device = true};
}

std::unique_ptr<KernelState> transfer_state(const KernelNode& node) {
  return std::make_unique<TransferState>(node);
}

constexpr KernelEntry transferred(const OpDecl& op) {
  return {.op = &op,
          .run = moved_by_executor,
          .make_state = transfer_state,
          .allocates = true,
          .expensive = false,
          .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    moved(kSwitchOp),
    moved(kRefSwitch),
    moved(kSwitchN),
    moved(kMergeOp),
    moved(kRefMerge),
    moved(kEnterOp),
    moved(kRefEnter),
    moved(kExitOp),
    moved(kRefExit),
    moved(kNextIterationOp),
    moved(kRefNextIteration),
    transferred(kSendOp),
    transferred(kRecvOp),
    transferred(kHostSend),
    transferred(kHostRecv),
    {.op = &kLoopCond, .run = pass_on, .allocates = true, .expensive = false, .any_device = true},
    {.op = &kRefSelect, .run = ref_select, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kControlCpu{kEntries};

}  // namespace rill
