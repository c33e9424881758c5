#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kSlice;

namespace {

void slice(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy copy;
  std::int64_t position = 0;
  for (int d = 0; d < input.rank(); ++d) {
    position += int_at(call.input_tensor(1), d) * from[d];
    copy.add_dim(output.dim(d), to[d], from[d]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), element_at(input, position), copy);
}

constexpr KernelEntry kEntries[] = {{.op = &kSlice, .run = slice}};

}  // namespace

extern const KernelTable kSliceCpu{kEntries};

}  // namespace rill
