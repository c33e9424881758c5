#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kPlaceholder, kPlaceholderV2, kPlaceholderWithDefault;

namespace {

void placeholder(KernelCall& call) {
  const auto& shape = call.node().attr<PartialShape>("shape");
  raise(Code::kInvalidArgument, "You must feed a value for placeholder tensor '", call.node().name,
        "' with dtype ", call.node().output_type(0),
        shape.rank() > 0 ? str_cat(" and shape ", shape) : std::string());
}

void pass_default(KernelCall& call) { call.set_output(0, call.input_tensor(0)); }

constexpr KernelEntry kEntries[] = {
    {.op = &kPlaceholder, .run = placeholder, .allocates = true, .expensive = false},
    {.op = &kPlaceholderV2, .run = placeholder, .allocates = true, .expensive = false},
    {.op = &kPlaceholderWithDefault, .run = pass_default, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kPlaceholderCpu{kEntries};

}  // namespace rill
