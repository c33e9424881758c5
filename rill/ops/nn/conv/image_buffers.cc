#include "rill/ops/nn/conv/image_buffers.h"

#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/nn/channels/channels.h"

namespace rill {
namespace {

Tensor new_tensor(const KernelCall& call, DType dtype, Shape shape) {
  return Tensor(dtype, std::move(shape), call.device().allocator(MemoryKind::host));
}

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

// Calls body(begin, end) with ranges of elements that are converted.
template <class Body>
void convert(const KernelCall& call, const Tensor& x, Body body) {
  call.parallel_for(static_cast<std::size_t>(x.element_count()), 0.3, body);
}

}  // namespace

Tensor widened_tensor(const KernelCall& call, const Tensor& x) {
  if (!is_half(x.dtype())) return x;
  const Tensor wide = new_tensor(call, DType::f32, x.shape());
  const WidenRow widen = widen_row(x.dtype());
  const auto* from = static_cast<const std::uint16_t*>(x.raw_data());
  convert(call, x, [&](std::size_t begin, std::size_t end) {
    widen(wide.data<float>() + begin, from + begin, end - begin);
  });
  return wide;
}

Tensor prepared_images(const KernelCall& call, const Tensor& x, const ImageLayout& layout) {
  const Tensor wide = widened_tensor(call, x);
  if (layout.channels_last) return wide;
  const Tensor turned = new_tensor(call, wide.dtype(), channels_last(wide.shape()));
  turn_channels(call, wide, turned, true);
  return turned;
}

Tensor result_buffer(const KernelCall& call, const Tensor& out, bool turns_channels) {
  if (!turns_channels && !is_half(out.dtype())) return out;
  const DType dtype = is_half(out.dtype()) ? DType::f32 : out.dtype();
  return new_tensor(call, dtype, turns_channels ? channels_last(out.shape()) : out.shape());
}

void finish_result(const KernelCall& call, const Tensor& computed, const Tensor& out,
                   bool turns_channels) {
  if (computed.shares_storage(out)) return;
  Tensor wide = computed;
  if (turns_channels) {
    wide = is_half(out.dtype()) ? new_tensor(call, DType::f32, out.shape()) : out;
    turn_channels(call, computed, wide, false);
  }
  if (!is_half(out.dtype())) return;
  const NarrowRow narrow = narrow_row(out.dtype());
  auto* to = static_cast<std::uint16_t*>(out.raw_data());
  convert(call, out, [&](std::size_t begin, std::size_t end) {
    narrow(to + begin, wide.data<float>() + begin, end - begin);
  });
}

}  // namespace rill
