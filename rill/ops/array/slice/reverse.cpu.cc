#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kReverse, kReverseV2;

namespace {

void reverse_marked(const KernelCall& call, const std::vector<bool>& marked) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (input.element_count() == 0) return;
  const Dims strides = row_major_strides(input.shape());
  StridedCopy copy;
  std::int64_t position = 0;
  for (int d = 0; d < input.rank(); ++d) {
    const bool turned = marked[static_cast<std::size_t>(d)];
    if (turned) position += (input.dim(d) - 1) * strides[d];
    copy.add_dim(input.dim(d), strides[d], turned ? -strides[d] : strides[d]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), element_at(input, position), copy);
}

void reverse(KernelCall& call) {
  const auto dims = call.input<bool>(1);
  reverse_marked(call, {dims.begin(), dims.end()});
}

void reverse_v2(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &axes = call.input_tensor(1);
  std::vector<bool> marked(static_cast<std::size_t>(input.rank()), false);
  for (std::int64_t i = 0; i < axes.element_count(); ++i) {
    const std::int64_t axis = int_at(axes, i);
    marked[static_cast<std::size_t>(axis < 0 ? axis + input.rank() : axis)] = true;
  }
  reverse_marked(call, marked);
}

constexpr KernelEntry kEntries[] = {{.op = &kReverse, .run = reverse},
                                    {.op = &kReverseV2, .run = reverse_v2}};

}  // namespace

extern const KernelTable kReverseCpu{kEntries};

}  // namespace rill
