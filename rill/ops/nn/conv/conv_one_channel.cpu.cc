#include "rill/ops/nn/conv/conv_one_channel.h"

#include "rill/kernel/fast_paths.h"
#include "rill/ops/nn/conv/one_channel_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kMinResults = 8;       // channels of results: less leaves vectors empty
constexpr std::int64_t kCopiedBandRows = 16;  // of results whose images are copied at a time
constexpr std::int64_t kMaxCopied = 1 << 20;  // elements: what is copied stays in a cache
constexpr double kOneChannelNanosPerFlop = 0.01;

// Neighbouring windows [begin, end) of a row.
struct WindowRange {
  std::int64_t begin, end;
};

// A band of rows of an image, copied with its padding around it so that every window lies inside.
// Of bands that lie inside the image only what windows at the sides see is copied: the others read
// the image itself.
class CopiedBand {
 public:
  CopiedBand(const ConvProblem& p, std::int64_t block)
      : rows_(p.dims[0]),
        columns_(p.dims[1]),
        channels_(p.in_channels),
        left_(std::min(columns_.before * channels_, width())),
        inside_(std::min(columns_.in * channels_, width() - left_)) {
    const auto whole_blocks = [&](std::int64_t count) {
      return std::min(columns_.out, (count + block - 1) / block * block);
    };
    const std::int64_t touching_left = (columns_.before + columns_.stride - 1) / columns_.stride;
    const std::int64_t room = columns_.in - columns_.size + columns_.before;
    const std::int64_t not_right = room < 0 ? 0 : room / columns_.stride + 1;
    const std::int64_t left = whole_blocks(touching_left);
    const std::int64_t right =
        columns_.out - whole_blocks(std::max<std::int64_t>(0, columns_.out - not_right));
    middle_ =
        right - left >= block ? WindowRange{left, right} : WindowRange{columns_.out, columns_.out};
  }

  std::int64_t width() const {
    return ((columns_.out - 1) * columns_.stride + columns_.size) * channels_;
  }
  std::int64_t height() const {
    return (std::min(kCopiedBandRows, rows_.out) - 1) * rows_.stride + rows_.size;
  }

  // The windows of result rows [first, last) that see nothing but the image.
  WindowRange direct(std::int64_t first, std::int64_t last) const {
    const bool is_inside = begin_of(first) >= 0 && end_of(last) <= rows_.in;
    return is_inside ? middle_ : WindowRange{columns_.out, columns_.out};
  }
  // Where the first window of result row `row` begins, if it does not begin in front of the image.
  std::int64_t place(std::int64_t row) const {
    return (begin_of(row) * columns_.in - columns_.before) * channels_;
  }

  // What stays zero in all bands.
  void clear_sides(float* band) const {
    for (std::int64_t r = 0; r < height(); ++r, band += width()) {
      std::fill_n(band, left_, 0.0f);
      std::fill_n(band + left_ + inside_, width() - left_ - inside_, 0.0f);
    }
  }
  // What result rows [first, last) see, but for the windows that are direct.
  void copy(const float* image, std::int64_t first, std::int64_t last, float* band) const {
    const WindowRange apart = direct(first, last);
    const std::int64_t step = columns_.stride * channels_;
    const std::int64_t before_end =
        apart.begin == 0 ? 0 : (apart.begin - 1) * step + columns_.size * channels_;
    const std::int64_t behind = apart.end == columns_.out ? width() : apart.end * step;
    for (std::int64_t r = begin_of(first); r < end_of(last); ++r, band += width())
      if (r < 0 || r >= rows_.in) {
        std::fill_n(band + left_, inside_, 0.0f);
      } else {
        copy_columns(image + r * columns_.in * channels_, 0, before_end, band);
        copy_columns(image + r * columns_.in * channels_, behind, width(), band);
      }
  }

 private:
  std::int64_t begin_of(std::int64_t row) const { return rows_.start(row); }
  std::int64_t end_of(std::int64_t last) const { return rows_.start(last - 1) + rows_.size; }

  // Elements [begin, end) of a row with its padding.
  void copy_columns(const float* row, std::int64_t begin, std::int64_t end, float* to) const {
    begin = std::max(begin, left_);
    end = std::min(end, left_ + inside_);
    if (begin < end) std::copy_n(row + begin - left_, end - begin, to + begin);
  }

  const WindowDim &rows_, &columns_;
  std::int64_t channels_, left_, inside_;
  WindowRange middle_{};
};

// Where the taps of a window are in an image whose rows are `row` elements long.
std::vector<std::int64_t> one_channel_tap_offsets(const ConvProblem& p, std::int64_t row) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t r = 0; r < p.dims[0].size; ++r)
    for (std::int64_t i = 0; i < p.dims[1].size * p.in_channels; ++i)
      offsets.push_back(r * row + i);
  return offsets;
}

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

bool has_one_channel(const ConvProblem& p) {
  if (p.dims.size() != 2 || p.in_channels != 1 || p.out_channels < kMinResults) return false;
  if (p.dims[0].dilation != 1 || p.dims[1].dilation != 1) return false;
  const double width =
      static_cast<double>(p.dims[1].out - 1) * static_cast<double>(p.dims[1].stride) +
      static_cast<double>(p.dims[1].size);
  const double height =
      static_cast<double>(kCopiedBandRows - 1) * static_cast<double>(p.dims[0].stride) +
      static_cast<double>(p.dims[0].size);
  return width * height * static_cast<double>(p.in_channels) <= static_cast<double>(kMaxCopied) &&
         takes(FastPath::kConvOneChannel);
}

void conv_one_channel(const KernelCall& call, const ConvProblem& p, const float* images,
                      const float* filter, float* results, const RangeDone& done) {
  const OneChannel& kernel = one_channel();
  const CopiedBand band(p, kernel.windows);
  const Tensor panels = in_panels(call, filter, p.patch_size(), p.out_channels, kernel.panel_width);
  const auto in_band = one_channel_tap_offsets(p, band.width());
  const auto in_image = one_channel_tap_offsets(p, p.dims[1].in * p.in_channels);
  const std::int64_t rows = p.dims[0].out, columns = p.dims[1].out;
  const std::int64_t bands = (rows + kCopiedBandRows - 1) / kCopiedBandRows;
  const std::int64_t step = p.dims[1].stride * p.in_channels, row_size = columns * p.out_channels;
  const std::int64_t width = kernel.panel_width, taps = p.patch_size();
  // Convolves windows of one row, whose first window begins at source[place], with one panel.
  const auto convolve = [&](const float* source, std::int64_t place,
                            const std::vector<std::int64_t>& offsets, WindowRange windows,
                            std::int64_t channel, float* out) {
    if (windows.begin >= windows.end) return;
    kernel.convolve_row({.source = source + (place + windows.begin * step),
                         .window_step = step,
                         .offsets = offsets.data(),
                         .taps = taps,
                         .filter = panels.data<float>() + channel * taps,
                         .results = out + windows.begin * p.out_channels + channel,
                         .result_step = p.out_channels,
                         .windows = windows.end - windows.begin,
                         .width = std::min(width, p.out_channels - channel)});
  };
  const double nanos = kOneChannelNanosPerFlop * 2 *
                       static_cast<double>(kCopiedBandRows * row_size) *
                       static_cast<double>(p.patch_size());
  const auto count = static_cast<std::size_t>(p.batch * bands);
  call.parallel_for(count, nanos, [&](std::size_t from, std::size_t to) {
    const Tensor copied(DType::f32, {band.height() * band.width()},
                        call.device().allocator(MemoryKind::host));
    band.clear_sides(copied.data<float>());
    for (auto i = static_cast<std::int64_t>(from); i < static_cast<std::int64_t>(to); ++i) {
      const std::int64_t first = i % bands * kCopiedBandRows,
                         last = std::min(rows, first + kCopiedBandRows);
      const float* const image = images + i / bands * p.image_size();
      float* const out = results + (i / bands * rows + first) * row_size;
      const float* const copy = copied.data<float>();
      band.copy(image, first, last, copied.data<float>());
      const WindowRange direct = band.direct(first, last);
      for (std::int64_t channel = 0; channel < p.out_channels; channel += width)
        for (std::int64_t o = first; o < last; ++o) {
          float* const to_row = out + (o - first) * row_size;
          const std::int64_t place = (o - first) * p.dims[0].stride * band.width();
          convolve(copy, place, in_band, {0, direct.begin}, channel, to_row);
          convolve(image, band.place(o), in_image, direct, channel, to_row);
          convolve(copy, place, in_band, {direct.end, columns}, channel, to_row);
        }
      if (done) done(out - results, out - results + (last - first) * row_size);
    }
  });
}

}  // namespace rill
