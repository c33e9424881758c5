#include "rill/ops/nn/depthwise/conv_depthwise.h"

#include "rill/ops/nn/depthwise/depthwise_narrow.h"

namespace rill {
namespace {

constexpr std::int64_t kWidenedBandRows = 16;    // of results whose images are widened together
constexpr std::int64_t kMaxDepthwiseParts = 16;  // of the sum that is a filter's gradient
constexpr std::int64_t kPartElements = 4 << 20;

// What convolves images [in, in, channels] to results [out, out, wide], channels last.
struct Depthwise {
  explicit Depthwise(const ConvProblem& p)
      : batch(p.batch),
        rows(p.dims[0]),
        columns(p.dims[1]),
        channels(p.in_channels),
        wide(p.out_channels),
        multiplier(channels == 0 ? 0 : wide / channels) {}

  std::int64_t image_row() const { return columns.in * channels; }
  std::int64_t wide_image_row() const { return columns.in * wide; }
  std::int64_t result_row() const { return columns.out * wide; }
  // Nanoseconds for a row of results, roughly.
  double row_cost() const {
    return 0.1 * static_cast<double>(std::min(rows.size, rows.in)) *
           static_cast<double>(std::min(columns.size, columns.in)) *
           static_cast<double>(result_row());
  }

  std::int64_t batch;
  WindowDim rows, columns;
  std::int64_t channels, wide, multiplier;
};

// The taps that meet result `o`, with where they are in an image and in the filter.
TapRun taps_of_result(const WindowDim& d, std::int64_t o, std::int64_t source_step,
                      std::int64_t filter_step) {
  const std::int64_t first = d.first_tap(o), count = d.end_tap(o) - first;
  if (count <= 0) return {};
  return {.count = count,
          .source = (d.start(o) + first * d.dilation) * source_step,
          .filter = first * filter_step,
          .source_step = count == 1 ? 0 : d.dilation * source_step,  // one tap may have any
          .filter_step = filter_step};
}

// The taps through which element `i` of an image reached results, with where those are.
TapRun taps_of_image(const WindowDim& d, std::int64_t i, std::int64_t source_step,
                     std::int64_t filter_step) {
  TapRun run{.source_step = 0, .filter_step = filter_step};
  std::int64_t first = 0, first_result = 0;
  for (std::int64_t t = 0; t < d.size; ++t) {
    const std::int64_t distance = i + d.before - t * d.dilation;
    if (distance < 0) break;
    if (distance % d.stride != 0 || distance / d.stride >= d.out) continue;
    if (run.count == 0) {
      first = t;
      first_result = distance / d.stride;
    } else if (run.count == 1) {
      run.filter_step = (t - first) * filter_step;
      run.source_step = (distance / d.stride - first_result) * source_step;
    }
    ++run.count;
  }
  run.source = first_result * source_step;
  run.filter = first * filter_step;
  return run;
}

// Some rows of an image as results have channels.
template <class T>
struct ImageRows {
  const T* data;
  std::int64_t first;  // the row at `data`
};

// Copies each of `count` elements `times` times.
template <class T>
void repeat_each(T* to, const T* from, std::int64_t count, std::int64_t times) {
  const auto copy = [&](auto fixed) {
    for (std::int64_t i = 0; i < count; ++i, to += fixed)
      for (std::int64_t m = 0; m < fixed; ++m) to[m] = from[i];
  };
  if (times == 2) return copy(std::integral_constant<std::int64_t, 2>());
  if (times == 4) return copy(std::integral_constant<std::int64_t, 4>());
  copy(times);
}

// The opposite: each of `count` elements is the sum of `times`.
template <class T>
void sum_each(T* to, const T* from, std::int64_t count, std::int64_t times) {
  for (std::int64_t i = 0; i < count; ++i, from += times) {
    to[i] = 0;
    for (std::int64_t m = 0; m < times; ++m) to[i] += from[m];
  }
}

// Calls body(image, first result row, end, rows that these read) for ranges of the result rows
// [begin, end) of all images. Where a channel has several results, rows are copied with each
// channel as often.
template <class T, class Body>
void for_bands(const Depthwise& d, const T* images, std::int64_t begin, std::int64_t end,
               Body body) {
  std::vector<T> copies;
  while (begin < end) {
    const std::int64_t n = begin / d.rows.out, first = begin % d.rows.out;
    const std::int64_t last = std::min({d.rows.out, first + end - begin, first + kWidenedBandRows});
    const T* image = images + n * d.rows.in * d.image_row();
    ImageRows<T> rows{image, 0};
    if (d.multiplier != 1) {
      const std::int64_t top = first * d.rows.stride - d.rows.before,
                         bottom = (last - 1) * d.rows.stride - d.rows.before + d.rows.reach();
      rows.first = std::clamp<std::int64_t>(top, 0, d.rows.in);
      const std::int64_t count = std::clamp(bottom, rows.first, d.rows.in) - rows.first;
      copies.resize(static_cast<std::size_t>(count * d.wide_image_row()));
      repeat_each(copies.data(), image + rows.first * d.image_row(), count * d.image_row(),
                  d.multiplier);
      rows.data = copies.data();
    }
    body(n, first, last, rows);
    begin += last - first;
  }
}

// Computes rows of which each element has its taps in `columns`.
template <class T>
class Gathering {
 public:
  Gathering(const Depthwise& d, std::span<const TapRun> columns, const T* filter)
      : columns_(columns),
        alike_(find_three_taps(columns)),
        narrow_(columns, filter, d.rows.size * d.columns.size, d.wide),
        filter_(filter),
        channels_(d.wide) {}

  void row(T* out, const T* source, const TapRun& rows) const {
    const auto plainly = [&](std::int64_t begin, std::int64_t end, const ThreeTaps& alike) {
      if (begin == end) return;
      const auto first = static_cast<std::size_t>(begin),
                 count = static_cast<std::size_t>(end - begin);
      depthwise_rows<T>().gather(out + begin * channels_, source, filter_, rows,
                                 columns_.subspan(first, count), alike, channels_);
    };
    if (narrow_.begin() == narrow_.end())
      return plainly(0, static_cast<std::int64_t>(columns_.size()), alike_);
    plainly(0, narrow_.begin(), {});
    narrow_.gather(out, source, rows, columns_);
    plainly(narrow_.end(), static_cast<std::int64_t>(columns_.size()), {});
  }

 private:
  const std::span<const TapRun> columns_;
  const ThreeTaps alike_;
  const NarrowFilter<T> narrow_;
  const T* const filter_;
  const std::int64_t channels_;
};

template <class Body>
void parallel_rows(const KernelCall& call, std::int64_t count, double cost, Body body) {
  call.parallel_for(static_cast<std::size_t>(count), cost, [&](std::size_t begin, std::size_t end) {
    body(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
}

// The results that meet tap `t` of a row.
struct ResultRange {
  std::int64_t first, end;
};
ResultRange results_at_tap(const WindowDim& columns, std::int64_t t) {
  const std::int64_t shift = t * columns.dilation - columns.before;
  return {shift >= 0 ? 0 : (-shift - 1) / columns.stride + 1,
          shift >= columns.in
              ? 0
              : std::min(columns.out, (columns.in - 1 - shift) / columns.stride + 1)};
}

// Adds what one row of results says about the filter.
template <class T>
class FilterSums {
 public:
  FilterSums(const Depthwise& d, std::int64_t o, const ImageRows<T>& source, const T* gradient,
             T* sums)
      : d_(d),
        rows_(taps_of_result(d.rows, o, d.wide_image_row(), d.columns.size * d.wide)),
        x_(source.data + rows_.source - source.first * d.wide_image_row()),
        gradient_(gradient),
        sums_(sums + rows_.filter) {}

  // Sums of a tap have the order of the results, whether or not taps are added to together.
  void add() const {
    ResultRange shared{d_.columns.out, d_.columns.out};
    if (d_.columns.size == ThreeTaps::kTaps && d_.columns.dilation == 1)
      shared = {results_at_tap(d_.columns, 0).first, results_at_tap(d_.columns, 2).end};
    const bool together = shared.first < shared.end;
    add_apart(0, together ? shared.first : d_.columns.out);
    if (!together) return;
    const std::int64_t count = shared.end - shared.first;
    const std::int64_t step = count == 1 ? 0 : d_.columns.stride * d_.wide;  // one may have any
    depthwise_rows<T>().correlate_three({sums_, rows_.filter_step, at(0, shared.first), step,
                                         rows_.source_step, rows_.count,
                                         gradient_ + shared.first * d_.wide, count, d_.wide});
    add_apart(shared.end, d_.columns.out);
  }

 private:
  // What result `i` meets at tap `t` of the first row.
  const T* at(std::int64_t t, std::int64_t i) const {
    const WindowDim& columns = d_.columns;
    return x_ + (i * columns.stride + t * columns.dilation - columns.before) * d_.wide;
  }

  // The results [begin, stop), tap by tap.
  void add_apart(std::int64_t begin, std::int64_t stop) const {
    for (std::int64_t r = 0; r < rows_.count; ++r)
      for (std::int64_t t = 0; t < d_.columns.size; ++t) {
        const ResultRange met = results_at_tap(d_.columns, t);
        const std::int64_t first = std::max(begin, met.first), end = std::min(stop, met.end);
        if (first >= end) continue;
        depthwise_rows<T>().correlate(sums_ + r * rows_.filter_step + t * d_.wide,
                                      at(t, first) + r * rows_.source_step,
                                      end - first == 1 ? 0 : d_.columns.stride * d_.wide,
                                      gradient_ + first * d_.wide, d_.wide, end - first, d_.wide);
      }
  }

  const Depthwise& d_;
  const TapRun rows_;
  const T *x_, *gradient_;
  T* sums_;
};

}  // namespace

template <class T>
void conv_depthwise(const KernelCall& call, const ConvProblem& problem, const T* images,
                    const T* filter, T* results, const RangeDone& done) {
  const Depthwise d(problem);
  std::vector<TapRun> columns;
  for (std::int64_t o = 0; o < d.columns.out; ++o)
    columns.push_back(taps_of_result(d.columns, o, d.wide, d.wide));
  const Gathering<T> gathering(d, columns, filter);
  parallel_rows(
      call, d.batch * d.rows.out, d.row_cost(), [&](std::int64_t begin, std::int64_t end) {
        for_bands(
            d, images, begin, end,
            [&](std::int64_t n, std::int64_t first, std::int64_t last, const ImageRows<T>& source) {
              T* out = results + (n * d.rows.out + first) * d.result_row();
              for (std::int64_t o = first; o < last; ++o) {
                TapRun rows =
                    taps_of_result(d.rows, o, d.wide_image_row(), d.columns.size * d.wide);
                rows.source -= source.first * d.wide_image_row();
                gathering.row(out, source.data, rows);
                if (done) done(out - results, out - results + d.result_row());
                out += d.result_row();
              }
            });
      });
}

template <class T>
void conv_depthwise_backprop_input(const KernelCall& call, const ConvProblem& problem,
                                   const T* filter, const T* gradient, T* images) {
  const Depthwise d(problem);
  std::vector<TapRun> columns;
  for (std::int64_t i = 0; i < d.columns.in; ++i)
    columns.push_back(taps_of_image(d.columns, i, d.wide, d.wide));
  const Gathering<T> gathering(d, columns, filter);
  parallel_rows(call, d.batch * d.rows.in, d.row_cost(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> wide(d.multiplier == 1 ? 0 : static_cast<std::size_t>(d.wide_image_row()));
    for (std::int64_t at = begin; at < end; ++at) {
      const TapRun rows =
          taps_of_image(d.rows, at % d.rows.in, d.result_row(), d.columns.size * d.wide);
      const T* results = gradient + at / d.rows.in * d.rows.out * d.result_row();
      T* out = images + at * d.image_row();
      T* to = d.multiplier == 1 ? out : wide.data();
      gathering.row(to, results, rows);
      if (d.multiplier != 1) sum_each(out, to, d.image_row(), d.multiplier);
    }
  });
}

// Threads add up parts of the sum, as many as the shapes say; the parts are added in their order.
template <class T>
void conv_depthwise_backprop_filter(const KernelCall& call, const ConvProblem& problem,
                                    const T* images, const T* gradient, T* filter) {
  const Depthwise d(problem);
  const std::int64_t size = d.rows.size * d.columns.size * d.wide, total = d.batch * d.rows.out;
  const std::int64_t parts =
      std::clamp<std::int64_t>(kPartElements / size, 1, std::min(kMaxDepthwiseParts, total));
  std::vector<T> sums(static_cast<std::size_t>(parts * size));
  const double cost = d.row_cost() * static_cast<double>(total) / static_cast<double>(parts);
  parallel_rows(call, parts, cost, [&](std::int64_t first_part, std::int64_t end_part) {
    for (std::int64_t part = first_part; part < end_part; ++part)
      for_bands(
          d, images, total * part / parts, total * (part + 1) / parts,
          [&](std::int64_t n, std::int64_t first, std::int64_t last, const ImageRows<T>& source) {
            for (std::int64_t o = first; o < last; ++o)
              FilterSums<T>(d, o, source, gradient + (n * d.rows.out + o) * d.result_row(),
                            sums.data() + part * size)
                  .add();
          });
  });
  std::fill_n(filter, size, T{0});
  for (std::int64_t part = 0; part < parts; ++part)
    for (std::int64_t i = 0; i < size; ++i)
      filter[i] += sums[static_cast<std::size_t>(part * size + i)];
}

template void conv_depthwise(const KernelCall&, const ConvProblem&, const float*, const float*,
                             float*, const RangeDone&);
template void conv_depthwise_backprop_input(const KernelCall&, const ConvProblem&, const float*,
                                            const float*, float*);
template void conv_depthwise_backprop_filter(const KernelCall&, const ConvProblem&, const float*,
                                             const float*, float*);
template void conv_depthwise(const KernelCall&, const ConvProblem&, const double*, const double*,
                             double*, const RangeDone&);
template void conv_depthwise_backprop_input(const KernelCall&, const ConvProblem&, const double*,
                                            const double*, double*);
template void conv_depthwise_backprop_filter(const KernelCall&, const ConvProblem&, const double*,
                                             const double*, double*);

}  // namespace rill
