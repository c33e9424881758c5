#include "rill/ops/array/shape/reshape.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kReshape, kQuantizedReshape, kExpandDims, kSqueeze, kBitcast, kEnsureShape;

namespace {

void reshape(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &sizes = call.input_tensor(1);
  require(sizes.rank() <= 1, "sizes input must be 1-D, not ", sizes.shape());
  call.set_output(0, input.reshaped(reshaped_shape(input.shape(), read_dims(sizes).span())));
}

void quantized_reshape(KernelCall& call) {
  reshape(call);
  for (const int i : {1, 2}) {
    const Tensor& end = call.input_tensor(i + 1);
    require(end.rank() == 0, "the ends of the range must be scalars, not ", end.shape());
    call.allocate_output(i, {}).data<float>()[0] = end.scalar_value<float>();
  }
}

void expand_dims(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &axis = call.input_tensor(1);
  require(axis.element_count() == 1, "'dim' must be a tensor with a single value");
  call.set_output(0, input.reshaped(expanded_shape(input.shape(), int_at(axis, 0)).full()));
}

void squeeze(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const auto& axes = call.node().attr<std::vector<std::int64_t>>("squeeze_dims");
  call.set_output(0, input.reshaped(squeezed_shape(input.shape(), axes).full()));
}

void bitcast(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const DType to = call.node().output_type(0);
  call.set_output(0, input.bitcast(to, bitcast_shape(input.shape(), input.dtype(), to).full()));
}

void ensure_shape(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const auto& expected = call.node().attr<PartialShape>("shape");
  require(expected.accepts(input.shape()), "Shape of tensor ", call.node().name, " ", input.shape(),
          " is not compatible with expected shape ", expected, ".");
  call.set_output(0, input);
}

// The output has the storage of input 0; the sizes are in host memory.
constexpr KernelEntry sharing(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true, .expensive = false, .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    sharing(kReshape, reshape),
    {.op = &kQuantizedReshape, .run = quantized_reshape, .allocates = true, .expensive = false},
    sharing(kExpandDims, expand_dims),
    sharing(kSqueeze, squeeze),
    sharing(kBitcast, bitcast),
    {.op = &kEnsureShape, .run = ensure_shape, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kReshapeCpu{kEntries};

}  // namespace rill
