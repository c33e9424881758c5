#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kMaxPoolGradGradWithArgmax;

namespace {

void max_pool_grad_grad_with_argmax(KernelCall& call) {
  const Tensor &gradient = call.input_tensor(1), &places = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const bool with_batch = call.node().attr<bool>("include_batch_in_index");
  const std::int64_t size = gradient.element_count() / gradient.dim(0);
  const std::int64_t windows = out.element_count() / out.dim(0);
  const std::int64_t limit = with_batch ? gradient.element_count() : size;
  const std::size_t bytes = element_size(out.dtype());
  call.parallel_for(
      static_cast<std::size_t>(out.element_count()), 2, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const std::int64_t place = int_at(places, i);
          require(place >= 0 && place < limit, "Invalid element index in argmax: ", place,
                  " is not in [0, ", limit, ")");
          const std::int64_t from = place + (with_batch ? 0 : i / windows * size);
          std::memcpy(element_at(out, i), element_at(gradient, from), bytes);
        }
      });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMaxPoolGradGradWithArgmax, .run = max_pool_grad_grad_with_argmax},
};

}  // namespace

extern const KernelTable kPoolArgmaxCpu{kEntries};

}  // namespace rill
