#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/nn/window/dilation_shape.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kDilation2D, kDilation2DBackpropInput, kDilation2DBackpropFilter;

namespace {

constexpr std::int64_t kMaxDilationParts = 16;  // of the sum that is a filter's gradient

// A sum of half types is rounded before it is compared.
template <class T>
Widened<T> rounded_sum(T a, T b) {
  return widened(static_cast<T>(wrapping_add<Widened<T>>(widened(a), widened(b))));
}

DilationWindows windows_of(const KernelCall& call) {
  return {*call.node().op, call.node().attrs, call.input_tensor(0).shape(),
          call.input_tensor(1).shape()};
}

// Calls visit(pixel of the image, tap) for what lies inside of the window at (row, column).
template <class Visit>
void for_taps(const DilationWindows& w, std::int64_t row, std::int64_t column, Visit visit) {
  for (std::int64_t r = w.rows.first_tap(row); r < w.rows.end_tap(row); ++r) {
    const std::int64_t line = (w.rows.start(row) + r * w.rows.dilation) * w.columns.in;
    for (std::int64_t c = w.columns.first_tap(column); c < w.columns.end_tap(column); ++c)
      visit(line + w.columns.start(column) + c * w.columns.dilation, r * w.columns.size + c);
  }
}

double taps(const DilationWindows& w) {
  return static_cast<double>(std::min(w.rows.size, w.rows.in)) *
         static_cast<double>(std::min(w.columns.size, w.columns.in));
}

template <class T>
void dilation(KernelCall& call) {
  const DilationWindows w = windows_of(call);
  const T *images = call.input_tensor(0).data<T>(), *filter = call.input_tensor(1).data<T>();
  T* out = call.output_tensor(0).data<T>();
  const std::int64_t channels = w.channels, pixels = w.rows.in * w.columns.in;
  if (call.output_tensor(0).element_count() == 0) return;
  const double cost = 0.5 * (taps(w) + 1) * static_cast<double>(w.columns.out * channels);
  call.parallel_for(
      static_cast<std::size_t>(w.batch * w.rows.out), cost,
      [&](std::size_t begin, std::size_t end) {
        std::vector<Widened<T>> most(static_cast<std::size_t>(channels));
        for (auto line = static_cast<std::int64_t>(begin); line < static_cast<std::int64_t>(end);
             ++line) {
          const T* image = images + line / w.rows.out * pixels * channels;
          for (std::int64_t column = 0; column < w.columns.out; ++column) {
            std::ranges::fill(most, kLowest<T>);
            Widened<T>* best = most.data();
            for_taps(w, line % w.rows.out, column, [&](std::int64_t pixel, std::int64_t tap) {
              const T *x = image + pixel * channels, *f = filter + tap * channels;
#pragma GCC ivdep
              for (std::int64_t c = 0; c < channels; ++c) {
                const Widened<T> sum = rounded_sum(x[c], f[c]);
                best[c] = sum > best[c] ? sum : best[c];
              }
            });
            T* to = out + (line * w.columns.out + column) * channels;
            for (std::int64_t c = 0; c < channels; ++c) to[c] = static_cast<T>(best[c]);
          }
        }
      });
}

// The taps that gave the first largest sums of a window, by channel; kNone where no sum is larger
// than the lowest number, as for NaN.
template <class T>
struct Largest {
  static constexpr std::int32_t kNone = -1;

  explicit Largest(std::int64_t channels)
      : sums(static_cast<std::size_t>(channels)), taps(sums.size()) {}

  void find(const DilationWindows& w, const T* image, const T* filter, std::int64_t row,
            std::int64_t column) {
    std::ranges::fill(sums, kLowest<T>);
    std::ranges::fill(taps, kNone);
    Widened<T>* sum = sums.data();
    std::int32_t* tap = taps.data();
    const std::int64_t channels = w.channels;
    for_taps(w, row, column, [&](std::int64_t pixel, std::int64_t t) {
      const T *x = image + pixel * channels, *f = filter + t * channels;
      const auto here = static_cast<std::int32_t>(t);
#pragma GCC ivdep
      for (std::int64_t c = 0; c < channels; ++c) {
        const Widened<T> value = rounded_sum(x[c], f[c]);
        const bool larger = value > sum[c];
        sum[c] = larger ? value : sum[c];
        tap[c] = larger ? here : tap[c];
      }
    });
  }

  std::vector<Widened<T>> sums;
  std::vector<std::int32_t> taps;
};

// Where the gradient of a window goes: by tap, `offsets` from the first on, or to `none`; negative:
// nowhere. Counted in groups of channels.
struct Target {
  std::int64_t first, none;
};

// Adds the gradients of all windows of images [begin, end) to `sums`; target(row, column) of a
// window tells where.
template <class T, class FindTarget>
void scatter(const KernelCall& call, const DilationWindows& w, std::int64_t begin, std::int64_t end,
             Widened<T>* sums, const std::vector<std::int64_t>& offsets, FindTarget target) {
  const T *images = call.input_tensor(0).data<T>(), *filter = call.input_tensor(1).data<T>(),
          *gradient = call.input_tensor(2).data<T>();
  const std::int64_t pixels = w.rows.in * w.columns.in, places = w.rows.out * w.columns.out;
  Largest<T> largest(w.channels);
  for (std::int64_t n = begin; n < end; ++n)
    for (std::int64_t i = 0; i < places; ++i) {
      const std::int64_t row = i / w.columns.out, column = i % w.columns.out;
      largest.find(w, images + n * pixels * w.channels, filter, row, column);
      const T* from = gradient + (n * places + i) * w.channels;
      const Target to = target(row, column);
      for (std::int64_t c = 0; c < w.channels; ++c) {
        const std::int32_t tap = largest.taps[static_cast<std::size_t>(c)];
        const std::int64_t at =
            tap < 0 ? to.none : wrapping_add(to.first, offsets[static_cast<std::size_t>(tap)]);
        if (at < 0) continue;
        Widened<T>& sum = sums[at * w.channels + c];
        sum = wrapping_add(sum, static_cast<Widened<T>>(from[c]));
      }
    }
}

// A place in an image or, where dilations are large, far outside of it: such numbers wrap around,
// and back again when their sum lies inside.
std::int64_t pixel(const DilationWindows& w, std::int64_t row, std::int64_t column) {
  return wrapping_add(wrapping_mul(row, w.columns.in), column);
}

// By tap: its number, or how far from the first one it meets images.
std::vector<std::int64_t> dilation_tap_offsets(const DilationWindows& w, bool in_images) {
  require(w.rows.size * w.columns.size <= INT32_MAX, "the filter is too large");
  std::vector<std::int64_t> offsets;
  for (std::int64_t r = 0; r < w.rows.size; ++r)
    for (std::int64_t c = 0; c < w.columns.size; ++c)
      offsets.push_back(in_images ? pixel(w, r * w.rows.dilation, c * w.columns.dilation)
                                  : r * w.columns.size + c);
  return offsets;
}

double image_cost(const DilationWindows& w) {
  return 2 * taps(w) * static_cast<double>(w.rows.out * w.columns.out * w.channels);
}

template <class T>
void dilation_to_images(KernelCall& call) {
  const DilationWindows w = windows_of(call);
  T* out = call.output_tensor(0).data<T>();
  const std::int64_t size = w.rows.in * w.columns.in * w.channels;
  if (call.output_tensor(0).element_count() == 0) return;
  const std::vector<std::int64_t> offsets = dilation_tap_offsets(w, true);
  call.parallel_for(
      static_cast<std::size_t>(w.batch), image_cost(w), [&](std::size_t begin, std::size_t end) {
        std::vector<Widened<T>> sums(static_cast<std::size_t>(size));
        for (auto n = static_cast<std::int64_t>(begin); n < static_cast<std::int64_t>(end); ++n) {
          std::ranges::fill(sums, Widened<T>{0});
          scatter<T>(call, w, n, n + 1, sums.data(), offsets,
                     [&](std::int64_t row, std::int64_t column) -> Target {
                       const std::int64_t y = w.rows.start(row), x = w.columns.start(column);
                       // Windows without taps may begin behind the image's end.
                       const bool inside = y < w.rows.in && x < w.columns.in;
                       return {pixel(w, y, x), inside ? pixel(w, std::max<std::int64_t>(0, y),
                                                              std::max<std::int64_t>(0, x))
                                                      : -1};
                     });
          for (std::int64_t i = 0; i < size; ++i)
            out[n * size + i] = static_cast<T>(sums[static_cast<std::size_t>(i)]);
        }
      });
}

// Threads add up parts of the sum; the parts are added in their order.
template <class T>
void dilation_to_filter(KernelCall& call) {
  const DilationWindows w = windows_of(call);
  const auto out = call.output<T>(0);
  const std::int64_t size = static_cast<std::int64_t>(out.size());
  if (size == 0) return;
  const std::vector<std::int64_t> offsets = dilation_tap_offsets(w, false);
  const std::int64_t parts = std::clamp<std::int64_t>(w.batch, 1, kMaxDilationParts);
  std::vector<Widened<T>> sums(static_cast<std::size_t>(parts * size));
  const double cost = image_cost(w) * static_cast<double>(w.batch) / static_cast<double>(parts);
  call.parallel_for(static_cast<std::size_t>(parts), cost, [&](std::size_t begin, std::size_t end) {
    for (auto part = static_cast<std::int64_t>(begin); part < static_cast<std::int64_t>(end);
         ++part)
      scatter<T>(call, w, w.batch * part / parts, w.batch * (part + 1) / parts,
                 sums.data() + part * size, offsets, [](std::int64_t, std::int64_t) {
                   return Target{0, 0};
                 });
  });
  for (std::size_t i = 0; i < out.size(); ++i) {
    Widened<T> total{0};
    for (std::size_t part = 0; part < static_cast<std::size_t>(parts); ++part)
      total = wrapping_add(total, sums[part * out.size() + i]);
    out[i] = static_cast<T>(total);
  }
}

template <class T>
constexpr KernelEntry dilation_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run};
}
template <class... T>
struct DilationEntries {
  KernelEntry all[3 * sizeof...(T)] = {
      dilation_entry<T>(&kDilation2D, dilation<T>)...,
      dilation_entry<T>(&kDilation2DBackpropInput, dilation_to_images<T>)...,
      dilation_entry<T>(&kDilation2DBackpropFilter, dilation_to_filter<T>)...};
};
constexpr DilationEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                          std::int64_t, std::uint8_t, std::uint16_t>
    kEntries;

}  // namespace

extern const KernelTable kDilationCpu{kEntries.all};

}  // namespace rill
