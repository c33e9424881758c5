#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

extern const OpDecl kFill, kZerosLike, kOnesLike;

namespace {

void fill(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  fill_elements(call, output.dtype(), output.raw_data(), call.input_tensor(1).raw_data(),
                output.element_count());
}

void zeros_like(KernelCall& call) {  // fresh strings are empty already
  const Tensor& output = call.output_tensor(0);
  if (!is_trivial(output.dtype())) return;
  const std::uint64_t zero[2] = {0, 0};
  fill_elements(call, output.dtype(), output.raw_data(), zero, output.element_count());
}

Tensor one(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return Tensor::scalar(1.0f);
    case DType::f64:
      return Tensor::scalar(1.0);
    case DType::f16:
      return Tensor::scalar(half(1.0f));
    case DType::bf16:
      return Tensor::scalar(bfloat16(1.0f));
    case DType::c64:
      return Tensor::scalar(std::complex<float>(1));
    case DType::c128:
      return Tensor::scalar(std::complex<double>(1));
    case DType::boolean:
      return Tensor::scalar(true);
    default:
      break;
  }
  Tensor t = Tensor::zeros(dtype, Shape());
  *static_cast<unsigned char*>(t.raw_data()) = 1;  // integers are stored low byte first
  return t;
}

void ones_like(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  fill_elements(call, output.dtype(), output.raw_data(), one(output.dtype()).raw_data(),
                output.element_count());
}

constexpr TypeSet kNotZeroable = DType::resource | DType::variant;
constexpr KernelEntry kEntries[] = {
    {.op = &kFill, .run = fill},
    {.op = &kZerosLike, .types = kAllTypes - kNotZeroable, .run = zeros_like},
    {.op = &kOnesLike, .types = kNumberTypes | DType::boolean, .run = ones_like},
};

}  // namespace

extern const KernelTable kFillCpu{kEntries};

}  // namespace rill
