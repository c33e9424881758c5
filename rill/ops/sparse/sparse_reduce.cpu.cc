#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/sparse/sparse_parts.h"
#include "rill/ops/sparse/sparse_reduced.h"

namespace rill {

extern const OpDecl kSparseReduceSum, kSparseReduceSumSparse, kSparseReduceMax,
    kSparseReduceMaxSparse;

namespace {

// The elements by what is left of their indices.
struct ReducedGroups {
  SparseInput sparse;
  Dims shape;                        // of the result
  int rank = 0;                      // of the result
  std::vector<Index> places;         // per element, its index in the result
  std::vector<std::int64_t> order;   // elements, those of one group together
  std::vector<std::int64_t> starts;  // in `order`, of each group, and the end

  const Index* place(std::size_t group) const {
    return places.data() + order[static_cast<std::size_t>(starts[group])] * rank;
  }
};

ReducedGroups group(const KernelCall& call) {
  ReducedGroups g{.sparse = sparse_input(call, 0)};
  (void)g.sparse.dense_shape();  // refuses what overflows
  const bool keep_dims = call.node().attr<bool>("keep_dims");
  const Tensor& axis_input = call.input_tensor(3);
  require(axis_input.rank() <= 1,
          "Expected reduction_axes to be a scalar or a vector; got shape: ", axis_input.shape());
  const Dims axes = read_dims(axis_input);
  const auto reduced = sparse_reduced(axes.span(), g.sparse.rank());
  g.shape = dims_left(g.sparse.shape, reduced, keep_dims);
  g.rank = g.shape.size();
  const std::int64_t count = g.sparse.count();
  for (std::int64_t i = 0; i < count; ++i)
    for (int d = 0; d < g.sparse.rank(); ++d) {
      const bool gone = reduced[static_cast<std::size_t>(d)];
      if (!gone || keep_dims) g.places.push_back(gone ? 0 : g.sparse.index(i)[d]);
    }
  g.order = sorted_order(g.places.data(), count, g.rank);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == 0 || compare_indices(g.places.data() + g.order[at - 1] * g.rank,
                                  g.places.data() + g.order[at] * g.rank, g.rank) != 0)
      g.starts.push_back(i);
  }
  g.starts.push_back(count);
  return g;
}

struct Add {
  template <class C>
  static C join(C a, C b) {
    return wrapping_add(a, b);
  }
};
struct Larger {
  template <class C>
  static C join(C a, C b) {  // a NaN is taken, and given up again for what follows
    return b < a ? a : b;
  }
};

// What the elements of a group become.
template <class T, class Join>
T reduced_value(const ReducedGroups& g, std::size_t group) {
  using C = Computed<T>;
  const T* values = g.sparse.values.data<T>();
  const auto at = [&](std::int64_t i) {
    return static_cast<C>(values[g.order[static_cast<std::size_t>(i)]]);
  };
  C result = at(g.starts[group]);
  for (std::int64_t i = g.starts[group] + 1; i < g.starts[group + 1]; ++i)
    result = Join::join(result, at(i));
  return static_cast<T>(result);
}

template <class T, class Join>
void reduce_dense(KernelCall& call) {
  const ReducedGroups g = group(call);
  const Tensor& out = call.output_tensor(0);
  const Dims strides = row_major_strides(out.shape());
  std::fill_n(out.data<T>(), out.element_count(), T{});
  for (std::size_t i = 0; i + 1 < g.starts.size(); ++i) {
    std::int64_t place = 0;
    for (int d = 0; d < g.rank; ++d) {
      if (g.place(i)[d] < 0 || g.place(i)[d] >= g.shape[d])
        raise(Code::kInvalidArgument, "Obtained a write index of ", g.place(i)[d],
              " which is outside of bounds of [0, ", g.shape[d], ")");
      place += g.place(i)[d] * strides[d];
    }
    out.data<T>()[place] = reduced_value<T, Join>(g, i);
  }
}

template <class T, class Join>
void reduce_sparse(KernelCall& call) {
  const ReducedGroups g = group(call);
  const auto count = static_cast<std::int64_t>(g.starts.size()) - 1;
  Index* indices = call.allocate_output(0, {count, g.rank}).template data<Index>();
  T* values = call.allocate_output(1, {count}).template data<T>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    indices = std::copy_n(g.place(i), g.rank, indices);
    *values++ = reduced_value<T, Join>(g, i);
  }
  call.set_output(2, shape_tensor(g.shape.span()));
}

template <class Join, class... T>
struct ReduceEntries {
  KernelEntry all[2 * sizeof...(T)];
  constexpr ReduceEntries(const OpDecl* dense, const OpDecl* sparse)
      : all{{.op = dense, .types = dtype_of<T>, .run = reduce_dense<T, Join>}...,
            {.op = sparse,
             .types = dtype_of<T>,
             .run = reduce_sparse<T, Join>,
             .allocates = true}...} {}
};
constexpr ReduceEntries<Add, half, bfloat16, float, double, std::int8_t, std::int16_t, std::int32_t,
                        std::int64_t, std::uint8_t, std::uint16_t, std::complex<float>,
                        std::complex<double>>
    kReduceSums(&kSparseReduceSum, &kSparseReduceSumSparse);
constexpr ReduceEntries<Larger, half, bfloat16, float, double, std::int8_t, std::int16_t,
                        std::int32_t, std::int64_t, std::uint8_t, std::uint16_t>
    kReduceMaxima(&kSparseReduceMax, &kSparseReduceMaxSparse);

}  // namespace

extern const KernelTable kSparseReduceSumCpu{kReduceSums.all};
extern const KernelTable kSparseReduceMaxCpu{kReduceMaxima.all};

}  // namespace rill
