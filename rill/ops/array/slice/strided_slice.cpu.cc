#include "rill/ops/array/slice/strided_slice_shape.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/changed_input.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kStridedSlice, kStridedSliceGrad, kStridedSliceAssign,
    kResourceStridedSliceAssign, kTensorStridedSliceUpdate;

namespace {

SliceView view_of(const KernelCall& call, const Shape& shape) {
  return strided_slice_view(shape, call.input_tensor(1), call.input_tensor(2), call.input_tensor(3),
                            slice_masks(call.node().attrs));
}

// The viewed part of `whole` against a dense block of the same sizes.
struct StridedRegion {
  std::int64_t position = 0;  // of the first element within `whole`
  Dims size, whole_stride, block_stride;
};

StridedRegion part_of(const Shape& whole, const SliceView& view) {
  StridedRegion part;
  const Dims strides = row_major_strides(whole);
  part.block_stride = row_major_strides(Shape(view.size.span()));
  for (int d = 0; d < whole.rank(); ++d) {
    part.position += view.begin[d] * strides[d];
    part.size.push_back(view.size[d]);
    part.whole_stride.push_back(view.stride[d] * strides[d]);
  }
  return part;
}

void strided_slice(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const StridedRegion part = part_of(input.shape(), view_of(call, input.shape()));
  strided_copy(call, input.dtype(), output.raw_data(), element_at(input, part.position),
               {part.size, part.block_stride, part.whole_stride});
}

SliceView checked_view(const KernelCall& call, const Tensor& whole, const Tensor& value) {
  SliceView view = view_of(call, whole.shape());
  require(view.shape.accepts(value.shape()), "shape of ", call.node().op->name, " values was ",
          value.shape(), " instead of ", view.shape);
  return view;
}

void write_part(const KernelCall& call, const Tensor& whole, const Tensor& value) {
  const SliceView view = checked_view(call, whole, value);
  if (value.element_count() == 0) return;
  const StridedRegion part = part_of(whole.shape(), view);
  strided_copy(call, whole.dtype(), element_at(whole, part.position), value.raw_data(),
               {part.size, part.whole_stride, part.block_stride});
}

void strided_slice_grad(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  const std::uint64_t zero[2] = {0, 0};
  if (is_trivial(output.dtype()))
    fill_elements(call, output.dtype(), output.raw_data(), zero, output.element_count());
  write_part(call, output, call.input_tensor(4));
}

void assign_part(const KernelCall& call, VariableResource& variable) {
  const Tensor& value = call.input_tensor(4);
  variable.update([&](Tensor& current) {
    require(current.dtype() == value.dtype(), "Trying to assign variable with wrong dtype. ",
            "Expected ", current.dtype(), " got ", value.dtype());
    write_part(call, current, value);
  });
}

void strided_slice_assign(KernelCall& call) {
  assign_part(call, *call.ref_input(0));
  call.set_ref_output(0, call.ref_input(0));
}

void resource_strided_slice_assign(KernelCall& call) {
  assign_part(call, *variable_input(call, 0));
}

void tensor_strided_slice_update(KernelCall& call) {
  const Tensor& value = call.input_tensor(4);
  (void)checked_view(call, call.input_tensor(0), value);
  write_part(call, changed_input(call), value);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kStridedSlice, .run = strided_slice},
    {.op = &kStridedSliceGrad, .run = strided_slice_grad},
    {.op = &kStridedSliceAssign, .run = strided_slice_assign, .allocates = true},
    {.op = &kResourceStridedSliceAssign, .run = resource_strided_slice_assign},
    {.op = &kTensorStridedSliceUpdate, .run = tensor_strided_slice_update, .allocates = true},
};

}  // namespace

extern const KernelTable kStridedSliceCpu{kEntries};

}  // namespace rill
