#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/bytes.h"
#include "rill/ops/eight_bit/word_rows.h"

namespace rill {

extern const OpDecl kQuantizeDownAndShrinkRange, kRequantize, kRequantizationRange;

namespace {

const std::int32_t* words(const Tensor& tensor) {
  return static_cast<const std::int32_t*>(tensor.raw_data());
}

// A number that fits 64 bits; what does not comes from ranges that are no ranges.
std::int64_t fixed_point(double value, const LevelRange& from, const LevelRange& to) {
  require(std::abs(value) < 4e18, "numbers of the range [", from.min, ", ", from.max,
          "] cannot be brought into [", to.min, ", ", to.max, "]");
  return static_cast<std::int64_t>(value);
}

// Sixteen binary places, computed from floats as TensorFlow does it.
FixedPointMove fixed_point_move(const LevelRange& from, const LevelRange& to) {
  constexpr double kOne = 1 << 16;
  const float from_width = from.max - from.min, to_width = to.max - to.min;
  const auto middle = static_cast<float>((from.min + from.max) / 2.0);
  const float inverse = to_width == 0 ? 0 : static_cast<float>(255.0 / to_width);
  FixedPointMove move;
  if (to_width != 0) move.scale = fixed_point(255.0 * kOne * from_width / to_width, from, to);
  const std::int64_t in = fixed_point(middle * inverse * static_cast<float>(kOne), from, to);
  const std::int64_t out =
      to_width == 0 ? 0 : fixed_point(kOne * (to.min * 255.0) / to_width, from, to);
  move.offset = in - out + (1 << 15);
  if (const std::int64_t size = std::abs(move.scale); size > 0) {
    const std::int64_t most = INT64_MAX / size;
    move.lowest = std::max<std::int64_t>(INT32_MIN, -most);
    move.highest = std::min<std::int64_t>(INT32_MAX, most);
  }
  return move;
}

void move_to_bytes(const KernelCall& call, const LevelRange& from, const LevelRange& to) {
  const Tensor &x = call.input_tensor(0), &out = call.output_tensor(0);
  const auto count = static_cast<std::size_t>(x.element_count());
  if (base_type(out.dtype()) == DType::qu8) {
    const FixedPointMove move = fixed_point_move(from, to);
    call.parallel_for(count, 0.6, [&](std::size_t begin, std::size_t end) {
      move_words(static_cast<std::uint8_t*>(out.raw_data()) + begin, words(x) + begin, end - begin,
                 move);
    });
    return;
  }
  const LevelMove<std::int8_t, std::int32_t> move(from, quantized_type(DType::qi32), to,
                                                  quantized_type(DType::qi8));
  call.parallel_for(count, 2, [&](std::size_t begin, std::size_t end) {
    auto* const to_bytes = static_cast<std::int8_t*>(out.raw_data());
    std::transform(words(x) + begin, words(x) + end, to_bytes + begin, move);
  });
}

// What the numbers take up, with zero in it from below.
LevelRange used_range(const KernelCall& call, const LevelRange& range) {
  const Tensor& x = call.input_tensor(0);
  std::int32_t least = INT32_MAX, most = INT32_MIN;
  std::mutex mutex;
  call.parallel_for(static_cast<std::size_t>(x.element_count()), 0.1,
                    [&](std::size_t begin, std::size_t end) {
                      std::int32_t low = INT32_MAX, high = INT32_MIN;
                      find_word_range(words(x) + begin, end - begin, &low, &high);
                      const std::lock_guard lock(mutex);
                      least = std::min(least, low);
                      most = std::max(most, high);
                    });
  const QuantizedType type = quantized_type(DType::qi32);
  return {std::min(0.0f, value_of_level(least, range.min, range.max, type)),
          value_of_level(most, range.min, range.max, type)};
}

void quantize_down(KernelCall& call) {
  const LevelRange from = range_input(call, 1), to = used_range(call, from);
  move_to_bytes(call, from, to);
  set_range(call, 1, to);
}

void requantization_range(KernelCall& call) {
  set_range(call, 0, used_range(call, range_input(call, 1)));
}

void requantize(KernelCall& call) {
  const LevelRange from = range_input(call, 1), to = range_input(call, 3);
  require(to.min <= 0, "requested_output_min must be <= 0, but got ", to.min);
  require(to.max >= to.min, "requested_output_max must be >= requested_output_min, but got ",
          to.max, " and ", to.min);
  move_to_bytes(call, from, to);
  set_range(call, 1, to);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizeDownAndShrinkRange,
     .types = DType::qi32,
     .run = quantize_down,
     .types2 = DType::qu8},
    {.op = &kRequantize, .types = DType::qi32, .run = requantize, .accept = accept_byte_output},
    {.op = &kRequantizationRange, .types = DType::qi32, .run = requantization_range},
};

}  // namespace

extern const KernelTable kRequantizeCpu{kEntries};

}  // namespace rill
