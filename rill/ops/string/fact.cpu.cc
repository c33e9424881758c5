#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kFact;

namespace {

void fact(KernelCall& call) { call.output<std::string>(0)[0] = "0! == 1"; }

constexpr KernelEntry kEntries[] = {{.op = &kFact, .run = fact}};

}  // namespace

extern const KernelTable kFactCpu{kEntries};

}  // namespace rill
