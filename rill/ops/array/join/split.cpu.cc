#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/join/side_by_side.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kSplit, kSplitV, kUnpack;

namespace {

// To the outputs, along `axis` of the input.
void deal_out(const KernelCall& call, const Tensor& input, std::int64_t axis) {
  if (input.element_count() == 0 || call.output_count() == 0) return;
  SideBySide all(input, axis);
  for (int i = 0; i < call.output_count(); ++i) all.add(call.output_tensor(i));
  all.split(call);
}

void split(KernelCall& call) {
  deal_out(call, call.input_tensor(1), int_at(call.input_tensor(0), 0));
}
void split_v(KernelCall& call) {
  deal_out(call, call.input_tensor(0), int_at(call.input_tensor(2), 0));
}
void unpack(KernelCall& call) {
  deal_out(call, call.input_tensor(0), call.node().attr<std::int64_t>("axis"));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSplit, .run = split},
    {.op = &kSplitV, .run = split_v},
    {.op = &kUnpack, .run = unpack},
};

}  // namespace

extern const KernelTable kSplitCpu{kEntries};

}  // namespace rill
