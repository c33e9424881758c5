#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/mixed_columns.h"
#include "rill/ops/image/pixel_types.h"
#include "rill/ops/image/resample.h"
#include "rill/ops/nn/channels/widened.h"

namespace rill {

extern const OpDecl kResizeBilinear;

namespace {

using Column = MixedColumn;

template <class T, int kChannels>
void mix_pixels(float* out, const T* row, std::span<const Column> columns) {
  for (const Column& column : columns) {
    const T *a = row + column.lower, *b = row + column.upper;
    for (int c = 0; c < kChannels; ++c) {
      const auto left = static_cast<float>(a[c]), right = static_cast<float>(b[c]);
      *out++ = left + (right - left) * column.distance;
    }
  }
}

template <class T>
void mix_columns(float* out, const T* row, std::int64_t row_size, std::span<const Column> columns,
                 std::int64_t channels) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>)
    if (channels == 3) return mix_rgb(out, row, row_size, columns);
  if (channels == 1) return mix_pixels<T, 1>(out, row, columns);
  if (channels == 3) return mix_pixels<T, 3>(out, row, columns);
  if (channels == 4) return mix_pixels<T, 4>(out, row, columns);
  for (const Column& column : columns) {
    const T *a = row + column.lower, *b = row + column.upper;
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto left = static_cast<float>(a[c]), right = static_cast<float>(b[c]);
      *out++ = left + (right - left) * column.distance;
    }
  }
}

// Rows of the source whose columns are mixed, the last two kept: the next result needs them again.
template <class T>
class MixedRows {
 public:
  MixedRows(const T* images, std::int64_t row_size, std::span<const Column> columns,
            std::int64_t channels)
      : images_(images), row_size_(row_size), columns_(columns), channels_(channels) {
    for (auto& row : rows_) row.resize(columns.size() * static_cast<std::size_t>(channels));
    if constexpr (kNarrow) wide_.resize(static_cast<std::size_t>(row_size));
  }
  // Row `index` of all images; `other` is not to be given up for it.
  const float* row(std::int64_t index, std::int64_t other) {
    for (std::size_t k = 0; k < 2; ++k)
      if (index_[k] == index) return rows_[k].data();
    const std::size_t k = index_[0] == other ? 1 : 0;
    const T* from = images_ + index * row_size_;
    if constexpr (kNarrow)
      mix_columns(rows_[k].data(), widened<T>(from, wide_.data(), wide_.size()), row_size_,
                  columns_, channels_);
    else
      mix_columns(rows_[k].data(), from, row_size_, columns_, channels_);
    index_[k] = index;
    return rows_[k].data();
  }

 private:
  static constexpr bool kNarrow = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
  const T* images_;
  std::int64_t row_size_;
  std::span<const Column> columns_;
  std::int64_t channels_;
  std::vector<float> rows_[2], wide_;
  std::int64_t index_[2] = {-1, -1};
};

template <class T>
void resize_rows(const KernelCall& call, const Sampling& down, std::span<const Column> columns) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const std::int64_t channels = images.dim(3), out_row = results.dim(2) * channels;
  float* out = results.data<float>();
  call.parallel_for(
      static_cast<std::size_t>(results.dim(0) * down.out), 1.5 * static_cast<double>(out_row),
      [&](std::size_t begin, std::size_t end) {
        MixedRows<T> mixed(images.data<T>(), images.dim(2) * channels, columns, channels);
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const Neighbours rows = neighbours(down, i % down.out);
          const std::int64_t first = i / down.out * down.in;
          const float* top = mixed.row(first + rows.lower, first + rows.upper);
          const float* bottom = mixed.row(first + rows.upper, first + rows.lower);
          mix_rows(out + i * out_row, top, bottom, rows.distance, out_row);
        }
      });
}

// Pixels of many channels are mixed one by one: rows would not stay in the nearest cache.
constexpr std::int64_t kManyChannels = 16;

void resize_pixels(const KernelCall& call, const Sampling& down, std::span<const Column> columns) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const std::int64_t channels = images.dim(3), row_size = images.dim(2) * channels,
                     out_row = results.dim(2) * channels;
  float* out = results.data<float>();
  call.parallel_for(
      static_cast<std::size_t>(results.dim(0) * down.out), static_cast<double>(out_row),
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const Neighbours y = neighbours(down, i % down.out);
          const float* image = images.data<float>() + i / down.out * down.in * row_size;
          const float *top = image + y.lower * row_size, *bottom = image + y.upper * row_size;
          float* to = out + i * out_row;
          for (const Column& x : columns) {
            const float* const corners[] = {top + x.lower, top + x.upper, bottom + x.lower,
                                            bottom + x.upper};
            mix_four_rows(to, corners, x.distance, y.distance, channels);
            to += channels;
          }
        }
      });
}

void resize_bilinear(KernelCall& call) {
  const SamplingRule rule(call.node());
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  const Sampling down = rule.along(images.dim(1), results.dim(1)),
                 across = rule.along(images.dim(2), results.dim(2));
  std::vector<Column> columns;
  columns.reserve(static_cast<std::size_t>(across.out));
  for (std::int64_t x = 0; x < across.out; ++x) {
    const Neighbours n = neighbours(across, x);
    columns.push_back({n.lower * images.dim(3), n.upper * images.dim(3), n.distance});
  }
  if (images.dtype() == DType::f32 && images.dim(3) >= kManyChannels)
    return resize_pixels(call, down, columns);
  visit_pixel(images.dtype(), [&]<class T>() { resize_rows<T>(call, down, columns); });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kResizeBilinear, .types = kPixelTypes, .run = resize_bilinear},
};

}  // namespace

extern const KernelTable kResizeBilinearCpu{kEntries};

}  // namespace rill
