#include <algorithm>
#include <atomic>
#include <bit>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kBincount, kBucketize, kHistogramFixedWidth, kLowerBound, kUpperBound,
    kUnravelIndex;

namespace {

// Counts in parts, each with bins of its own, which are added up in the end. How many parts there
// are depends on sizes alone, and is even so that threads come out equal.
template <class T, class Count>
void count_in_parts(const KernelCall& call, std::size_t total, double nanos, std::span<T> bins,
                    Count count) {
  constexpr std::size_t kSmallest = 1 << 14, kMaxParts = 16;
  const std::size_t pairs = total / std::max(kSmallest, 4 * bins.size()) / 2;
  const std::size_t part_count = std::clamp<std::size_t>(2 * pairs, 1, kMaxParts);
  const std::size_t part_size = std::max<std::size_t>(1, (total + part_count - 1) / part_count);
  std::vector<T> others((part_count - 1) * bins.size(), T{0});
  std::ranges::fill(bins, T{0});
  call.parallel_for(part_count, nanos * static_cast<double>(part_size),
                    [&](std::size_t first, std::size_t last) {
                      for (std::size_t p = first; p < last; ++p)
                        count(std::min(total, p * part_size), std::min(total, (p + 1) * part_size),
                              p == 0 ? bins.data() : others.data() + (p - 1) * bins.size());
                    });
  for (std::size_t p = 1; p < part_count; ++p)
    for (std::size_t k = 0; k < bins.size(); ++k)
      bins[k] = wrapping_add(bins[k], others[(p - 1) * bins.size() + k]);
}

template <class T>
void bincount(KernelCall& call) {
  const auto numbers = call.input<std::int32_t>(0);
  const Tensor& weights = call.input_tensor(2);
  require(weights.element_count() == 0 || weights.shape() == call.input_tensor(0).shape(),
          "weights must have the same shape as arr or be empty, not ", weights.shape());
  const auto bins = call.output<T>(0);
  const T* weight = weights.element_count() == 0 ? nullptr : weights.data<T>();
  std::atomic<bool> negative = false;
  count_in_parts(
      call, numbers.size(), 1.5, bins, [&](std::size_t begin, std::size_t end, T* counts) {
        std::int32_t signs = 0;
        for (std::size_t i = begin; i < end; ++i) signs |= numbers[i];
        if (signs < 0) return void(negative = true);
        for (std::size_t i = begin; i < end; ++i)
          if (const auto bin = static_cast<std::size_t>(numbers[i]); bin < bins.size())
            counts[bin] = wrapping_add(counts[bin], weight == nullptr ? T{1} : weight[i]);
      });
  require(!negative, "Input arr must be non-negative!");
}

struct Boundaries final : KernelState {
  std::vector<float> values;
};

std::unique_ptr<KernelState> make_boundaries(const KernelNode& node) {
  auto state = std::make_unique<Boundaries>();
  state->values = node.attr<std::vector<float>>("boundaries");
  require(std::ranges::is_sorted(state->values), "Expected sorted boundaries");
  return state;
}

template <class T>
void bucketize(KernelCall& call) {
  const auto& boundaries = call.state<Boundaries>().values;
  const auto from = call.input<T>(0);
  const auto to = call.output<std::int32_t>(0);
  call.parallel_for(from.size(), 5, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      to[i] = static_cast<std::int32_t>(std::ranges::upper_bound(boundaries, from[i]) -
                                        boundaries.begin());
  });
}

template <class T>
void histogram(KernelCall& call) {
  const auto values = call.input<T>(0), range = call.input<T>(1);
  const Tensor& out = call.output_tensor(0);
  require(range[0] < range[1],
          "value_range should satisfy value_range[0] < value_range[1], but got '[",
          std::to_string(range[0]), ", ", std::to_string(range[1]), "]'");
  const std::int64_t bins = out.dim(0);
  const double step =
      (static_cast<double>(range[1]) - static_cast<double>(range[0])) / static_cast<double>(bins);
  const double low = static_cast<double>(range[0]), last = static_cast<double>(bins - 1);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
  count_in_parts(call, values.size(), 2, std::span(counts),
                 [&](std::size_t begin, std::size_t end, std::int64_t* count) {
                   constexpr std::size_t kPiece = 512;
                   std::int32_t bin[kPiece];
                   for (; begin < end; begin += kPiece) {
                     const std::size_t piece = std::min(kPiece, end - begin);
                     for (std::size_t i = 0; i < piece; ++i) {
                       double place = (static_cast<double>(values[begin + i]) - low) / step;
                       // Written so that what is no number counts at the lower end.
                       place = place > 0 ? place : 0;
                       bin[i] = static_cast<std::int32_t>(place < last ? place : last);
                     }
                     for (std::size_t i = 0; i < piece; ++i) ++count[bin[i]];
                   }
                 });
  for (std::size_t i = 0; i < counts.size(); ++i)
    set_int_at(out, static_cast<std::int64_t>(i), counts[i]);
}

// Where up to kLanes values belong among `count` sorted ones. All are searched for at once, without
// branches, because each alone would wait for the memory at every step.
constexpr std::size_t kLanes = 8;

template <class T, bool upper>
void find_bounds(const T* sorted, std::size_t count, const T* values, std::size_t (&at)[kLanes]) {
  Widened<T> value[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) {
    value[k] = widened(values[k]);
    at[k] = 0;
  }
  const auto lies_before = [&](std::size_t place, std::size_t k) -> std::size_t {
    return upper ? !(value[k] < widened(sorted[place])) : widened(sorted[place]) < value[k];
  };
  for (; count > 1; count -= count / 2)
    for (std::size_t k = 0; k < kLanes; ++k)
      at[k] += count / 2 * lies_before(at[k] + count / 2 - 1, k);
  if (count == 1)
    for (std::size_t k = 0; k < kLanes; ++k) at[k] += lies_before(at[k], k);
}

template <class T, bool upper>
void bound(KernelCall& call) {
  const Tensor &sorted = call.input_tensor(0), &values = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  require(sorted.dim(1) <= INT32_MAX || out.dtype() == DType::i64, "a row of ", sorted.dim(1),
          " elements needs out_type int64");
  const auto count = static_cast<std::size_t>(sorted.dim(1));
  const auto width = static_cast<std::size_t>(values.dim(1));
  const T *rows = sorted.data<T>(), *wanted = values.data<T>();
  const double steps = static_cast<double>(std::bit_width(count));
  call.parallel_for(values.flat<T>().size(), 1 + steps, [&](std::size_t begin, std::size_t end) {
    while (begin < end) {
      const std::size_t row = begin / width,
                        now = std::min({kLanes, (row + 1) * width - begin, end - begin});
      T some[kLanes];
      for (std::size_t k = 0; k < kLanes; ++k) some[k] = wanted[begin + std::min(k, now - 1)];
      std::size_t places[kLanes];
      find_bounds<T, upper>(rows + row * count, count, some, places);
      for (std::size_t k = 0; k < now; ++k)
        set_int_at(out, static_cast<std::int64_t>(begin + k), static_cast<std::int64_t>(places[k]));
      begin += now;
    }
  });
}

template <class T>
void unravel_index(KernelCall& call) {
  const auto indices = call.input<T>(0), dims = call.input<T>(1);
  const auto out = call.output<T>(0);
  T total = 1;
  for (const T dim : dims) {
    require(dim >= 0, "dims must be non-negative, but one is ", dim);
    require(dim != 0, "Input dims cannot contain a dim of zero");
    require(!__builtin_mul_overflow(total, dim, &total), "dims are too large");
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    T rest = indices[i];
    require(rest >= 0 && rest < total, "index is out of bound as with dims");
    for (std::size_t d = dims.size(); d-- > 0; rest /= dims[d])
      out[d * indices.size() + i] = rest % dims[d];
  }
}

template <class T>
constexpr KernelEntry bins_entry(const OpDecl* op, KernelFn run, MakeState state = nullptr) {
  return {.op = op, .types = dtype_of<T>, .run = run, .make_state = state};
}

template <class... T>
struct NumberEntries {
  KernelEntry all[3 * sizeof...(T)] = {bins_entry<T>(&kBincount, bincount<T>)...,
                                       bins_entry<T>(&kBucketize, bucketize<T>, make_boundaries)...,
                                       bins_entry<T>(&kHistogramFixedWidth, histogram<T>)...};
};
template <class... T>
struct BoundEntries {
  KernelEntry all[2 * sizeof...(T)] = {bins_entry<T>(&kLowerBound, bound<T, false>)...,
                                       bins_entry<T>(&kUpperBound, bound<T, true>)...};
};
constexpr NumberEntries<std::int32_t, std::int64_t, float, double> kNumbers;
constexpr BoundEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                       std::int64_t, std::uint8_t, std::uint16_t>
    kBounds;
constexpr KernelEntry kUnravel[] = {
    bins_entry<std::int32_t>(&kUnravelIndex, unravel_index<std::int32_t>),
    bins_entry<std::int64_t>(&kUnravelIndex, unravel_index<std::int64_t>)};

}  // namespace

extern const KernelTable kBinsCpu{kNumbers.all};
extern const KernelTable kBoundsCpu{kBounds.all};
extern const KernelTable kUnravelIndexCpu{kUnravel};

}  // namespace rill
