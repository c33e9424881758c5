#include <array>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/bytes.h"
#include "rill/ops/eight_bit/pair_bytes.h"

namespace rill {

extern const OpDecl kQuantizedAdd, kQuantizedMul, kQuantizedBiasAdd;

namespace {

const char* accept_arithmetic(const KernelNode& node) {
  if (base_type(node.output_type(0)) != DType::qi32) return "needs a result of qint32";
  return node.input_type(0) == node.input_type(1) ? nullptr : "needs two inputs of one type";
}

// A range around zero with room for `room` times the largest number of both ranges.
LevelRange range_for_sums(const LevelRange& x, const LevelRange& y, float room) {
  const float most = std::max({x.max, -x.min, y.max, -y.min}) * room;
  return {-most, most};
}

void require_ranges(const LevelRange& x, const LevelRange& y) {
  require(x.max > x.min, "max_x must be larger than min_x.");
  require(y.max > y.min, "max_y must be larger than min_y.");
}

// What each byte becomes in a range of 32-bit numbers.
ByteTable moved_one_by_one(const LevelRange& from, const LevelRange& to) {
  const QuantizedType bytes = quantized_type(DType::qu8), words = quantized_type(DType::qi32);
  ByteTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const float value = value_of_level(static_cast<double>(i), from.min, from.max, bytes);
    table[i] = static_cast<std::uint32_t>(level_of(value, to.min, to.max, words));
  }
  return table;
}

// The same as TensorFlow does it for many: bytes count from the first one on in whole steps.
ByteTable moved_in_steps(const LevelRange& from, const LevelRange& to) {
  const QuantizedType bytes = quantized_type(DType::qu8), words = quantized_type(DType::qi32);
  const auto place = [&](double level) {
    return unclamped_level(value_of_level(level, from.min, from.max, bytes), to.min, to.max, words);
  };
  const std::int64_t first = place(0);
  // As many as a range of 32 bits has at most; what lies beyond is clamped below.
  const std::int64_t step = std::clamp<std::int64_t>(place(1) - first, INT32_MIN, INT32_MAX);
  ByteTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::int64_t level = first + static_cast<std::int64_t>(i) * step;
    table[i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(level, INT32_MIN, INT32_MAX));
  }
  return table;
}

void quantized_add(KernelCall& call) {
  const LevelRange x = range_input(call, 2), y = range_input(call, 4);
  require_ranges(x, y);
  const LevelRange sums = range_for_sums(x, y, 1 << 14);
  const bool one_x = call.input_tensor(0).element_count() == 1,
             one_y = !one_x && call.input_tensor(1).element_count() == 1;
  const auto moved = [&](const LevelRange& from, bool one) {
    return one ? moved_one_by_one(from, sums) : moved_in_steps(from, sums);
  };
  add_byte_pairs(call, moved(x, one_x), moved(y, one_y));
  set_range(call, 1, sums);
}

ByteTable centred(const LevelRange& range) {
  const auto zero = static_cast<std::uint32_t>(zero_of_bytes(range));
  ByteTable table;
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint32_t>(i) - zero;
  return table;
}

void quantized_mul(KernelCall& call) {
  const LevelRange x = range_input(call, 2), y = range_input(call, 4);
  require_ranges(x, y);
  multiply_byte_pairs(call, centred(x), centred(y));
  set_range(call, 1, range_of_sums(step_of_bytes(x) * step_of_bytes(y)));
}

// What each byte becomes, in floats.
template <class Byte>
ByteTable moved_together(const LevelRange& from, const LevelRange& to, DType type) {
  const LevelMove<std::int32_t, float> move(from, quantized_type(type), to,
                                            quantized_type(DType::qi32));
  ByteTable table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint32_t>(move(static_cast<float>(static_cast<Byte>(i))));
  return table;
}

void quantized_bias_add(KernelCall& call) {
  const LevelRange input = range_input(call, 2), bias = range_input(call, 4);
  require(call.input_tensor(1).element_count() > 0, "Must provide at least 1 bias");
  const LevelRange sums = range_for_sums(input, bias, 1 << 17);
  const DType type = base_type(call.input_tensor(0).dtype());
  const auto moved =
      type == DType::qu8 ? moved_together<std::uint8_t> : moved_together<std::int8_t>;
  add_byte_pairs(call, moved(input, sums, type), moved(bias, sums, type));
  set_range(call, 1, sums);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedAdd, .types = DType::qu8, .run = quantized_add, .accept = accept_arithmetic},
    {.op = &kQuantizedMul, .types = DType::qu8, .run = quantized_mul, .accept = accept_arithmetic},
    {.op = &kQuantizedBiasAdd,
     .types = DType::qu8 | DType::qi8,
     .run = quantized_bias_add,
     .accept = accept_arithmetic},
};

}  // namespace

extern const KernelTable kQuantizedArithmeticCpu{kEntries};

}  // namespace rill
