#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/element_types.h"

namespace rill {

extern const OpDecl kOneHot;

namespace {

// The output is [before, depth, after] where the indices are [before, after].
template <class Index>
void set_hot(const KernelCall& call, std::int64_t depth, std::int64_t after) {
  const auto indices = call.input<Index>(0);
  const Tensor& output = call.output_tensor(0);
  with_element_type(output.dtype(), [&]<class T>(T*) {
    const T& on = *static_cast<const T*>(call.input_tensor(2).raw_data());
    T* dst = static_cast<T*>(output.raw_data());
    call.parallel_for(indices.size(), 5, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto index = static_cast<std::int64_t>(indices[i]);
        if (index < 0 || index >= depth) continue;
        const std::int64_t row = static_cast<std::int64_t>(i) / after;
        dst[(row * depth + index) * after + static_cast<std::int64_t>(i) % after] = on;
      }
    });
  });
}

template <class Index>
void one_hot(KernelCall& call) {
  const Tensor &indices = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const auto axis = call.node().attr<std::int64_t>("axis");
  std::int64_t after = 1;
  for (int d = axis < 0 ? indices.rank() : static_cast<int>(axis); d < indices.rank(); ++d)
    after *= indices.dim(d);
  fill_elements(call, output.dtype(), output.raw_data(), call.input_tensor(3).raw_data(),
                output.element_count());
  set_hot<Index>(call, output.element_count() / indices.element_count(), after);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kOneHot, .run = one_hot<std::uint8_t>, .types2 = DType::u8},
    {.op = &kOneHot, .run = one_hot<std::int32_t>, .types2 = DType::i32},
    {.op = &kOneHot, .run = one_hot<std::int64_t>, .types2 = DType::i64},
};

}  // namespace

extern const KernelTable kOneHotCpu{kEntries};

}  // namespace rill
