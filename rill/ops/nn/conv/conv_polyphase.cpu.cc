#include "rill/ops/nn/conv/conv_polyphase.h"

#include "rill/ops/nn/conv/conv_onednn.h"
#include "rill/ops/nn/conv/small_output_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kChannelBlock = 16;  // fewer leave vectors of the dense ones empty
// Taps along a dimension: with fewer, copies eat the gain; but for images of a few channels.
constexpr std::int64_t kMinPhaseTaps = 5, kMinPhaseTapsOfFew = 4;

// The pixels first, first + stride, ... along one dimension, which see the taps tap, tap + stride,
// ... of the filter.
struct Phase {
  Phase(const WindowDim& d, std::int64_t tap_offset) : tap(tap_offset) {
    first = ((tap - d.before) % d.stride + d.stride) % d.stride;
    dense.in = (d.in - first + d.stride - 1) / d.stride;
    dense.out = d.out;
    dense.size = (d.size - tap + d.stride - 1) / d.stride;
    dense.before = (first + d.before - tap) / d.stride;
  }
  // Whether oneDNN takes it: every window sees a pixel, every pixel a window.
  bool is_usual() const {
    const std::int64_t beyond = dense.in + dense.before - dense.out;
    return dense.in > 0 && dense.size > 0 && dense.before < dense.size && beyond >= 0 &&
           beyond < dense.size;
  }

  std::int64_t tap, first;
  WindowDim dense;
};

bool is_divisible(const WindowDim& d, std::int64_t min_taps) {
  if (d.dilation != 1 || d.stride < 2 || d.size < min_taps) return false;
  for (std::int64_t tap = 0; tap < d.stride; ++tap)
    if (!Phase(d, tap).is_usual()) return false;
  return true;
}

// The taps that a phase sees.
Tensor taps_of(const KernelCall& call, const ConvProblem& p, const Phase& row, const Phase& column,
               const float* filter) {
  const std::int64_t tap = p.in_channels * p.out_channels;
  Tensor taken(DType::f32, {row.dense.size * column.dense.size * tap},
               call.device().allocator(MemoryKind::host));
  float* to = taken.data<float>();
  for (std::int64_t r = row.tap; r < p.dims[0].size; r += p.dims[0].stride)
    for (std::int64_t c = column.tap; c < p.dims[1].size; c += p.dims[1].stride, to += tap)
      std::copy_n(filter + (r * p.dims[1].size + c) * tap, tap, to);
  return taken;
}

// Brings elements [begin, end) of a phase, whole pixels, to their places in the images.
void spread(const ConvProblem& p, const Phase& row, const Phase& column, const float* phase,
            std::int64_t begin, std::int64_t end, float* images) {
  const std::int64_t channels = p.in_channels, width = column.dense.in;
  const std::int64_t step = p.dims[1].stride * channels;
  for (std::int64_t pixel = begin / channels; pixel < end / channels;) {
    const std::int64_t line = pixel / width, first = pixel % width;
    const std::int64_t line_end = std::min(end / channels, (line + 1) * width);
    const std::int64_t n = line / row.dense.in, r = line % row.dense.in;
    float* to = images + n * p.image_size() +
                ((row.first + r * p.dims[0].stride) * p.dims[1].in + column.first) * channels +
                first * step;
    const float* from = phase + pixel * channels;
    for (; pixel < line_end; ++pixel, from += channels, to += step)
      for (std::int64_t c = 0; c < channels; ++c) to[c] = from[c];
  }
}

}  // namespace

bool is_polyphase(const ConvProblem& p) {
  if (p.dims.size() != 2 || p.out_channels % kChannelBlock != 0) return false;
  const bool has_few_channels = p.in_channels <= SmallOutput::kMax;
  if (!has_few_channels && p.in_channels % kChannelBlock != 0) return false;
  const std::int64_t fewest = has_few_channels ? kMinPhaseTapsOfFew : kMinPhaseTaps;
  return is_divisible(p.dims[0], fewest) && is_divisible(p.dims[1], fewest);
}

const char* conv_polyphase(const KernelCall& call, const ConvProblem& p, float* images,
                           const float* filter, float* results) {
  for (std::int64_t r = 0; r < p.dims[0].stride; ++r)
    for (std::int64_t c = 0; c < p.dims[1].stride; ++c) {
      const Phase row(p.dims[0], r), column(p.dims[1], c);
      const ConvProblem dense{p.batch, p.in_channels, p.out_channels, {row.dense, column.dense}};
      const Tensor taps = taps_of(call, p, row, column, filter);
      const Tensor phase(DType::f32, {p.batch * dense.image_size()},
                         call.device().allocator(MemoryKind::host));
      const char* reason =
          conv_onednn(call, ConvWork::kToImages, dense, phase.data<float>(), taps.data<float>(),
                      results, [&](std::int64_t begin, std::int64_t end) {
                        spread(p, row, column, phase.data<float>(), begin, end, images);
                      });
      if (reason != nullptr) return reason;
    }
  return nullptr;
}

}  // namespace rill
