#include <algorithm>
#include <limits>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseFillEmptyRows, kSparseFillEmptyRowsGrad;

namespace {

SparseInput checked_input(const KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  const Tensor& fallback = call.input_tensor(3);
  require(fallback.rank() == 0, "default_value must be a scalar, saw: ", fallback.shape());
  require(sparse.rank() > 0, "Dense shape cannot be empty.");
  const std::int64_t rows = sparse.shape[0];
  require(rows >= 0, "Expected shape dimensions to be non-negative, got ", rows);
  require(rows > 0 || sparse.count() == 0,
          "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = ", sparse.count());
  return sparse;
}

// Marks the rows that have elements as not empty. Returns whether elements come row by row, as most
// do.
bool mark_rows(const SparseInput& sparse, std::span<bool> empty) {
  const auto rows = static_cast<std::uint64_t>(empty.size());
  const int rank = sparse.rank();
  const Index* at = sparse.indices.data<Index>();
  int bad = 0, disorder = 0;
  Index before = 0;
  for (std::int64_t i = 0; i < sparse.count(); ++i, at += rank) {
    bad |= static_cast<std::uint64_t>(*at) >= rows;
    disorder |= *at < before;
    before = *at;
  }
  for (std::int64_t i = 0; bad != 0 && i < sparse.count(); ++i) {
    const Index row = sparse.index(i)[0];
    require(row >= 0 && row < std::ssize(empty), "indices(", i, ", 0) is invalid: ", row,
            " >= ", empty.size());
  }
  at = sparse.indices.data<Index>();
  for (std::int64_t i = 0; i < sparse.count(); ++i, at += rank)
    empty[static_cast<std::size_t>(*at)] = false;
  return disorder == 0;
}

// Elements in the order of their rows, none of which is empty, are the result.
void keep_elements(const KernelCall& call, const SparseInput& sparse) {
  const auto map = call.allocate_output(3, {sparse.count()}).flat<Index>();
  std::iota(map.begin(), map.end(), Index{0});
  call.set_output(0, sparse.indices);
  call.set_output(1, sparse.values);
}

// Sets map[i] to where element i goes, `next` to where the next element of a row would go, which is
// where an empty row gets its own, and returns how many there are.
std::int64_t place_elements(const SparseInput& sparse, std::span<const bool> empty,
                            std::span<Index> next, std::span<Index> map) {
  const auto row_of = [&](std::size_t i) {
    return static_cast<std::size_t>(sparse.index(static_cast<std::int64_t>(i))[0]);
  };
  for (std::size_t i = 0; i < map.size(); ++i) ++next[row_of(i) + 1];
  for (std::size_t row = 0; row < empty.size(); ++row)
    next[row + 1] += next[row] + (empty[row] ? 1 : 0);
  const std::int64_t total = next.back();
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = next[row_of(i)]++;
  return total;
}

// The same where elements come row by row: each is moved by the empty rows before its own.
std::int64_t place_ordered(const SparseInput& sparse, std::span<const bool> empty,
                           std::span<Index> next, std::span<Index> map) {
  const Index* at = sparse.indices.data<Index>();
  const std::int64_t count = sparse.count(), rank = sparse.rank();
  std::int64_t i = 0, added = 0;
  for (std::size_t row = 0; row < empty.size(); ++row) {
    next[row] = i + added;
    for (; i < count && *at == static_cast<Index>(row); ++i, at += rank)
      map[static_cast<std::size_t>(i)] = i + added;
    added += empty[row] ? 1 : 0;
  }
  return i + added;
}

void fill_empty_rows(KernelCall& call) {
  const SparseInput sparse = checked_input(call);
  const std::int64_t rows = sparse.shape[0], count = sparse.count(), rank = sparse.rank();
  const auto empty = call.allocate_output(2, {rows}).flat<bool>();
  std::ranges::fill(empty, true);
  const bool ordered = mark_rows(sparse, empty);
  if (ordered && std::ranges::find(empty, true) == empty.end()) return keep_elements(call, sparse);
  // Rows may be many more than elements: the allocator checks for memory.
  const Tensor next_tensor = Tensor::zeros(DType::i64, {rows + 1});
  const auto next = next_tensor.flat<Index>();
  const auto map = call.allocate_output(3, {count}).flat<Index>();
  const std::int64_t total =
      ordered ? place_ordered(sparse, empty, next, map) : place_elements(sparse, empty, next, map);
  Index* indices = call.allocate_output(0, {total, rank}).data<Index>();
  const Tensor& values = call.allocate_output(1, {total});
  for (std::size_t row = 0; row < empty.size(); ++row)
    if (empty[row]) {
      std::fill_n(indices + next[row] * rank, rank, Index{0});
      indices[next[row] * rank] = static_cast<Index>(row);
    }
  for (std::int64_t i = 0; i < count; ++i)
    std::copy_n(sparse.index(i), rank, indices + map[static_cast<std::size_t>(i)] * rank);
  with_element_type(values.dtype(), [&]<class T>(T*) {
    auto* to = static_cast<T*>(values.raw_data());
    const auto* from = static_cast<const T*>(sparse.values.raw_data());
    const T& fallback = *static_cast<const T*>(call.input_tensor(3).raw_data());
    for (std::size_t row = 0; row < empty.size(); ++row)
      if (empty[row]) to[next[row]] = fallback;
    for (std::int64_t i = 0; i < count; ++i) to[map[static_cast<std::size_t>(i)]] = from[i];
  });
}

template <class T>
void fill_empty_rows_grad(KernelCall& call) {
  using C = Computed<T>;
  const auto map = call.input<Index>(0);
  const auto gradient = call.input<T>(1);
  const auto out = call.output<T>(0);
  std::vector<bool> taken(gradient.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    require(map[i] >= 0 && map[i] < static_cast<Index>(gradient.size()),
            "Elements in reverse index must be in [0, ", gradient.size(), ") but got ", map[i]);
    out[i] = gradient[static_cast<std::size_t>(map[i])];
    taken[static_cast<std::size_t>(map[i])] = true;
  }
  C sum{};
  for (std::size_t i = 0; i < gradient.size(); ++i)
    if (!taken[i]) sum = wrapping_add(sum, static_cast<C>(gradient[i]));
  call.output<T>(1)[0] = static_cast<T>(sum);
}

template <class... T>
struct FillEmptyRowsEntries {
  KernelEntry all[1 + sizeof...(T)] = {
      {.op = &kSparseFillEmptyRows, .run = fill_empty_rows, .allocates = true},
      {.op = &kSparseFillEmptyRowsGrad, .types = dtype_of<T>, .run = fill_empty_rows_grad<T>}...};
};
constexpr FillEmptyRowsEntries<half, bfloat16, float, double, std::int8_t, std::int16_t,
                               std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                               std::complex<float>, std::complex<double>>
    kEntries;

}  // namespace

extern const KernelTable kSparseFillEmptyRowsCpu{kEntries.all};

}  // namespace rill
