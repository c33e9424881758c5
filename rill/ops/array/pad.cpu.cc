#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/array/strided_copy.h"

namespace rill {

extern const OpDecl kPad, kPadV2;

namespace {

void copy_inside(const KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (input.element_count() == 0) return;
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy copy;
  std::int64_t position = 0;
  for (int d = 0; d < input.rank(); ++d) {
    position += int_at(call.input_tensor(1), 2 * d) * to[d];
    copy.add_dim(input.dim(d), to[d], from[d]);
  }
  strided_copy(call, input.dtype(), element_at(output, position), input.raw_data(), copy);
}

void pad_with(const KernelCall& call, const void* value) {
  const Tensor& output = call.output_tensor(0);
  if (output.element_count() > call.input_tensor(0).element_count())
    fill_elements(call, output.dtype(), output.raw_data(), value, output.element_count());
  copy_inside(call);
}

void pad(KernelCall& call) {
  const std::uint64_t zero[2] = {0, 0};
  if (is_trivial(call.output_tensor(0).dtype())) return pad_with(call, zero);
  copy_inside(call);  // fresh strings are empty already
}

void pad_v2(KernelCall& call) { pad_with(call, call.input_tensor(2).raw_data()); }

constexpr KernelEntry kEntries[] = {{.op = &kPad, .run = pad}, {.op = &kPadV2, .run = pad_v2}};

}  // namespace

extern const KernelTable kPadCpu{kEntries};

}  // namespace rill
