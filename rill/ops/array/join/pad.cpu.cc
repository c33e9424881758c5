#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

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

// What lies before and behind the input along dimension `d`, inside of it along earlier ones.
void fill_border(const KernelCall& call, const void* value, int d) {
  const Tensor &input = call.input_tensor(0), &paddings = call.input_tensor(1);
  const Tensor& output = call.output_tensor(0);
  const Dims to = row_major_strides(output.shape());
  const std::int64_t before = int_at(paddings, 2 * d), behind = int_at(paddings, 2 * d + 1);
  for (const bool is_before : {true, false}) {
    StridedCopy copy;
    std::int64_t position = is_before ? 0 : (before + input.dim(d)) * to[d];
    for (int k = 0; k < output.rank(); ++k) {
      if (k < d) position += int_at(paddings, 2 * k) * to[k];
      copy.add_dim(k < d    ? input.dim(k)
                   : k == d ? (is_before ? before : behind)
                            : output.dim(k),
                   to[k], 0);
    }
    strided_copy(call, output.dtype(), element_at(output, position), value, copy);
  }
}

void pad_with(const KernelCall& call, const void* value) {
  for (int d = 0; d < call.output_tensor(0).rank(); ++d) fill_border(call, value, d);
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
