#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/gather.h"
#include "rill/ops/random/shuffle.h"
#include "rill/ops/random/stream.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {

extern const OpDecl kRandomShuffle;

namespace {

Tensor shuffled_elements(const Tensor& value, const Philox& stream) {
  Tensor copy = value.clone();
  visit_dtype(value.dtype(), [&]<class T>() { shuffle(copy.flat<T>(), stream); });
  return copy;
}

template <class Index>
Tensor shuffled_indices(std::int64_t count, const Philox& stream) {
  Tensor indices(dtype_of<Index>, {count});
  const auto order = indices.flat<Index>();
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order, stream);
  return indices;
}

void random_shuffle(KernelCall& call) {
  const Tensor& value = call.input_tensor(0);
  if (value.rank() == 0 || value.element_count() <= 1 || value.dim(0) <= 1)
    return call.set_output(0, value);
  const auto words = static_cast<std::uint64_t>(value.dim(0) - 1);
  const Philox stream = call.state<NodeStream>().reserve((words + 3) / 4);
  if (value.rank() == 1) return call.set_output(0, shuffled_elements(value, stream));
  const std::int64_t rows = value.dim(0);
  const Tensor indices = rows <= INT32_MAX ? shuffled_indices<std::int32_t>(rows, stream)
                                           : shuffled_indices<std::int64_t>(rows, stream);
  gather(call, GatherPlan(value.shape(), indices.shape(), 0, 0), value, indices,
         call.allocate_output(0, value.shape()));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRandomShuffle,
     .run = random_shuffle,
     .make_state = NodeStream::make,
     .allocates = true},
};

}  // namespace

extern const KernelTable kRandomShuffleCpu{kEntries};

}  // namespace rill
