#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/softmax_rows.h"
#include "rill/ops/nn/widened.h"

namespace rill {

extern const OpDecl kSoftmaxCrossEntropyWithLogits, kSparseSoftmaxCrossEntropyWithLogits;

namespace {

constexpr double kRowCost = 3;  // nanoseconds per class

// Row i of an operand that broadcasts to [rows, n], as n numbers of type C.
template <class T, class C>
const C* broadcast_row(const Tensor& t, std::size_t i, std::size_t n, std::vector<C>& scratch) {
  const auto columns = static_cast<std::size_t>(t.rank() == 0 ? 1 : t.dim(t.rank() - 1));
  const bool many_rows = t.rank() == 2 && t.dim(0) > 1;
  const T* row = t.data<T>() + (many_rows ? i * columns : 0);
  if (columns == n) return widened(row, scratch.data(), n);
  std::fill_n(scratch.begin(), n, static_cast<C>(*row));
  return scratch.data();
}

template <class T, class C>
void dense(KernelCall& call) {
  static const auto rows = find_softmax_rows<C>();
  const Tensor& backprop = call.output_tensor(1);
  const auto count = static_cast<std::size_t>(backprop.dim(0));
  const auto n = static_cast<std::size_t>(backprop.dim(1));
  const auto loss = call.output<T>(0);
  T* out = backprop.data<T>();
  call.parallel_for(
      count, 20 + kRowCost * static_cast<double>(n), [&](std::size_t begin, std::size_t end) {
        std::vector<C> x_scratch(n), label_scratch(n), softmax(n);
        for (std::size_t i = begin; i < end; ++i) {
          const C* x = broadcast_row<T, C>(call.input_tensor(0), i, n, x_scratch);
          const C* labels = broadcast_row<T, C>(call.input_tensor(1), i, n, label_scratch);
          const auto [shift, log_sum] = rows.normalize(softmax.data(), x, n);
          C total = 0;
          for (std::size_t j = 0; j < n; ++j) total += labels[j] * (log_sum - (x[j] - shift));
          for (std::size_t j = 0; j < n; ++j) softmax[j] -= labels[j];
          loss[i] = T(total);
          if constexpr (std::is_same_v<T, C>)
            std::copy_n(softmax.data(), n, out + i * n);
          else
            narrow_into(out + i * n, softmax.data(), n);
        }
      });
}

template <class Label>
void require_labels_in_range(const Tensor& labels, std::int64_t classes) {
  for (const Label label : labels.flat<Label>())
    require(label >= 0 && label < classes, "Received a label value of ", label,
            " which is outside the valid range of [0, ", classes,
            ").  Label values: ", summary(labels));
}

template <class T, class C, class Label>
void sparse(KernelCall& call) {
  static const auto rows = find_softmax_rows<C>();
  const Tensor& logits = call.input_tensor(0);
  const Tensor& backprop = call.output_tensor(1);
  const auto count = static_cast<std::size_t>(backprop.dim(0));
  const auto n = static_cast<std::size_t>(backprop.dim(1));
  require(n > 0, "Must have at least one class, but got logits shape ", logits.shape());
  require_labels_in_range<Label>(call.input_tensor(1), backprop.dim(1));
  const auto labels = call.input<Label>(1);
  const auto loss = call.output<T>(0);
  T* out = backprop.data<T>();
  call.parallel_for(count, 20 + kRowCost * static_cast<double>(n),
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<C> scratch(n), softmax(n);
                      for (std::size_t i = begin; i < end; ++i) {
                        const C* x = widened(logits.data<T>() + i * n, scratch.data(), n);
                        const auto label = static_cast<std::size_t>(labels[i]);
                        const auto [shift, log_sum] = rows.normalize(softmax.data(), x, n);
                        loss[i] = T(log_sum - (x[label] - shift));
                        softmax[label] -= C(1);
                        if constexpr (std::is_same_v<T, C>)
                          std::copy_n(softmax.data(), n, out + i * n);
                        else
                          narrow_into(out + i * n, softmax.data(), n);
                      }
                    });
}

template <class T, class C>
constexpr KernelEntry dense_entry() {
  return {.op = &kSoftmaxCrossEntropyWithLogits, .types = dtype_of<T>, .run = dense<T, C>};
}
template <class T, class C, class Label>
constexpr KernelEntry sparse_entry() {
  return {.op = &kSparseSoftmaxCrossEntropyWithLogits,
          .types = dtype_of<T>,
          .run = sparse<T, C, Label>,
          .types2 = dtype_of<Label>};
}

constexpr KernelEntry kEntries[] = {
    dense_entry<float, float>(),
    dense_entry<double, double>(),
    dense_entry<half, float>(),
    dense_entry<bfloat16, float>(),
    sparse_entry<float, float, std::int32_t>(),
    sparse_entry<float, float, std::int64_t>(),
    sparse_entry<double, double, std::int32_t>(),
    sparse_entry<double, double, std::int64_t>(),
    sparse_entry<half, float, std::int32_t>(),
    sparse_entry<half, float, std::int64_t>(),
    sparse_entry<bfloat16, float, std::int32_t>(),
    sparse_entry<bfloat16, float, std::int64_t>(),
};

}  // namespace

extern const KernelTable kCrossEntropyCpu{kEntries};

}  // namespace rill
