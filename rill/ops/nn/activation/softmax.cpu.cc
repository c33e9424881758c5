#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/activation/softmax_rows.h"
#include "rill/ops/nn/channels/widened.h"

namespace rill {

extern const OpDecl kSoftmax, kLogSoftmax;

namespace {

template <class T, class C, bool is_log>
void run_rows(KernelCall& call) {
  static const auto rows = find_softmax_rows<C>();
  const auto row = is_log ? rows.log_softmax : rows.softmax;
  const Tensor& logits = call.input_tensor(0);
  if (logits.element_count() == 0) return;
  const auto n = static_cast<std::size_t>(logits.dim(logits.rank() - 1));
  const auto count = static_cast<std::size_t>(logits.element_count()) / n;
  const T* x = logits.data<T>();
  T* out = call.output_tensor(0).data<T>();
  const double cost = 10 + static_cast<double>(n) * (std::is_same_v<C, float> ? 2 : 10);
  call.parallel_for(count, cost, [&](std::size_t begin, std::size_t end) {
    if constexpr (std::is_same_v<T, C>) {
      row(out + begin * n, x + begin * n, end - begin, n);
    } else {
      std::vector<C> scratch(n);
      for (std::size_t i = begin; i < end; ++i) {
        row(scratch.data(), widened(x + i * n, scratch.data(), n), 1, n);
        narrow_into(out + i * n, scratch.data(), n);
      }
    }
  });
}

template <class T, class C>
constexpr KernelEntry softmax_entry() {
  return {.op = &kSoftmax, .types = dtype_of<T>, .run = run_rows<T, C, false>};
}
template <class T, class C>
constexpr KernelEntry log_softmax_entry() {
  return {.op = &kLogSoftmax, .types = dtype_of<T>, .run = run_rows<T, C, true>};
}

constexpr KernelEntry kEntries[] = {
    softmax_entry<float, float>(),     softmax_entry<double, double>(),
    softmax_entry<half, float>(),      softmax_entry<bfloat16, float>(),
    log_softmax_entry<float, float>(), log_softmax_entry<double, double>(),
    log_softmax_entry<half, float>(),  log_softmax_entry<bfloat16, float>(),
};

}  // namespace

extern const KernelTable kSoftmaxCpu{kEntries};

}  // namespace rill
