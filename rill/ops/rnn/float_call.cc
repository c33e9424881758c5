#include "rill/ops/rnn/float_call.h"

#include <algorithm>

#include "rill/ops/math/rows/float_rows.h"

namespace rill {
namespace {

Tensor as_float(const Tensor& x) {
  if (x.dtype() != DType::f16) return x;
  Tensor wide(DType::f32, x.shape());
  widen_row(DType::f16)(wide.data<float>(), x.raw_data(),
                        static_cast<std::size_t>(x.element_count()));
  return wide;
}

}  // namespace

FloatCall::FloatCall(KernelCall& call, int first) : call_(call) {
  for (int i = 0; i < call.input_count(); ++i)
    inputs_.push_back(i < first ? call.input_tensor(i) : as_float(call.input_tensor(i)));
  for (int i = 0; i < call.output_count(); ++i) {
    const Tensor& output = call.output_tensor(i);
    outputs_.push_back(output.dtype() == DType::f16 ? Tensor(DType::f32, output.shape()) : output);
  }
}

void FloatCall::finish() {
  for (int i = 0; i < call_.output_count(); ++i) {
    const Tensor& output = call_.output_tensor(i);
    if (output.dtype() == DType::f16)
      narrow_row(DType::f16)(output.raw_data(), out(i),
                             static_cast<std::size_t>(output.element_count()));
  }
}

void FloatCall::zero_output(int i, std::int64_t from) const {
  std::fill(out(i) + from, out(i) + out_count(i), 0.0F);
}

}  // namespace rill
