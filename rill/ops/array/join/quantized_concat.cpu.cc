#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/levels/level_move.h"

namespace rill {

extern const OpDecl kQuantizedConcat;

namespace {

template <class T>
void concat_quantized(const KernelCall& call, const Tensor& input, std::int64_t rows,
                      std::int64_t position, const LevelRange& from, const LevelRange& to,
                      const QuantizedType& type) {
  const Tensor& output = call.output_tensor(0);
  const std::int64_t out_row = output.element_count() / rows, row = input.element_count() / rows;
  const auto* const src = static_cast<const T*>(input.raw_data());
  auto* const dst = static_cast<T*>(output.raw_data());
  const LevelMove<T, T> move(from, type, to, type);
  call.parallel_for(
      static_cast<std::size_t>(rows), static_cast<double>(std::max<std::int64_t>(row, 1)),
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const T* const in = src + i * row;
          T* const out = dst + i * out_row + position;
          if (from == to)
            std::copy_n(in, row, out);
          else
            std::transform(in, in + row, out, move);
        }
      });
}

void quantized_concat(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  const int count = (call.input_count() - 1) / 3;
  const auto range_of = [&](int i) {
    return LevelRange{call.input<float>(1 + count + i)[0], call.input<float>(1 + 2 * count + i)[0]};
  };
  LevelRange whole = range_of(0);
  for (int i = 1; i < count; ++i)
    whole = {std::min(whole.min, range_of(i).min), std::max(whole.max, range_of(i).max)};
  const DType dtype = base_type(output.dtype());
  const QuantizedType type = quantized_type(dtype);
  const float largest = std::max(std::abs(whole.min), std::abs(whole.max));
  if (type.is_signed) whole = {-largest, largest};  // so that zero is in the middle
  call.output<float>(1)[0] = whole.min;
  call.output<float>(2)[0] = whole.max;
  if (output.element_count() == 0) return;
  std::int64_t axis = int_at(call.input_tensor(0), 0);
  if (axis < 0) axis += output.rank();
  std::int64_t rows = 1, position = 0;
  for (int i = 0; i < axis; ++i) rows *= output.dim(i);
  for (int i = 0; i < count; ++i) {
    const Tensor& input = call.input_tensor(1 + i);
    const auto copy =
        dtype == DType::qu8 ? concat_quantized<std::uint8_t> : concat_quantized<std::int32_t>;
    copy(call, input, rows, position, range_of(i), whole, type);
    position += input.element_count() / rows;
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedConcat, .types = DType::qu8 | DType::qi32, .run = quantized_concat},
};

}  // namespace

extern const KernelTable kQuantizedConcatCpu{kEntries};

}  // namespace rill
