#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/array/strided_copy.h"

namespace rill {

extern const OpDecl kSplit, kSplitV, kUnpack;

namespace {

// Deals out the columns of the input, seen as rows that end before `axis` + 1, to the outputs.
void deal_columns(const KernelCall& call, const Tensor& input, std::int64_t axis) {
  if (input.element_count() == 0) return;
  std::int64_t row_count = 1;
  for (int i = 0; i < (axis < 0 ? axis + input.rank() : axis); ++i) row_count *= input.dim(i);
  const std::int64_t input_row = input.element_count() / row_count;
  std::int64_t position = 0;
  for (int i = 0; i < call.output_count(); ++i) {
    const Tensor& output = call.output_tensor(i);
    const std::int64_t row = output.element_count() / row_count;
    StridedCopy copy;
    copy.add_dim(row_count, row, input_row);
    copy.add_dim(row, 1, 1);
    strided_copy(call, input.dtype(), output.raw_data(), element_at(input, position), copy);
    position += row;
  }
}

void split(KernelCall& call) {
  deal_columns(call, call.input_tensor(1), int_at(call.input_tensor(0), 0));
}
void split_v(KernelCall& call) {
  deal_columns(call, call.input_tensor(0), int_at(call.input_tensor(2), 0));
}
void unpack(KernelCall& call) {
  deal_columns(call, call.input_tensor(0), call.node().attr<std::int64_t>("axis"));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSplit, .run = split},
    {.op = &kSplitV, .run = split_v},
    {.op = &kUnpack, .run = unpack},
};

}  // namespace

extern const KernelTable kSplitCpu{kEntries};

}  // namespace rill
