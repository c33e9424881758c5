#include "rill/ops/image/resample.h"

#include "rill/ops/image/pixel_types.h"
#include "rill/ops/nn/channels/widened.h"

namespace rill {
namespace {

template <class T>
inline constexpr bool kIsNarrow = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

// Adds up rows of one image.
template <class T>
class RowSum {
 public:
  explicit RowSum(std::int64_t size) : size_(size) {
    if constexpr (kIsNarrow<T>) wide_.resize(static_cast<std::size_t>(size));
  }
  void sum(float* sums, const T* image, const Taps& rows, std::int64_t y) {
    const auto begin = static_cast<std::size_t>(rows.begin[static_cast<std::size_t>(y)]),
               end = static_cast<std::size_t>(rows.begin[static_cast<std::size_t>(y) + 1]);
    if (begin == end) std::fill_n(sums, size_, 0.0F);
    for (auto k = begin; k < end; ++k) {
      const Taps::Tap& tap = rows.taps[k];
      const T* row = image + tap.source * size_;
      if constexpr (kIsNarrow<T>)
        accumulate(sums, widened<T>(row, wide_.data(), wide_.size()), tap.weight, k == begin);
      else
        accumulate(sums, row, tap.weight, k == begin);
    }
  }

 private:
  template <class Wide>
  void accumulate(float* sums, const Wide* row, float weight, bool first) const {
    const SampleRows<Wide>& loops = sample_rows<Wide>();
    (first ? loops.start : loops.add)(sums, row, weight, size_);
  }
  std::int64_t size_;
  std::vector<float> wide_;
};

template <class Out>
void store(Out* out, const float* row, std::int64_t n) {
  if constexpr (kIsNarrow<Out>)
    narrow_into(out, row, static_cast<std::size_t>(n));
  else
    std::copy_n(row, n, out);
}

template <class T, class Out>
void resample_as(const KernelCall& call, const Tensor& images, const Taps& rows,
                 const Taps& columns, const Tensor& results) {
  if (results.element_count() == 0) return;
  const std::int64_t channels = images.dim(3), in_row = images.dim(2) * channels,
                     out_row = columns.count() * channels, height = rows.count();
  const T* source = images.data<T>();
  Out* out = results.data<Out>();
  const double taps = static_cast<double>(rows.taps.size()) / static_cast<double>(height);
  const double cost = 0.2 * taps * static_cast<double>(in_row) +
                      static_cast<double>(columns.taps.size()) * static_cast<double>(channels);
  call.parallel_for(
      static_cast<std::size_t>(images.dim(0) * height), cost,
      [&](std::size_t begin, std::size_t end) {
        std::vector<float> sums(static_cast<std::size_t>(in_row)),
            row(std::is_same_v<Out, float> ? 0 : static_cast<std::size_t>(out_row));
        RowSum<T> row_sum(in_row);
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          row_sum.sum(sums.data(), source + i / height * images.dim(1) * in_row, rows, i % height);
          Out* to = out + i * out_row;
          if constexpr (std::is_same_v<Out, float>) {
            combine_columns(to, sums.data(), columns, channels);
          } else {
            combine_columns(row.data(), sums.data(), columns, channels);
            store(to, row.data(), out_row);
          }
        }
      });
}

}  // namespace

void resample(const KernelCall& call, const Tensor& images, const Taps& rows, const Taps& columns,
              const Tensor& results) {
  const auto run = [&]<class T, class Out>() {
    resample_as<T, Out>(call, images, rows, columns, results);
  };
  switch (results.dtype()) {
    case DType::f64:
      return run.operator()<float, double>();
    case DType::f16:
      return run.operator()<float, half>();
    case DType::bf16:
      return run.operator()<float, bfloat16>();
    default:
      visit_pixel(images.dtype(), [&]<class T>() { run.template operator()<T, float>(); });
  }
}

}  // namespace rill
