#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/math/numeric.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kBincount, kBucketize, kHistogramFixedWidth, kLowerBound, kUpperBound,
    kUnravelIndex;

namespace {

template <class T>
void bincount(KernelCall& call) {
  const auto numbers = call.input<std::int32_t>(0);
  const Tensor& weights = call.input_tensor(2);
  require(weights.element_count() == 0 || weights.shape() == call.input_tensor(0).shape(),
          "weights must have the same shape as arr or be empty, not ", weights.shape());
  const auto bins = call.output<T>(0);
  std::ranges::fill(bins, T{0});
  for (const std::int32_t number : numbers) require(number >= 0, "Input arr must be non-negative!");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const auto bin = static_cast<std::size_t>(numbers[i]); bin < bins.size())
      bins[bin] =
          wrapping_add(bins[bin], weights.element_count() == 0 ? T{1} : weights.data<T>()[i]);
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
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins), 0);
  for (const T value : values) {
    const double place = (static_cast<double>(value) - static_cast<double>(range[0])) / step;
    // Written so that what is no number counts at the lower end.
    const double last = static_cast<double>(bins - 1);
    ++counts[place >= last ? counts.size() - 1 : place > 0 ? static_cast<std::size_t>(place) : 0];
  }
  for (std::size_t i = 0; i < counts.size(); ++i)
    set_int_at(out, static_cast<std::int64_t>(i), counts[i]);
}

template <class T, bool upper>
void bound(KernelCall& call) {
  const Tensor &sorted = call.input_tensor(0), &values = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  require(sorted.dim(1) <= INT32_MAX || out.dtype() == DType::i64, "a row of ", sorted.dim(1),
          " elements needs out_type int64");
  const auto less = [](T a, T b) { return widened(a) < widened(b); };
  for (std::int64_t i = 0; i < values.element_count(); ++i) {
    const std::int64_t row = i / values.dim(1);
    const T* begin = sorted.data<T>() + row * sorted.dim(1);
    const T* end = begin + sorted.dim(1);
    const T value = values.data<T>()[i];
    const std::int64_t place = (upper ? std::upper_bound(begin, end, value, less)
                                      : std::lower_bound(begin, end, value, less)) -
                               begin;
    set_int_at(out, i, place);
  }
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
constexpr KernelEntry entry(const OpDecl* op, KernelFn run, MakeState state = nullptr) {
  return {.op = op, .types = dtype_of<T>, .run = run, .make_state = state};
}

template <class... T>
struct NumberEntries {
  KernelEntry all[3 * sizeof...(T)] = {entry<T>(&kBincount, bincount<T>)...,
                                       entry<T>(&kBucketize, bucketize<T>, make_boundaries)...,
                                       entry<T>(&kHistogramFixedWidth, histogram<T>)...};
};
template <class... T>
struct BoundEntries {
  KernelEntry all[2 * sizeof...(T)] = {entry<T>(&kLowerBound, bound<T, false>)...,
                                       entry<T>(&kUpperBound, bound<T, true>)...};
};
constexpr NumberEntries<std::int32_t, std::int64_t, float, double> kNumbers;
constexpr BoundEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                       std::int64_t, std::uint8_t, std::uint16_t>
    kBounds;
constexpr KernelEntry kUnravel[] = {
    entry<std::int32_t>(&kUnravelIndex, unravel_index<std::int32_t>),
    entry<std::int64_t>(&kUnravelIndex, unravel_index<std::int64_t>)};

}  // namespace

extern const KernelTable kBinsCpu{kNumbers.all};
extern const KernelTable kBoundsCpu{kBounds.all};
extern const KernelTable kUnravelIndexCpu{kUnravel};

}  // namespace rill
