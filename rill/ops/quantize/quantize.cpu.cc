#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/levels/quantized_type.h"
#include "rill/ops/math/rows/cast_rows.h"
#include "rill/ops/quantize/quantize_rows.h"

namespace rill {

extern const OpDecl kQuantizeV2, kDequantize;

namespace {

enum class Mode : unsigned char { kMinCombined, kMinFirst, kScaled };

constexpr std::size_t kBlock = 512;

struct State final : KernelState {
  QuantizedType type;
  Mode mode;
  LevelRounding rounding = LevelRounding::kHalfAwayFromZero;
  UnaryRow cast;
};

std::unique_ptr<State> state_of(const KernelNode& node) {
  const auto& mode = node.attr<std::string>("mode");
  auto state = std::make_unique<State>();
  state->type = quantized_type(node.attr<DType>("T"));
  state->mode = mode == "SCALED"      ? Mode::kScaled
                : mode == "MIN_FIRST" ? Mode::kMinFirst
                                      : Mode::kMinCombined;
  return state;
}

std::unique_ptr<KernelState> make_quantize(const KernelNode& node) {
  auto state = state_of(node);
  if (node.attr<std::string>("round_mode") == "HALF_TO_EVEN") {
    require(state->mode == Mode::kScaled,
            "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '",
            node.attr<std::string>("mode"), "'.");
    state->rounding = LevelRounding::kHalfToEven;
  }
  state->cast = find_cast_row(DType::f32, state->type.storage);
  return state;
}

std::unique_ptr<KernelState> make_dequantize(const KernelNode& node) {
  auto state = state_of(node);
  state->cast = find_cast_row(state->type.storage, DType::f32);
  return state;
}

struct Range {
  float min, max;
};

// Zero belongs to every range, and none is so small that dividing by it goes wrong.
Range widened_range(float min, float max) {
  require(!(max < min), "input_max_range must be larger than input_min_range: ", max, " < ", min);
  const float least = std::max(1.0f, std::max(std::abs(min), std::abs(max))) * 0.01f;
  const float low = std::min(0.0f, min);
  return {low, std::max(0.0f, std::max(max, low + least))};
}

// The half of the numbers that lie below zero.
double half_range(const QuantizedType& type) { return type.is_signed ? type.step_count() / 2 : 0; }

LevelSteps combined_steps(const QuantizedType& type, const Range& range) {
  const auto scale = static_cast<float>((type.highest - type.lowest) / (range.max - range.min));
  if (!type.is_signed)
    return {.low = range.min,
            .high = range.max,
            .first = range.min,
            .scale = scale,
            .before = -0.5f,
            .rounding = LevelRounding::kNone};
  return {.low = range.min,
          .high = range.max,
          .first = range.min,
          .scale = scale,
          .before = static_cast<float>(half_range(type))};
}

// One step more than there are numbers, so that the first and the last are ends of the range.
double stretched(const QuantizedType& type, const Range& range) {
  const double steps = type.step_count();
  return static_cast<double>(range.max - range.min) * (steps / (steps - 1));
}

LevelSteps min_first_steps(const QuantizedType& type, const Range& range) {
  const auto scale = static_cast<float>(type.step_count() / stretched(type, range));
  const auto lowest = static_cast<float>(type.lowest);
  float highest = static_cast<float>(type.highest);
  if (highest > type.highest) highest = std::nextafter(highest, 0.0f);  // beyond the last int32
  return {.scale = scale,
          .after = std::round(range.min * scale) - lowest,
          .lowest = lowest,
          .highest = highest};
}

// The scale for which both ends of the range fit; `range` becomes what the type then covers.
LevelSteps scaled_steps(const QuantizedType& type, Range& range, LevelRounding rounding) {
  const auto lowest = static_cast<float>(type.lowest), highest = static_cast<float>(type.highest);
  constexpr float kNone = std::numeric_limits<float>::max();
  const float from_min = lowest * range.min > 0 ? lowest / range.min : kNone;
  const float from_max = highest * range.max > 0 ? highest / range.max : kNone;
  const float scale = std::min(from_min, from_max);
  range = {lowest / scale, highest / scale};
  return {.low = range.min, .high = range.max, .scale = scale, .rounding = rounding};
}

LevelSteps steps_of(const State& state, Range& range) {
  switch (state.mode) {
    case Mode::kMinFirst:
      return min_first_steps(state.type, range);
    case Mode::kScaled:
      return scaled_steps(state.type, range, state.rounding);
    case Mode::kMinCombined:
      break;
  }
  return combined_steps(state.type, range);
}

void quantize(KernelCall& call) {
  const State& state = call.state<State>();
  Range range = widened_range(call.input<float>(1)[0], call.input<float>(2)[0]);
  const LevelSteps steps = steps_of(state, range);
  const LevelRow row = find_level_row(steps.rounding);
  const auto x = call.input<float>(0);
  const Tensor& out = call.output_tensor(0);
  const std::size_t size = element_size(out.dtype());
  call.parallel_for(x.size(), 1, [&](std::size_t begin, std::size_t end) {
    alignas(64) float levels[kBlock];
    for (std::size_t i = begin; i < end; i += kBlock) {
      const std::size_t n = std::min(kBlock, end - i);
      row(levels, &x[i], n, steps);
      state.cast(static_cast<char*>(out.raw_data()) + i * size, levels, n);
    }
  });
  call.output<float>(1)[0] = range.min;
  call.output<float>(2)[0] = range.max;
}

// A level stands for (level + before) * scale + offset.
struct Affine {
  float before, scale, offset;
};

Affine meaning_of(const State& state, const Range& range) {
  const QuantizedType& type = state.type;
  const auto lowest = static_cast<float>(type.lowest), highest = static_cast<float>(type.highest);
  if (state.mode == Mode::kScaled) {
    const float from_max = range.max / highest;
    return {0, type.is_signed ? std::max(range.min / lowest, from_max) : from_max, 0};
  }
  if (state.mode == Mode::kMinCombined)
    return {static_cast<float>(half_range(type)), (range.max - range.min) / (highest - lowest),
            range.min};
  const auto scale = static_cast<float>(stretched(type, range) / type.step_count());
  const float first = scale == 0 ? range.min : std::round(range.min / scale) * scale;
  return {-lowest, scale, first};
}

void dequantize(KernelCall& call) {
  const State& state = call.state<State>();
  const Affine meaning = meaning_of(state, {call.input<float>(1)[0], call.input<float>(2)[0]});
  const Tensor& x = call.input_tensor(0);
  const auto out = call.output<float>(0);
  const std::size_t size = element_size(x.dtype());
  call.parallel_for(out.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += kBlock) {
      const std::size_t n = std::min(kBlock, end - i);
      state.cast(&out[i], static_cast<const char*>(x.raw_data()) + i * size, n);
      run_affine_row(&out[i], &out[i], n, meaning.before, meaning.scale, meaning.offset);
    }
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizeV2, .types = kQuantizedTypes, .run = quantize, .make_state = make_quantize},
    {.op = &kDequantize,
     .types = kQuantizedTypes,
     .run = dequantize,
     .make_state = make_dequantize},
};

}  // namespace

extern const KernelTable kQuantizeCpu{kEntries};

}  // namespace rill
