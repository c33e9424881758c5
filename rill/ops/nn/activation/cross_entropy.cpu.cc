#include <algorithm>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/activation/softmax_rows.h"
#include "rill/ops/nn/channels/widened.h"

namespace rill {

extern const OpDecl kSoftmaxCrossEntropyWithLogits, kSparseSoftmaxCrossEntropyWithLogits;

namespace {

constexpr double kRowCost = 3;           // nanoseconds per class
constexpr std::size_t kTogether = 1024;  // elements of rows that are computed together

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
          Normalizer<C> by;
          rows.normalize(softmax.data(), &by, x, 1, n);
          const auto [shift, log_sum] = by;
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
    if (label < 0 || label >= classes) {  // the text of all labels is made for a message alone
      const std::string text = summary(labels, -1);
      raise(Code::kInvalidArgument, "Received a label value of ", label,
            " which is outside the valid range of [0, ", classes,
            ").  Label values: ", text.substr(1, text.size() - 2));
    }
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
  const auto rows_from = [&](std::size_t first, std::size_t some, C* x_scratch, C* softmax,
                             Normalizer<C>* by) {
    const C* x = widened(logits.data<T>() + first * n, x_scratch, some * n);
    rows.normalize(softmax, by, x, some, n);
    for (std::size_t i = 0; i < some; ++i) {
      const auto label = static_cast<std::size_t>(labels[first + i]);
      loss[first + i] = T(by[i].log_sum - (x[i * n + label] - by[i].shift));
      softmax[i * n + label] -= C(1);
    }
    narrow_into(out + first * n, softmax, some * n);
  };
  const std::size_t together = std::max<std::size_t>(1, kTogether / n);
  call.parallel_for(count, 20 + kRowCost * static_cast<double>(n),
                    [&](std::size_t begin, std::size_t end) {
                      constexpr bool direct = std::is_same_v<T, C>;
                      std::vector<C> x_scratch(direct ? 0 : together * n), softmax(x_scratch);
                      std::vector<Normalizer<C>> by(together);
                      for (std::size_t i = begin; i < end; i += together) {
                        C* to = softmax.data();
                        if constexpr (direct) to = out + i * n;
                        rows_from(i, std::min(together, end - i), x_scratch.data(), to, by.data());
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
