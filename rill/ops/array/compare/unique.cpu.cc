#include <functional>
#include <string>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/compare/distinct.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kUnique, kUniqueV2, kUniqueWithCounts, kUniqueWithCountsV2;

namespace {

// x seen as [outer, length, inner]; slice i is everything at position i of the middle dimension.
template <class T>
struct Slices {
  static constexpr bool kHashTellsAll = false;
  const T* data;
  std::int64_t outer, length, inner;

  template <class Visit>
  bool all_of(std::int64_t i, Visit visit) const {
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t k = 0; k < inner; ++k)
        if (!visit((o * length + i) * inner + k)) return false;
    return true;
  }
  std::size_t hash(std::int64_t i) const {
    std::size_t h = 0;
    all_of(i, [&](std::int64_t at) {
      h = h * 1099511628211u ^ std::hash<Widened<T>>()(widened(data[at]));
      return true;
    });
    return h;
  }
  bool equal(std::int64_t a, std::int64_t b) const {
    const std::int64_t step = (b - a) * inner;
    return all_of(a,
                  [&](std::int64_t at) { return widened(data[at]) == widened(data[at + step]); });
  }
};

struct Found {
  std::vector<std::int64_t> first;  // where each distinct slice comes first
  std::vector<std::int64_t> which, counts;
};

template <class Source>
Found find_distinct(const Source& source) {
  Found found;
  Distinct<Source> distinct(source);
  found.which.resize(static_cast<std::size_t>(source.length));
  for (std::int64_t i = 0; i < source.length; ++i)
    found.which[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(distinct.number(i));
  found.first = std::move(distinct.first);
  return found;
}

void count_slices(Found& found) {
  found.counts.resize(found.first.size());
  for (const std::int64_t which : found.which) ++found.counts[static_cast<std::size_t>(which)];
}

void write_numbers(const Tensor& tensor, const std::vector<std::int64_t>& numbers) {
  if (tensor.dtype() == DType::i64) {
    std::ranges::copy(numbers, tensor.data<std::int64_t>());
  } else {
    std::ranges::transform(numbers, tensor.data<std::int32_t>(),
                           [](std::int64_t number) { return static_cast<std::int32_t>(number); });
  }
}

int axis_of(const KernelCall& call, const Tensor& x) {
  if (call.input_count() == 1 || call.input_tensor(1).element_count() == 0) {
    require(x.rank() == 1, "unique expects a 1D vector.");
    return 0;
  }
  const Tensor& axis = call.input_tensor(1);
  require(axis.rank() == 1, "axis expects a 1D vector.");
  require(axis.element_count() <= 1, "axis does not support input tensors larger than 1 elements");
  return canonical_axis(int_at(axis, 0), x.rank());
}

template <class T>
void unique(KernelCall& call) {
  const Tensor& x = call.input_tensor(0);
  const int axis = axis_of(call, x);
  Slices<T> slices{x.data<T>(), 1, x.dim(axis), 1};
  for (int d = 0; d < x.rank(); ++d)
    if (d != axis) (d < axis ? slices.outer : slices.inner) *= x.dim(d);
  const bool is_vector = slices.outer * slices.inner == 1;
  Found found =
      is_vector ? find_distinct(Elements<T>{slices.data, slices.length}) : find_distinct(slices);
  const auto count = static_cast<std::int64_t>(found.first.size());
  const Tensor& y = call.allocate_output(0, x.shape().with_dim(axis, count));
  T* out = y.data<T>();
  if (is_vector) {
    for (const std::int64_t first : found.first) *out++ = slices.data[first];
  } else {
    for (std::int64_t o = 0; o < slices.outer; ++o)
      for (const std::int64_t first : found.first)
        out = std::copy_n(slices.data + (o * slices.length + first) * slices.inner, slices.inner,
                          out);
  }
  write_numbers(call.allocate_output(1, {slices.length}), found.which);
  if (call.output_count() < 3) return;
  count_slices(found);
  write_numbers(call.allocate_output(2, {count}), found.counts);
}

template <class... T>
struct UniqueEntries {
  template <class E>
  static constexpr KernelEntry entry(const OpDecl* op) {
    return {.op = op, .types = dtype_of<E>, .run = unique<E>, .allocates = true};
  }
  KernelEntry all[4 * sizeof...(T)] = {entry<T>(&kUnique)..., entry<T>(&kUniqueV2)...,
                                       entry<T>(&kUniqueWithCounts)...,
                                       entry<T>(&kUniqueWithCountsV2)...};
};
constexpr UniqueEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                        std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                        bool, std::string>
    kEntries;

}  // namespace

extern const KernelTable kUniqueCpu{kEntries.all};

}  // namespace rill
