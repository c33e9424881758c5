#include <iterator>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/set/groups.h"

namespace rill {

extern const OpDecl kSetSize, kDenseToDenseSetOperation, kDenseToSparseSetOperation,
    kSparseToSparseSetOperation;

namespace {

template <class T>
void set_size(KernelCall& call) {
  const bool validate = call.node().attr<bool>("validate_indices");
  const auto dims = call.input<std::int64_t>(2);
  require(dims.size() >= 2, "Invalid rank ", dims.size(), ".");
  for (const std::int64_t dim : dims)
    require(dim >= 0, "Expected shape dimensions to be non-negative, got ", dim);
  const Shape whole(std::vector<std::int64_t>(dims.begin(), dims.end()));  // refuses an overflow
  call.allocate_output(0, Shape(whole.dims().first(dims.size() - 1)));
  const auto out = call.output<std::int32_t>(0);
  std::ranges::fill(out, 0);
  const Dims strides = row_major_strides(call.output_tensor(0).shape());
  std::vector<T> set;
  for (auto rows = Groups<T>::sparse(sparse_input(call, 0), validate); !rows.done(); rows.next()) {
    check_group(rows.index(), rows.shape());
    std::int64_t place = 0;
    for (int d = 0; d < strides.size(); ++d) place += rows.index()[d] * strides[d];
    rows.read_set(set);
    out[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(set.size());
  }
}

enum class SetOperation { kAMinusB, kBMinusA, kIntersection, kUnion };

SetOperation operation_of(const KernelCall& call) {
  const auto& name = call.node().attr<std::string>("set_operation");
  if (name == "a-b") return SetOperation::kAMinusB;
  if (name == "b-a") return SetOperation::kBMinusA;
  if (name == "intersection") return SetOperation::kIntersection;
  require(name == "union", "Invalid set_operation ", name, ".");
  return SetOperation::kUnion;
}

template <class T>
void combine_sets(SetOperation operation, const std::vector<T>& a, const std::vector<T>& b,
                  std::vector<T>& out) {
  out.clear();
  const auto to = std::back_inserter(out);
  switch (operation) {
    case SetOperation::kAMinusB:
      std::ranges::set_difference(a, b, to);
      break;
    case SetOperation::kBMinusA:
      std::ranges::set_difference(b, a, to);
      break;
    case SetOperation::kIntersection:
      std::ranges::set_intersection(a, b, to);
      break;
    case SetOperation::kUnion:
      std::ranges::set_union(a, b, to);
      break;
  }
}

// The sets that came out, as one sparse tensor.
template <class T>
struct Result {
  std::vector<Index> indices;
  std::vector<T> values;
  std::size_t largest = 0;

  void add(const Index* group, int group_rank, std::vector<T>& set) {
    const auto depth = static_cast<std::size_t>(group_rank) + 1, before = indices.size();
    indices.resize(before + set.size() * depth);
    Index* to = indices.data() + before;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t d = 0; d + 1 < depth; ++d) *to++ = group[d];
      *to++ = static_cast<Index>(i);
    }
    std::ranges::move(set, std::back_inserter(values));
    largest = std::max(largest, set.size());
  }
  void append(Result& other) {
    indices.insert(indices.end(), other.indices.begin(), other.indices.end());
    std::ranges::move(other.values, std::back_inserter(values));
    largest = std::max(largest, other.largest);
  }
  void output(const KernelCall& call, Dims shape) const {
    shape.push_back(static_cast<Index>(largest));
    const auto count = static_cast<std::int64_t>(values.size());
    call.set_output(0, Tensor::of<Index>({count, shape.size()}, indices));
    call.set_output(1, Tensor::of<T>({count}, values));
    call.set_output(2, shape_tensor(shape.span()));
  }
};

// Groups of both come in order, so one walk meets those that belong together. Where `all_of_a`, the
// first tensor has every group and groups beyond its shape are passed over, as TensorFlow does.
template <class T>
void walk(SetOperation operation, Groups<T> a, Groups<T> b, bool all_of_a, Result<T>& result) {
  const int rank = a.shape().size();
  std::vector<T> of_a, of_b, of_both;
  while (!a.done() || !b.done()) {
    const int order = a.done() ? 1 : b.done() ? -1 : compare_indices(a.index(), b.index(), rank);
    const bool from_a = order <= 0, from_b = order >= 0;
    const Index* group = from_a ? a.index() : b.index();
    if (from_a || !all_of_a) check_group(group, a.shape());
    bool inside = true;
    for (int d = 0; d < rank; ++d) inside &= group[d] >= 0 && group[d] < a.shape()[d];
    if (inside) {
      of_a.clear();
      of_b.clear();
      if (from_a) a.read_set(of_a);
      if (from_b) b.read_set(of_b);
      combine_sets(operation, of_a, of_b, of_both);
      result.add(group, rank, of_both);
    }
    if (from_a) a.next();
    if (from_b) b.next();
  }
}

template <class T>
void check_shapes(const Groups<T>& a, const Groups<T>& b) {
  require(a.shape() == b.shape(), "Mismatched shapes ",
          index_text(a.shape().data(), a.shape().size()), " vs ",
          index_text(b.shape().data(), b.shape().size()));
}

template <class T>
void combine(KernelCall& call, const Groups<T>& a, const Groups<T>& b, bool all_of_a) {
  const SetOperation operation = operation_of(call);
  check_shapes(a, b);
  Result<T> result;
  walk(operation, a, b, all_of_a, result);
  result.output(call, a.shape());
}

bool validates(const KernelCall& call) { return call.node().attr<bool>("validate_indices"); }

// Both have every group: threads take blocks of them.
template <class T>
void dense_to_dense(KernelCall& call) {
  constexpr std::int64_t kBlock = 64;
  const auto a = Groups<T>::dense(call.input_tensor(0)), b = Groups<T>::dense(call.input_tensor(1));
  const SetOperation operation = operation_of(call);
  check_shapes(a, b);
  const auto elements = static_cast<double>(call.input_tensor(0).element_count() +
                                            call.input_tensor(1).element_count());
  std::int64_t rows = elements > 0 ? 1 : 0;  // empty ones may have more than can be counted
  for (const std::int64_t dim : a.shape().span()) rows *= dim;
  std::vector<Result<T>> results(static_cast<std::size_t>((rows + kBlock - 1) / kBlock));
  call.parallel_for(results.size(), 10 * elements / static_cast<double>(results.size() + 1),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t k = begin; k < end; ++k) {
                        const auto first = static_cast<std::int64_t>(k) * kBlock;
                        const std::int64_t last = std::min(first + kBlock, rows);
                        walk(operation, a.part(first, last), b.part(first, last), true, results[k]);
                      }
                    });
  Result<T> all;
  for (Result<T>& result : results) all.append(result);
  all.output(call, a.shape());
}

template <class T>
void dense_to_sparse(KernelCall& call) {
  combine(call, Groups<T>::dense(call.input_tensor(0)),
          Groups<T>::sparse(sparse_input(call, 1), validates(call)), true);
}

template <class T>
void sparse_to_sparse(KernelCall& call) {
  combine(call, Groups<T>::sparse(sparse_input(call, 0), validates(call)),
          Groups<T>::sparse(sparse_input(call, 3), validates(call)), false);
}

template <class... T>
struct SetEntries {
  KernelEntry all[4 * sizeof...(T)] = {
      {.op = &kSetSize, .types = dtype_of<T>, .run = set_size<T>, .allocates = true}...,
      {.op = &kDenseToDenseSetOperation,
       .types = dtype_of<T>,
       .run = dense_to_dense<T>,
       .allocates = true}...,
      {.op = &kDenseToSparseSetOperation,
       .types = dtype_of<T>,
       .run = dense_to_sparse<T>,
       .allocates = true}...,
      {.op = &kSparseToSparseSetOperation,
       .types = dtype_of<T>,
       .run = sparse_to_sparse<T>,
       .allocates = true}...};
};
constexpr SetEntries<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                     std::uint16_t, std::string>
    kEntries;

}  // namespace

extern const KernelTable kSetOperationCpu{kEntries.all};

}  // namespace rill
