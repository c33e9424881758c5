#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseSoftmax;

namespace {

template <class T>
void softmax_row(const T* values, std::span<const std::int64_t> order, T* out) {
  T most = values[order[0]], sum = 0;
  for (const std::int64_t i : order) most = std::max(most, values[i]);
  for (std::size_t k = 0; k < order.size(); ++k) sum += out[k] = std::exp(values[order[k]] - most);
  for (std::size_t k = 0; k < order.size(); ++k) out[k] /= sum;
}

// As in TensorFlow the results stand in the order of the indices, which is that of the elements
// wherever these are ordered.
template <class T>
void sparse_softmax(KernelCall& call) {
  const SparseInput sparse = sparse_input(call, 0);
  const int rank = sparse.rank();
  require(rank >= 2, "Input should have rank >= 2, but received shape: ",
          index_text(sparse.shape.data(), rank));
  (void)sparse.dense_shape();  // refuses what overflows
  const auto order = sorted_order(sparse.indices.data<Index>(), sparse.count(), rank);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 ||
        compare_indices(sparse.index(order[i - 1]), sparse.index(order[i]), rank - 1) != 0)
      starts.push_back(i);
  const std::size_t row_count = starts.size();
  if (row_count == 0) return;
  starts.push_back(order.size());
  T* out = call.output<T>(0).data();
  const double per_row = static_cast<double>(order.size()) / static_cast<double>(row_count);
  call.parallel_for(row_count, 10 + 10 * per_row, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      softmax_row(sparse.values.data<T>(),
                  std::span(order).subspan(starts[row], starts[row + 1] - starts[row]),
                  out + starts[row]);
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseSoftmax, .types = DType::f32, .run = sparse_softmax<float>},
    {.op = &kSparseSoftmax, .types = DType::f64, .run = sparse_softmax<double>},
};

}  // namespace

extern const KernelTable kSparseSoftmaxCpu{kEntries};

}  // namespace rill
