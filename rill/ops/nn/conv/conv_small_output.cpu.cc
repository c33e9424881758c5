#include "rill/ops/nn/conv/conv_small_output.h"

#include "rill/ops/nn/conv/small_output_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kMinLanes = 8;       // of vectors that pay
constexpr std::int64_t kMinWindowTaps = 4;  // fewer are better off as a product
constexpr double kNanosPerProduct = 0.03, kNanosPerResult = 5;

// [window, in, out] becomes [window, out, in].
Tensor turned_filter(const KernelCall& call, const ConvProblem& p, const float* filter) {
  Tensor turned(DType::f32, {p.patch_size() * p.out_channels},
                call.device().allocator(MemoryKind::host));
  float* to = turned.data<float>();
  for (std::int64_t tap = 0; tap < p.taps(); ++tap, filter += p.in_channels * p.out_channels)
    for (std::int64_t out = 0; out < p.out_channels; ++out)
      for (std::int64_t in = 0; in < p.in_channels; ++in) *to++ = filter[in * p.out_channels + out];
  return turned;
}

// One row of results, its windows at the sides one by one, with the taps that lie inside.
class RowConvolver {
 public:
  RowConvolver(const ConvProblem& p, const float* filter)
      : p_(p), rows_(p.dims[0]), columns_(p.dims[1]), filter_(filter) {
    const std::int64_t left = (columns_.before + columns_.stride - 1) / columns_.stride;
    const std::int64_t room = columns_.in - columns_.reach() + columns_.before;
    inside_begin_ = std::min(left, columns_.out);
    inside_end_ = room < 0 ? inside_begin_
                           : std::clamp(room / columns_.stride + 1, inside_begin_, columns_.out);
  }

  void convolve(const float* image, std::int64_t row, float* results) const {
    for (std::int64_t c = 0; c < inside_begin_; ++c) convolve(image, row, c, 1, results);
    convolve(image, row, inside_begin_, inside_end_ - inside_begin_, results);
    for (std::int64_t c = inside_end_; c < columns_.out; ++c) convolve(image, row, c, 1, results);
  }

 private:
  void convolve(const float* image, std::int64_t row, std::int64_t column, std::int64_t count,
                float* results) const {
    if (count == 0) return;
    const std::int64_t first_row = rows_.first_tap(row), first_column = columns_.first_tap(column);
    const std::int64_t rows = rows_.end_tap(row) - first_row,
                       columns = columns_.end_tap(column) - first_column;
    float* const to = results + column * p_.out_channels;
    if (rows <= 0 || columns <= 0) return void(std::fill_n(to, count * p_.out_channels, 0.0f));
    const std::int64_t pixel = p_.in_channels, line = columns_.in * pixel;
    const std::int64_t tap = pixel * p_.out_channels;
    const std::int64_t at = (rows_.start(row) + first_row * rows_.dilation) * line +
                            (columns_.start(column) + first_column * columns_.dilation) * pixel;
    small_output().convolve_row[p_.out_channels - 1](
        {.source = image + at,
         .channels = pixel,
         .window_step = columns_.stride * pixel,
         .rows = rows,
         .row_step = rows_.dilation * line,
         .columns = columns,
         .column_step = columns_.dilation * pixel,
         .filter = filter_ + (first_row * columns_.size + first_column) * tap,
         .filter_row_step = columns_.size * tap,
         .results = to,
         .windows = count});
  }

  const ConvProblem& p_;
  const WindowDim &rows_, &columns_;
  const float* filter_;
  std::int64_t inside_begin_, inside_end_;
};

}  // namespace

bool has_small_output(const ConvProblem& p) {
  return p.dims.size() == 2 && p.out_channels >= 1 && p.out_channels <= SmallOutput::kMax &&
         p.taps() >= kMinWindowTaps && p.in_channels > 0 && small_output().lanes >= kMinLanes &&
         p.in_channels % small_output().lanes == 0;
}

void conv_small_output(const KernelCall& call, const ConvProblem& p, const float* images,
                       const float* filter, bool is_turned, float* results, const RangeDone& done) {
  const Tensor turned = is_turned ? Tensor() : turned_filter(call, p, filter);
  const RowConvolver rows(p, is_turned ? filter : turned.data<float>());
  const std::int64_t height = p.dims[0].out, row_size = p.dims[1].out * p.out_channels;
  const double nanos = static_cast<double>(row_size) *
                       (kNanosPerResult + kNanosPerProduct * static_cast<double>(p.patch_size()));
  call.parallel_for(
      static_cast<std::size_t>(p.batch * height), nanos, [&](std::size_t begin, std::size_t end) {
        const auto first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end);
        for (std::int64_t i = first; i < last; ++i)
          rows.convolve(images + i / height * p.image_size(), i % height, results + i * row_size);
        if (done) done(first * row_size, last * row_size);
      });
}

}  // namespace rill
