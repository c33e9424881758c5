#include <algorithm>

#include "rill/kernel/fast_paths.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/sparse/matmul_rows.h"
#include "rill/ops/sparse/pair_checks.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseTensorDenseMatMul;

namespace {

// The sparse matrix by rows: row m has the elements [starts[m], starts[m + 1]), in the order in
// which they came. Their columns are `apart` from each other.
struct RowMajor {
  Tensor start_tensor;  // rows may be many more than elements: the allocator checks for memory
  Tensor column_tensor, values;
  std::int64_t first_column = 0, apart = 1;

  std::int64_t* starts() const { return start_tensor.data<std::int64_t>(); }
  std::int64_t* columns() const { return column_tensor.data<std::int64_t>() + first_column; }
};

// The indices of the sparse matrix, or of the one that it is the adjoint of.
struct Places {
  const Tensor& indices;
  std::int64_t rows, inner;
  int m_at, k_at;

  std::int64_t count() const { return indices.dim(0); }
};

// Refuses indices that are out of range. Returns whether elements come row by row, as most do.
template <class I>
bool check_places(const Places& places) {
  const I* index = places.indices.data<I>();
  const std::int64_t count = places.count();
  const int m_at = places.m_at, k_at = places.k_at;
  std::int64_t limits[2];
  limits[m_at] = places.rows;
  limits[k_at] = places.inner;
  const PairChecks checks =
      check_pairs(places.indices.dtype(), index, static_cast<std::size_t>(count), limits, m_at);
  for (std::int64_t i = 0; !checks.inside && i < count; ++i) {
    const std::int64_t m = index[2 * i + m_at], k = index[2 * i + k_at];
    require(k >= 0 && k < places.inner, "k (", k, ") from index[", i, ",", k_at,
            "] out of bounds (>=", places.inner, ")");
    require(m >= 0 && m < places.rows, "m (", m, ") from index[", i, ",", m_at,
            "] out of bounds (>=", places.rows, ")");
  }
  return checks.ordered;
}

// Elements that come row by row stay where they are, and so do their columns if they can.
template <class I>
void take_in_order(const Places& places, RowMajor& out) {
  const I* index = places.indices.data<I>();
  const std::int64_t count = places.count();
  std::int64_t* const starts = out.starts();
  // Each element moves the end of its row; rows without elements end where the one before does.
  for (std::int64_t i = 0; i < count; ++i) starts[index[2 * i + places.m_at] + 1] = i + 1;
  for (std::int64_t m = 1; m <= places.rows; ++m) starts[m] = std::max(starts[m], starts[m - 1]);
  if constexpr (std::is_same_v<I, std::int64_t>) {
    out.column_tensor = places.indices;
    out.first_column = places.k_at;
    out.apart = 2;
  } else {
    out.column_tensor = Tensor(DType::i64, {count});
    for (std::int64_t i = 0; i < count; ++i) out.columns()[i] = index[2 * i + places.k_at];
  }
}

// `order` becomes the elements, grouped by row. False, and nothing, where they are already.
template <class I>
bool group_rows(const Places& places, RowMajor& out, Tensor& order) {
  const I* index = places.indices.data<I>();
  const std::int64_t count = places.count(), rows = places.rows;
  const bool in_order = check_places<I>(places);
  out.start_tensor = Tensor::zeros(DType::i64, {rows + 2});
  if (in_order && takes(FastPath::kSparseInOrder)) {
    take_in_order<I>(places, out);
    return false;
  }
  std::int64_t* const starts = out.starts();
  for (std::int64_t i = 0; i < count; ++i) ++starts[index[2 * i + places.m_at] + 2];
  for (std::int64_t m = 1; m < rows + 2; ++m) starts[m] += starts[m - 1];
  out.column_tensor = Tensor(DType::i64, {count});
  order = Tensor(DType::i64, {count});
  std::int64_t *const columns = out.columns(), *const from = order.data<std::int64_t>();
  // While elements are placed, entry m + 1 is where the next one of row m goes.
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t to = starts[index[2 * i + places.m_at] + 1]++;
    columns[to] = index[2 * i + places.k_at];
    from[to] = i;
  }
  return true;
}

template <class C, class T>
C computed(T x) {
  if constexpr (std::is_same_v<C, T>)
    return x;
  else
    return static_cast<C>(x);
}
template <class T>
T conjugated(T x) {
  if constexpr (kIsComplex<T>)
    return std::conj(x);
  else
    return x;
}

template <class T, class C>
RowMajor by_rows(const KernelCall& call, bool turned, std::int64_t rows, std::int64_t inner) {
  const Tensor &indices = call.input_tensor(0), &values = call.input_tensor(1);
  RowMajor out;
  Tensor order;
  const Places places{indices, rows, inner, turned ? 1 : 0, turned ? 0 : 1};
  const bool moves = indices.dtype() == DType::i32 ? group_rows<std::int32_t>(places, out, order)
                                                   : group_rows<std::int64_t>(places, out, order);
  if (std::is_same_v<T, C> && !moves && !(turned && kIsComplex<T>)) {
    out.values = values;
    return out;
  }
  out.values = Tensor(dtype_of<C>, values.shape());
  C* const to = out.values.data<C>();
  for (std::int64_t i = 0; i < values.element_count(); ++i) {
    const std::int64_t from = moves ? order.data<std::int64_t>()[i] : i;
    const C value = computed<C>(values.data<T>()[from]);
    to[i] = turned ? conjugated(value) : value;
  }
  return out;
}

// The dense matrix as [inner, columns] of what is computed in.
template <class T, class C>
Tensor dense_rows(const KernelCall& call, bool turned) {
  Tensor b = call.input_tensor(3);
  if (turned) {
    Tensor back(b.dtype(), {b.dim(1), b.dim(0)});
    StridedCopy copy;
    copy.add_dim(b.dim(1), b.dim(0), 1);
    copy.add_dim(b.dim(0), 1, b.dim(1));
    strided_copy(call, b.dtype(), back.raw_data(), b.raw_data(), copy);
    b = back;
    if constexpr (kIsComplex<T>)
      for (T& x : b.flat<T>()) x = std::conj(x);
  }
  if constexpr (!std::is_same_v<T, C>) {
    static const WidenRow widen = widen_row(dtype_of<T>);
    const Tensor wide(dtype_of<C>, b.shape());
    call.parallel_for(static_cast<std::size_t>(b.element_count()), 0.3,
                      [&](std::size_t begin, std::size_t end) {
                        widen(wide.data<C>() + begin, b.data<T>() + begin, end - begin);
                      });
    return wide;
  }
  return b;
}

template <class T>
void sparse_dense_matmul(KernelCall& call) {
  using C = Computed<T>;
  static const SparseRowFn product = sparse_row_product(dtype_of<C>);
  constexpr std::int64_t kBlock = 512;  // columns whose part of the dense matrix stays in cache
  const Tensor& out = call.output_tensor(0);
  const std::int64_t rows = out.dim(0), columns = out.dim(1);
  const bool turn_a = call.node().attr<bool>("adjoint_a");
  const std::int64_t inner = int_at(call.input_tensor(2), turn_a ? 0 : 1);
  // Without columns there may be any number of rows.
  if (columns == 0) return;
  const RowMajor a = by_rows<T, C>(call, turn_a, rows, inner);
  const Tensor b = dense_rows<T, C>(call, call.node().attr<bool>("adjoint_b"));
  if (rows == 0) return;
  const std::int64_t blocks = (columns + kBlock - 1) / kBlock;
  const double per_row = static_cast<double>(a.values.element_count()) / static_cast<double>(rows);
  const double cost =
      5 + (1 + per_row) * (2 + 0.1 * static_cast<double>(std::min(kBlock, columns)));
  const C* values = a.values.data<C>();
  const std::int64_t *const columns_of_a = a.columns(), *const starts = a.starts();
  call.parallel_for(static_cast<std::size_t>(rows * blocks), cost,
                    [&](std::size_t begin, std::size_t end) {
                      C narrowed[std::is_same_v<T, C> ? 1 : kBlock];
                      for (auto item = static_cast<std::int64_t>(begin);
                           item < static_cast<std::int64_t>(end); ++item) {
                        const std::int64_t row = item % rows, from = item / rows * kBlock;
                        const std::int64_t width = std::min(kBlock, columns - from);
                        const std::int64_t first = starts[row], last = starts[row + 1];
                        const SparseRow elements{columns_of_a + first * a.apart, a.apart,
                                                 values + first, last - first};
                        T* to = out.data<T>() + row * columns + from;
                        if constexpr (std::is_same_v<T, C>) {
                          product(to, elements, b.data<C>() + from, columns, width);
                        } else {
                          static const NarrowRow narrow = narrow_row(dtype_of<T>);
                          product(narrowed, elements, b.data<C>() + from, columns, width);
                          narrow(to, narrowed, static_cast<std::size_t>(width));
                        }
                      }
                    });
}

template <class... T>
struct DenseMatmulEntries {
  KernelEntry all[sizeof...(T)] = {
      {.op = &kSparseTensorDenseMatMul, .types = dtype_of<T>, .run = sparse_dense_matmul<T>}...};
};
constexpr DenseMatmulEntries<half, bfloat16, float, double, std::int32_t, std::complex<float>,
                             std::complex<double>>
    kEntries;

}  // namespace

extern const KernelTable kSparseDenseMatmulCpu{kEntries.all};

}  // namespace rill
