#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/linalg/einsum_equation.h"
#include "rill/ops/linalg/matrices.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {

extern const OpDecl kEinsum;

namespace {

bool contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// A tensor whose axes have labels. Equal labels stand for the diagonal.
struct Labelled {
  Labels labels;
  Tensor tensor;

  std::int64_t stride(int label) const {
    const Dims strides = row_major_strides(tensor.shape());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == label) sum += strides[static_cast<int>(i)];
    return sum;
  }
};

// An operand's labels, each once, without axes of size one that broadcast.
Labels distinct(const Labelled& x, const LabelSizes& sizes) {
  Labels result;
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    const bool broadcasts = x.tensor.dim(static_cast<int>(i)) != sizes.size(x.labels[i]);
    if (!broadcasts && !contains(result, x.labels[i])) result.push_back(x.labels[i]);
  }
  return result;
}

std::int64_t size_of(const Labels& labels, const LabelSizes& sizes) {
  std::int64_t product = 1;
  for (const int label : labels)
    require(!__builtin_mul_overflow(product, sizes.size(label), &product),
            "the operands of Einsum are too large");
  return product;
}

Labels joined(std::initializer_list<Labels> parts) {
  Labels all;
  for (const Labels& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// x with its axes in this order, and summed over the labels in `summed`.
Tensor arranged(const KernelCall& call, const Labelled& x, const Labels& order,
                const Labels& summed, const LabelSizes& sizes) {
  if (summed.empty() && order == x.labels) return x.tensor;
  const std::int64_t kept = size_of(order, sizes), terms = size_of(summed, sizes);
  const Tensor copy(x.tensor.dtype(), {kept, terms});
  StridedCopy plan;
  const Labels all = joined({order, summed});
  std::int64_t stride = copy.element_count();
  for (const int label : all) {
    const std::int64_t size = sizes.size(label);
    stride = size == 0 ? 0 : stride / size;
    plan.add_dim(size, stride, x.stride(label));
  }
  if (copy.element_count() > 0)
    strided_copy(call, copy.dtype(), copy.raw_data(), x.tensor.raw_data(), plan);
  if (summed.empty()) return copy;
  Tensor sums(copy.dtype(), {kept});
  visit_matrix_type(copy.dtype(), [&]<class T>() {
    each_matrix(call, kept, static_cast<double>(terms), [&](std::int64_t i) {
      T sum(0);
      for (std::int64_t k = 0; k < terms; ++k) sum += copy.data<T>()[i * terms + k];
      sums.data<T>()[i] = sum;
    });
  });
  return sums;
}

// Puts the axes of `x`, which have distinct labels, where the result wants them.
void place(const KernelCall& call, const Labelled& x, const Labelled& result,
           const LabelSizes& sizes) {
  if (result.tensor.element_count() == 0) return;
  if (x.labels.size() < result.labels.size())  // off the diagonal there are zeros
    std::memset(result.tensor.raw_data(), 0, result.tensor.byte_size());
  StridedCopy plan;
  std::int64_t stride = size_of(x.labels, sizes);
  for (const int label : x.labels) {
    stride /= sizes.size(label);
    plan.add_dim(sizes.size(label), result.stride(label), stride);
  }
  strided_copy(call, x.tensor.dtype(), result.tensor.raw_data(), x.tensor.raw_data(), plan);
}

// Those of `labels` that are, or are not, in the two others.
Labels picked(const Labels& labels, const Labels& a, bool in_a, const Labels& b, bool in_b) {
  Labels result;
  for (const int label : labels)
    if (contains(a, label) == in_a && contains(b, label) == in_b) result.push_back(label);
  return result;
}

void sum_one(const KernelCall& call, const Labelled& x, const Labelled& result,
             const LabelSizes& sizes) {
  const Labels labels = distinct(x, sizes);
  const Labels kept = picked(labels, result.labels, true, result.labels, true);
  const Labels summed = picked(labels, result.labels, false, result.labels, false);
  place(call, {kept, arranged(call, x, kept, summed, sizes)}, result, sizes);
}

// As a product of matrices for each index that both operands and the result share.
void multiply_two(const KernelCall& call, MultiplyFn multiply, const Labelled& x, const Labelled& y,
                  const Labelled& result, const LabelSizes& sizes) {
  const Labels in_x = distinct(x, sizes), in_y = distinct(y, sizes);
  const Labels& out = result.labels;
  const Labels batch = picked(in_x, in_y, true, out, true);
  const Labels inner = picked(in_x, in_y, true, out, false);
  const Labels rows = picked(in_x, in_y, false, out, true);
  const Labels columns = picked(in_y, in_x, false, out, true);
  const Tensor a =
      arranged(call, x, joined({batch, rows, inner}), picked(in_x, in_y, false, out, false), sizes);
  const Tensor b = arranged(call, y, joined({batch, inner, columns}),
                            picked(in_y, in_x, false, out, false), sizes);
  const Labels made = joined({batch, rows, columns});
  const std::int64_t count = size_of(batch, sizes);
  const Product first{
      .m = size_of(rows, sizes), .n = size_of(columns, sizes), .k = size_of(inner, sizes)};
  const Tensor c = made == out ? result.tensor : Tensor(a.dtype(), {count, first.m * first.n});
  const auto bytes = static_cast<std::int64_t>(element_size(a.dtype()));
  each_matrix(call, c.element_count() == 0 ? 0 : count, first.flops(), [&](std::int64_t i) {
    Product product = first;
    product.a = static_cast<const char*>(a.raw_data()) + i * first.m * first.k * bytes;
    product.b = static_cast<const char*>(b.raw_data()) + i * first.k * first.n * bytes;
    product.c = static_cast<char*>(c.raw_data()) + i * first.m * first.n * bytes;
    multiply(call, product);
  });
  if (made != out) place(call, {made, c}, result, sizes);
}

struct EinsumState : KernelState {
  Equation equation;
  MultiplyFn multiply = nullptr;
};

std::unique_ptr<KernelState> make_einsum(const KernelNode& node) {
  auto state = std::make_unique<EinsumState>();
  state->equation = Equation::parse(node.attr<std::string>("equation"),
                                    static_cast<int>(node.input_types.size()));
  const DType type = base_type(node.input_type(0));
  state->multiply = onednn_multiply(type);
  if (state->multiply == nullptr) state->multiply = reference_multiply(type);
  return state;
}

void einsum(KernelCall& call) {
  const auto& state = call.state<EinsumState>();
  LabelSizes sizes;
  std::vector<Labelled> operands;
  for (int i = 0; i < call.input_count(); ++i) {
    const Tensor& input = call.input_tensor(i);
    operands.push_back({state.equation.operand_labels(i, input.rank()), input});
    sizes.add(operands.back().labels, input.shape());
  }
  const Labelled result{state.equation.result_labels(sizes.covered()), call.output_tensor(0)};
  if (operands.size() == 1)
    sum_one(call, operands[0], result, sizes);
  else
    multiply_two(call, state.multiply, operands[0], operands[1], result, sizes);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kEinsum, .types = kMatrixTypes, .run = einsum, .make_state = make_einsum}};

}  // namespace

extern const KernelTable kEinsumCpu{kEntries};

}  // namespace rill
