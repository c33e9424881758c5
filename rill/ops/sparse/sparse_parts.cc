#include "rill/ops/sparse/sparse_parts.h"

#include <algorithm>
#include <numeric>

#include "rill/ops/array/values/element_types.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

Shape SparseInput::dense_shape() const {
  for (const std::int64_t dim : shape.span())
    require(dim >= 0, "Expected shape dimensions to be non-negative, got ", dim);
  return Shape(shape.span());
}

SparseInput sparse_input(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  require(indices.rank() == 2, "Sparse indices must be rank 2 but is rank ", indices.rank());
  require(values.rank() == 1, "Sparse values must be rank 1 but is rank ", values.rank());
  require(shape.rank() == 1, "Sparse shape must be rank 1 but is rank ", shape.rank());
  require(indices.dim(0) == values.dim(0), "Number of elements in indices (", indices.dim(0),
          ") and values (", values.dim(0), ") do not match");
  require(indices.dim(1) == shape.dim(0), "Index rank (", indices.dim(1), ") and shape rank (",
          shape.dim(0), ") do not match");
  return {indices, values, read_dims(shape)};
}

SparseInput sparse_input(const KernelCall& call, int first) {
  return sparse_input(call.input_tensor(first), call.input_tensor(first + 1),
                      call.input_tensor(first + 2));
}

std::string index_text(const Index* index, int rank) {
  std::vector<std::string> entries;
  for (int d = 0; d < rank; ++d) entries.push_back(std::to_string(index[d]));
  return str_cat("[", join(entries, ","), "]");
}

namespace {

bool inside(const Index* index, const Dims& shape) {
  for (int d = 0; d < shape.size(); ++d)
    if (index[d] < 0 || index[d] >= shape[d]) return false;
  return true;
}

[[noreturn]] void refuse(const SparseInput& sparse, std::int64_t i, const std::string& why) {
  raise(Code::kInvalidArgument, "indices[", i, "] = ", index_text(sparse.index(i), sparse.rank()),
        why);
}

void check_inside(const SparseInput& sparse, std::int64_t i) {
  if (inside(sparse.index(i), sparse.shape)) [[likely]]
    return;
  refuse(sparse, i,
         str_cat(" is out of bounds: need 0 <= index < ",
                 index_text(sparse.shape.data(), sparse.rank())));
}

// Whether every index is inside and, where that is asked for, behind the one before it; without a
// branch for each. kRank is the rank, or 0 where it is known only here.
template <int kRank, bool kOrdered>
bool all_fit(const SparseInput& sparse) {
  const int rank = kRank == 0 ? sparse.rank() : kRank;
  const Index* const shape = sparse.shape.data();
  const Index *at = sparse.indices.data<Index>(), *before = at;
  int bad = 0;
  for (std::int64_t i = 0; i < sparse.count(); ++i, before = at, at += rank) {
    int behind = i == 0;
    for (int d = rank - 1; d >= 0; --d) {
      bad |= static_cast<std::uint64_t>(at[d]) >= static_cast<std::uint64_t>(shape[d]);
      if (kOrdered) behind = (before[d] < at[d]) | ((before[d] == at[d]) & behind);
    }
    if (kOrdered) bad |= behind ^ 1;
  }
  return bad == 0;
}

template <bool kOrdered>
bool all_fit(const SparseInput& sparse) {
  for (const std::int64_t dim : sparse.shape.span())
    if (dim < 0) return false;
  switch (sparse.rank()) {
    case 1:
      return all_fit<1, kOrdered>(sparse);
    case 2:
      return all_fit<2, kOrdered>(sparse);
    default:
      return all_fit<0, kOrdered>(sparse);
  }
}

}  // namespace

void check_bounds(const SparseInput& sparse) {
  if (all_fit<false>(sparse)) return;
  for (std::int64_t i = 0; i < sparse.count(); ++i) check_inside(sparse, i);
}

void check_ordered(const SparseInput& sparse) {
  if (all_fit<true>(sparse)) return;
  for (std::int64_t i = 0; i < sparse.count(); ++i) {
    check_inside(sparse, i);
    if (i == 0) continue;
    const int order = compare_indices(sparse.index(i - 1), sparse.index(i), sparse.rank());
    if (order > 0) refuse(sparse, i, " is out of order. Many sparse ops require sorted indices.");
    if (order == 0) refuse(sparse, i, " is repeated");
  }
}

namespace {

// An index as a single number, and the position of the element it came from.
using Numbered = std::pair<std::uint64_t, std::int64_t>;

// Indices as numbers in the same order: their places in the smallest box that holds them all, which
// has `places` of them. Empty when those are too many.
std::vector<Numbered> numbered(const Index* indices, std::int64_t count, int rank,
                               std::uint64_t& places) {
  std::vector<Index> low(indices, indices + rank), high = low;
  for (std::int64_t i = 1; i < count; ++i)
    for (std::size_t d = 0; d < low.size(); ++d) {
      const Index at = indices[i * rank + static_cast<std::int64_t>(d)];
      low[d] = std::min(low[d], at);
      high[d] = std::max(high[d], at);
    }
  const auto distance = [](Index from, Index to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  };
  places = 1;
  for (std::size_t d = 0; d < low.size(); ++d) {
    const std::uint64_t size = distance(low[d], high[d]) + 1;
    if (size == 0 || __builtin_mul_overflow(places, size, &places)) return {};
  }
  std::vector<Numbered> numbers(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i, indices += rank) {
    std::uint64_t place = 0;
    for (std::size_t d = 0; d < low.size(); ++d)
      place = place * (distance(low[d], high[d]) + 1) + distance(low[d], indices[d]);
    numbers[static_cast<std::size_t>(i)] = {place, i};
  }
  return numbers;
}

// Sorts by digits, the lowest first: equal numbers keep their order.
void sort_by_digits(std::vector<Numbered>& numbers, std::uint64_t largest) {
  constexpr int kBits = 11;
  constexpr std::uint64_t kMask = (1 << kBits) - 1;
  std::vector<Numbered> sorted(numbers.size());
  for (int shift = 0; shift < 64 && largest >> shift != 0; shift += kBits) {
    std::vector<std::size_t> next(kMask + 2);
    for (const Numbered& n : numbers) ++next[(n.first >> shift & kMask) + 1];
    for (std::size_t digit = 1; digit < next.size(); ++digit) next[digit] += next[digit - 1];
    for (const Numbered& n : numbers) sorted[next[n.first >> shift & kMask]++] = n;
    numbers.swap(sorted);
  }
}

}  // namespace

std::vector<std::int64_t> sorted_order(const Index* indices, std::int64_t count, int rank) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [=](std::int64_t a, std::int64_t b) {
    return compare_indices(indices + a * rank, indices + b * rank, rank) < 0;
  };
  if (std::is_sorted(order.begin(), order.end(), before)) return order;
  std::uint64_t places = 0;
  std::vector<Numbered> numbers;
  if (count > 256) numbers = numbered(indices, count, rank, places);  // fewer compare faster
  if (numbers.empty()) {
    std::stable_sort(order.begin(), order.end(), before);
    return order;
  }
  sort_by_digits(numbers, places - 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) order[i] = numbers[i].second;
  return order;
}

void take_elements(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst) {
  with_element_type(src.dtype(), [&]<class T>(T*) {
    const auto* from = static_cast<const T*>(src.raw_data());
    auto* to = static_cast<T*>(dst.raw_data());
    for (const std::int64_t i : order) *to++ = from[i];
  });
}

void take_indices(const Tensor& src, std::span<const std::int64_t> order, const Tensor& dst) {
  const std::int64_t rank = src.dim(1);
  Index* to = dst.data<Index>();
  for (const std::int64_t i : order) to = std::copy_n(src.data<Index>() + i * rank, rank, to);
}

void output_elements(const KernelCall& call, int first, const SparseInput& sparse,
                     std::span<const std::int64_t> order) {
  const auto count = static_cast<std::int64_t>(order.size());
  take_indices(sparse.indices, order, call.allocate_output(first, {count, sparse.rank()}));
  take_elements(sparse.values, order, call.allocate_output(first + 1, {count}));
}

Tensor shape_tensor(std::span<const std::int64_t> dims) {
  return Tensor::of<Index>({static_cast<std::int64_t>(dims.size())}, dims);
}

}  // namespace rill
