#define HWY_TARGET_INCLUDE "rill/ops/eight_bit/conv_depthwise_uint8.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/eight_bit/conv_depthwise_uint8.h"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {

// One pixel under one tap, a weight for each channel. Products of bytes fit 16 bits.
template <class Image>
void add_products(const Image* __restrict pixel, const std::int8_t* __restrict weight,
                  std::int64_t channels, std::uint32_t* __restrict sums) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto product = static_cast<std::int16_t>(pixel[c] * weight[c]);
    sums[c] += static_cast<std::uint32_t>(static_cast<std::int32_t>(product));
  }
}

void add_unsigned(const std::uint8_t* pixel, const std::int8_t* weight, std::int64_t channels,
                  std::uint32_t* sums) {
  add_products(pixel, weight, channels, sums);
}
void add_signed(const std::int8_t* pixel, const std::int8_t* weight, std::int64_t channels,
                std::uint32_t* sums) {
  add_products(pixel, weight, channels, sums);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {

HWY_EXPORT(add_unsigned);
HWY_EXPORT(add_signed);

void add_each(const std::uint8_t* pixel, const std::int8_t* weight, std::int64_t channels,
              std::uint32_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_unsigned)(pixel, weight, channels, sums);
}
void add_each(const std::int8_t* pixel, const std::int8_t* weight, std::int64_t channels,
              std::uint32_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_signed)(pixel, weight, channels, sums);
}

template <class Image>
void add_tap(const Image* pixel, const std::int8_t* weight, std::int64_t channels,
             std::int64_t multiplier, std::uint32_t* sums) {
  if (multiplier == 1) return add_each(pixel, weight, channels, sums);
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t m = 0; m < multiplier; ++m)
      *sums++ += static_cast<std::uint32_t>(pixel[c] * *weight++);
}

}  // namespace

template <class Image>
void conv_depthwise_uint8(const KernelCall& call, const ConvProblem& problem, const Image* images,
                          const std::int8_t* filter, std::uint32_t* results) {
  const WindowDim &rows = problem.dims[0], &columns = problem.dims[1];
  const std::int64_t channels = problem.in_channels, outputs = problem.out_channels;
  if (outputs == 0) return;
  const std::int64_t multiplier = outputs / channels;
  const auto positions = static_cast<std::size_t>(problem.batch * problem.positions());
  const double nanos = 0.2 * static_cast<double>(problem.taps()) * static_cast<double>(outputs);
  call.parallel_for(positions, nanos, [&](std::size_t begin, std::size_t end) {
    for (auto p = static_cast<std::int64_t>(begin); p < static_cast<std::int64_t>(end); ++p) {
      std::uint32_t* const sums = results + p * outputs;
      std::fill_n(sums, outputs, 0U);
      const std::int64_t n = p / problem.positions();
      const std::int64_t y = p / columns.out % rows.out, x = p % columns.out;
      const Image* const image = images + n * problem.image_size();
      for (std::int64_t i = rows.first_tap(y); i < rows.end_tap(y); ++i)
        for (std::int64_t j = columns.first_tap(x); j < columns.end_tap(x); ++j)
          add_tap(image + ((rows.start(y) + i * rows.dilation) * columns.in + columns.start(x) +
                           j * columns.dilation) *
                              channels,
                  filter + (i * columns.size + j) * outputs, channels, multiplier, sums);
    }
  });
}

template void conv_depthwise_uint8(const KernelCall&, const ConvProblem&, const std::uint8_t*,
                                   const std::int8_t*, std::uint32_t*);
template void conv_depthwise_uint8(const KernelCall&, const ConvProblem&, const std::int8_t*,
                                   const std::int8_t*, std::uint32_t*);

}  // namespace rill
#endif
