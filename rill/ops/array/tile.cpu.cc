#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/strided_copy.h"

namespace rill {

extern const OpDecl kTile;

namespace {

// Each dimension becomes two: the repetitions, which do not move in the input, and the original.
void tile(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy copy;
  for (int d = 0; d < input.rank(); ++d) {
    const std::int64_t repetitions = output.dim(d) / input.dim(d);
    if (repetitions > 1) copy.add_dim(repetitions, to[d] * input.dim(d), 0);
    copy.add_dim(input.dim(d), to[d], from[d]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), input.raw_data(), copy);
}

constexpr KernelEntry kEntries[] = {{.op = &kTile, .run = tile}};

}  // namespace

extern const KernelTable kTileCpu{kEntries};

}  // namespace rill
