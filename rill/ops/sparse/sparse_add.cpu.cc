#include <cmath>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseAdd, kSparseAddGrad, kSparseSparseMaximum, kSparseSparseMinimum;

namespace {

void check_same_shape(const SparseInput& a, const SparseInput& b) {
  require(a.rank() == b.rank(),
          "Operands do not have the same ranks; got shapes: ", index_text(a.shape.data(), a.rank()),
          " and ", index_text(b.shape.data(), b.rank()));
  for (int d = 0; d < a.rank(); ++d)
    require(a.shape[d] == b.shape[d], "Operands' shapes do not match: got ", a.shape[d], " and ",
            b.shape[d], " for dimension ", d);
}

// Walks through two lists of ordered indices at once: calls visit(i, j, index) for an element of
// both, and with -1 for the one that has none. kRank is the rank, or 0 where it is known only here.
template <int kRank, class Visit>
void merge_ranked(const SparseInput& a, const SparseInput& b, Visit visit) {
  const int rank = kRank == 0 ? a.rank() : kRank;
  const Index *x = a.indices.data<Index>(), *y = b.indices.data<Index>();
  const std::int64_t a_count = a.count(), b_count = b.count();
  std::int64_t i = 0, j = 0;
  const auto a_alone = [&] { visit(i, std::int64_t{-1}, x + i * rank), ++i; };
  const auto b_alone = [&] { visit(std::int64_t{-1}, j, y + j * rank), ++j; };
  while (i < a_count && j < b_count) {
    const int order = compare_indices(x + i * rank, y + j * rank, rank);
    if (order < 0)
      a_alone();
    else if (order > 0)
      b_alone();
    else
      visit(i, j, x + i * rank), ++i, ++j;
  }
  while (i < a_count) a_alone();
  while (j < b_count) b_alone();
}
template <class Visit>
void merge(const SparseInput& a, const SparseInput& b, Visit visit) {
  if (a.rank() == 2)
    merge_ranked<2>(a, b, visit);
  else
    merge_ranked<0>(a, b, visit);
}

// What a merge has kept: at most all elements of both.
template <class T>
class Kept {
 public:
  Kept(const SparseInput& a, const SparseInput& b)
      : rank_(a.rank()),
        indices_(DType::i64, {a.count() + b.count(), rank_}),
        values_(dtype_of<T>, {a.count() + b.count()}),
        index_(indices_.data<Index>()),
        value_(values_.data<T>()) {}

  // The element counts only if `keep`, so that none depends on a branch.
  void add(const Index* index, T value, bool keep = true) {
    for (int d = 0; d < rank_; ++d) index_[d] = index[d];
    *value_ = value;
    index_ += keep ? rank_ : 0;
    value_ += keep ? 1 : 0;
  }
  void output(const KernelCall& call) const {
    const std::int64_t count = value_ - values_.data<T>();
    call.set_output(0, first_rows(indices_, {count, rank_}));
    call.set_output(1, first_rows(values_, {count}));
  }

 private:
  // A copy, since what is kept may be much less.
  static Tensor first_rows(const Tensor& all, Shape shape) {
    if (all.shape() == shape) return all;
    Tensor part(all.dtype(), std::move(shape));
    if (part.byte_size() > 0) std::memcpy(part.raw_data(), all.raw_data(), part.byte_size());
    return part;
  }
  int rank_;
  Tensor indices_, values_;
  Index* index_;
  T* value_;
};

// |x| of the lowest integer is itself, as the machine computes it.
template <class T>
auto magnitude(T x) {
  if constexpr (kIsInteger<T>)
    return x < 0 ? wrapping_sub(T{0}, x) : x;
  else
    return std::abs(x);
}

template <class T>
void sparse_add(KernelCall& call) {
  using Real = decltype(magnitude(T{}));
  const SparseInput a = sparse_input(call, 0), b = sparse_input(call, 3);
  check_same_shape(a, b);
  const Tensor& thresh = call.input_tensor(6);
  require(thresh.rank() == 0, "The magnitude threshold must be a scalar: got shape ",
          thresh.shape());
  require(thresh.dtype() == dtype_of<Real>, "SparseAdd of ", a.values.dtype(),
          " needs a threshold of ", dtype_of<Real>, ", not of ", thresh.dtype());
  const Real least = thresh.scalar_value<Real>();
  const T *x = a.values.data<T>(), *y = b.values.data<T>();
  Kept<T> kept(a, b);
  merge(a, b, [&](std::int64_t i, std::int64_t j, const Index* index) {
    const T sum = j < 0 ? x[i] : i < 0 ? y[j] : wrapping_add(x[i], y[j]);
    kept.add(index, sum, least <= magnitude(sum));
  });
  kept.output(call);
  call.set_output(2, shape_tensor(a.shape.span()));
}

// Gives each element of one operand the gradient of the sum at its place; both are ordered.
void operand_gradient(const Tensor& gradient, const Tensor& indices, const Tensor& sums,
                      const Tensor& out) {
  const std::size_t bytes = element_size(out.dtype());
  const auto rank = static_cast<int>(indices.dim(1));
  if (out.element_count() > 0) std::memset(out.raw_data(), 0, out.byte_size());
  std::int64_t i = 0, k = 0;
  while (i < indices.dim(0) && k < sums.dim(0)) {
    const int order =
        compare_indices(indices.data<Index>() + i * rank, sums.data<Index>() + k * rank, rank);
    if (order == 0) std::memcpy(element_at(out, i), element_at(gradient, k), bytes);
    if (order <= 0) ++i;
    if (order >= 0) ++k;
  }
}

void sparse_add_grad(KernelCall& call) {
  const Tensor &gradient = call.input_tensor(0), &sums = call.input_tensor(3);
  require(gradient.dim(0) == sums.dim(0),
          "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): "
          "got ",
          gradient.dim(0), " and ", sums.dim(0));
  operand_gradient(gradient, call.input_tensor(1), sums, call.output_tensor(0));
  operand_gradient(gradient, call.input_tensor(2), sums, call.output_tensor(1));
}

// NaN wins.
template <class T, bool kLargest>
T extreme(T a, T b) {
  const auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
  return y != y || (kLargest ? x < y : y < x) ? b : a;
}

template <class T, bool kLargest>
void sparse_extreme(KernelCall& call) {
  const SparseInput a = sparse_input(call, 0), b = sparse_input(call, 3);
  check_same_shape(a, b);
  check_bounds(a);
  check_bounds(b);
  const T *x = a.values.data<T>(), *y = b.values.data<T>();
  Kept<T> kept(a, b);
  merge(a, b, [&](std::int64_t i, std::int64_t j, const Index* index) {
    kept.add(index, extreme<T, kLargest>(i < 0 ? T{} : x[i], j < 0 ? T{} : y[j]));
  });
  kept.output(call);
}

template <class T>
constexpr KernelEntry kAddEntry{
    .op = &kSparseAdd, .types = dtype_of<T>, .run = sparse_add<T>, .allocates = true};
template <class T>
constexpr KernelEntry kMaximumEntry{.op = &kSparseSparseMaximum,
                                    .types = dtype_of<T>,
                                    .run = sparse_extreme<T, true>,
                                    .allocates = true};
template <class T>
constexpr KernelEntry kMinimumEntry{.op = &kSparseSparseMinimum,
                                    .types = dtype_of<T>,
                                    .run = sparse_extreme<T, false>,
                                    .allocates = true};

template <class... T>
struct Extremes {
  KernelEntry all[2 * sizeof...(T)] = {kMaximumEntry<T>..., kMinimumEntry<T>...};
};
constexpr Extremes<half, bfloat16, float, double, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t>
    kExtremes;

constexpr KernelEntry kAdditions[] = {
    kAddEntry<float>,
    kAddEntry<double>,
    kAddEntry<std::int8_t>,
    kAddEntry<std::int16_t>,
    kAddEntry<std::int32_t>,
    kAddEntry<std::int64_t>,
    kAddEntry<std::complex<float>>,
    kAddEntry<std::complex<double>>,
    {.op = &kSparseAddGrad, .types = kNumberTypes, .run = sparse_add_grad},
};

}  // namespace

extern const KernelTable kSparseAddCpu{kAdditions};
extern const KernelTable kSparseExtremesCpu{kExtremes.all};

}  // namespace rill
