#include "rill/ops/nn/convolve_few_channels.h"

#include "rill/ops/nn/few_channels_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kFewChannels = 4, kFewestResults = 8;  // channels of images and of results
constexpr std::int64_t kBandRows = 16;  // of results whose part of the image is copied at a time
constexpr std::int64_t kMostCopied = 1 << 20;  // elements: what is copied stays in a cache
constexpr double kNanosPerFlop = 0.01;

// A band of rows of an image with its padding around it: every window lies inside.
struct Band {
  explicit Band(const ConvProblem& p)
      : rows(p.dims[0]),
        columns(p.dims[1]),
        channels(p.in_channels),
        width(((columns.out - 1) * columns.stride + columns.size) * channels),
        left(std::min(columns.before * channels, width)),
        inside(std::min(columns.in * channels, width - left)),
        height((std::min(kBandRows, rows.out) - 1) * rows.stride + rows.size) {}

  // What stays zero in all bands.
  void clear_sides(float* band) const {
    for (std::int64_t r = 0; r < height; ++r, band += width) {
      std::fill_n(band, left, 0.0f);
      std::fill_n(band + left + inside, width - left - inside, 0.0f);
    }
  }
  // What result rows [first, last) see.
  void copy(const float* image, std::int64_t first, std::int64_t last, float* band) const {
    const std::int64_t begin = rows.start(first), end = rows.start(last - 1) + rows.size;
    for (std::int64_t r = begin; r < end; ++r, band += width)
      if (r >= 0 && r < rows.in)
        std::copy_n(image + r * columns.in * channels, inside, band + left);
      else
        std::fill_n(band + left, inside, 0.0f);
  }

  const WindowDim &rows, &columns;
  std::int64_t channels, width, left, inside, height;
};

// [taps][channels] in panels of `width` channels, zero beyond the last one.
Tensor in_panels(const KernelCall& call, const float* filter, std::int64_t taps,
                 std::int64_t channels, std::int64_t width) {
  const std::int64_t panels = (channels + width - 1) / width;
  Tensor packed(DType::f32, {panels * taps * width}, call.device().allocator(MemoryKind::host));
  float* to = packed.data<float>();
  for (std::int64_t channel = 0; channel < channels; channel += width) {
    const std::int64_t count = std::min(width, channels - channel);
    for (std::int64_t t = 0; t < taps; ++t, to += width) {
      std::copy_n(filter + t * channels + channel, count, to);
      std::fill_n(to + count, width - count, 0.0f);
    }
  }
  return packed;
}

}  // namespace

bool has_few_channels(const ConvProblem& p) {
  if (p.dims.size() != 2 || p.in_channels > kFewChannels || p.out_channels < kFewestResults)
    return false;
  if (p.dims[0].dilation != 1 || p.dims[1].dilation != 1) return false;
  const double width =
      static_cast<double>(p.dims[1].out - 1) * static_cast<double>(p.dims[1].stride) +
      static_cast<double>(p.dims[1].size);
  const double height = static_cast<double>(kBandRows - 1) * static_cast<double>(p.dims[0].stride) +
                        static_cast<double>(p.dims[0].size);
  return width * height * static_cast<double>(p.in_channels) <= static_cast<double>(kMostCopied);
}

void convolve_few_channels(const KernelCall& call, const ConvProblem& p, const float* images,
                           const float* filter, float* results, const RangeDone& done) {
  const FewChannels& kernel = few_channels();
  const Band band(p);
  const Tensor panels = in_panels(call, filter, p.patch_size(), p.out_channels, kernel.panel_width);
  const std::int64_t rows = p.dims[0].out, row_size = p.dims[1].out * p.out_channels;
  const std::int64_t bands = (rows + kBandRows - 1) / kBandRows;
  const double nanos = kNanosPerFlop * 2 * static_cast<double>(kBandRows * row_size) *
                       static_cast<double>(p.patch_size());
  const auto count = static_cast<std::size_t>(p.batch * bands);
  call.parallel_for(count, nanos, [&](std::size_t from, std::size_t to) {
    const Tensor copied(DType::f32, {band.height * band.width},
                        call.device().allocator(MemoryKind::host));
    band.clear_sides(copied.data<float>());
    for (auto i = static_cast<std::int64_t>(from); i < static_cast<std::int64_t>(to); ++i) {
      const std::int64_t n = i / bands, first = i % bands * kBandRows;
      const std::int64_t last = std::min(rows, first + kBandRows);
      band.copy(images + n * p.image_size(), first, last, copied.data<float>());
      float* const out = results + (n * rows + first) * row_size;
      for (std::int64_t o = first; o < last; ++o)
        kernel.convolve_row(
            {.source = copied.data<float>() + (o - first) * p.dims[0].stride * band.width,
             .source_row = band.width,
             .window_step = p.dims[1].stride * p.in_channels,
             .window_rows = p.dims[0].size,
             .run = p.dims[1].size * p.in_channels,
             .filter = panels.data<float>(),
             .results = out + (o - first) * row_size,
             .windows = p.dims[1].out,
             .channels = p.out_channels});
      if (done) done(out - results, out - results + (last - first) * row_size);
    }
  });
}

}  // namespace rill
