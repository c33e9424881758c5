#include <algorithm>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/element_types.h"
#include "rill/ops/math/numeric.h"
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
  for (std::int64_t i = 0; i < sparse.count(); ++i) {
    const Index row = sparse.index(i)[0];
    require(row >= 0 && row < rows, "indices(", i, ", 0) is invalid: ", row, " >= ", rows);
  }
  return sparse;
}

void fill_empty_rows(KernelCall& call) {
  const SparseInput sparse = checked_input(call);
  const std::int64_t rows = sparse.shape[0], count = sparse.count();
  const auto empty = call.allocate_output(2, {rows}).flat<bool>();
  std::ranges::fill(empty, true);
  // First how many elements each row gets, then, summed up, where the next one of a row goes.
  // Rows may be many more than elements: the allocator checks for memory.
  const Tensor next_tensor = Tensor::zeros(DType::i64, {rows + 1});
  const auto next = next_tensor.flat<Index>();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(sparse.index(i)[0]);
    empty[row] = false;
    ++next[row + 1];
  }
  for (std::size_t row = 0; row < empty.size(); ++row) {
    next[row + 1] += next[row] + (empty[row] ? 1 : 0);
  }
  const std::int64_t total = next.back();
  const auto map = call.allocate_output(3, {count}).flat<Index>();
  Index* indices = call.allocate_output(0, {total, sparse.rank()}).data<Index>();
  const Tensor& values = call.allocate_output(1, {total});
  std::fill_n(indices, total * sparse.rank(), Index{0});
  for (std::size_t row = 0; row < empty.size(); ++row)
    if (empty[row]) indices[next[row] * sparse.rank()] = static_cast<Index>(row);
  with_element_type(values.dtype(), [&]<class T>(T*) {
    auto* to = static_cast<T*>(values.raw_data());
    const auto* from = static_cast<const T*>(sparse.values.raw_data());
    const T& fallback = *static_cast<const T*>(call.input_tensor(3).raw_data());
    for (std::size_t row = 0; row < empty.size(); ++row)
      if (empty[row]) to[next[row]] = fallback;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = next[static_cast<std::size_t>(sparse.index(i)[0])]++;
      map[static_cast<std::size_t>(i)] = at;
      std::copy_n(sparse.index(i), sparse.rank(), indices + at * sparse.rank());
      to[at] = from[i];
    }
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
struct Entries {
  KernelEntry all[1 + sizeof...(T)] = {
      {.op = &kSparseFillEmptyRows, .run = fill_empty_rows, .allocates = true},
      {.op = &kSparseFillEmptyRowsGrad, .types = dtype_of<T>, .run = fill_empty_rows_grad<T>}...};
};
constexpr Entries<half, bfloat16, float, double, std::int8_t, std::int16_t, std::int32_t,
                  std::int64_t, std::uint8_t, std::uint16_t, std::complex<float>,
                  std::complex<double>>
    kEntries;

}  // namespace

extern const KernelTable kSparseFillEmptyRowsCpu{kEntries.all};

}  // namespace rill
