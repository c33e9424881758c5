#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/quantize/quantize_step.h"

#define HWY_TARGET_INCLUDE "rill/ops/quantize/quantize_and_dequantize.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class T, bool half_up>
void multiples_row(T* out, const T* x, std::size_t n, const QuantizeStep<T>& step) {
  const QuantizeStep<T> s = step;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const T below = s.high < x[i] ? s.high : x[i];  // NaN stays
    const T place = (below < s.low ? s.low : below) * s.scale;
    out[i] = (half_up ? std::floor(place + T(0.5)) : std::nearbyint(place)) * s.step;
  }
}

template <class T>
void run_multiples(T* out, const T* x, std::size_t n, const QuantizeStep<T>& step) {
  if (step.half_up)
    multiples_row<T, true>(out, x, n, step);
  else
    multiples_row<T, false>(out, x, n, step);
}

}  // namespace

void float_multiples(float* out, const float* x, std::size_t n, const QuantizeStep<float>& step) {
  run_multiples(out, x, n, step);
}
void double_multiples(double* out, const double* x, std::size_t n,
                      const QuantizeStep<double>& step) {
  run_multiples(out, x, n, step);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kQuantizeAndDequantize, kQuantizeAndDequantizeV2, kQuantizeAndDequantizeV3;

namespace {

HWY_EXPORT(float_multiples);
HWY_EXPORT(double_multiples);

struct State final : KernelState {
  bool is_signed = true, range_given = false, narrow = false, half_up = false;
  std::int64_t bits = 0;                         // 0: an input says
  std::optional<std::pair<float, float>> range;  // where attributes say
};

std::unique_ptr<State> state_of(const KernelNode& node) {
  auto state = std::make_unique<State>();
  state->is_signed = node.attr<bool>("signed_input");
  state->range_given = node.attr<bool>("range_given");
  return state;
}

void check_bits(std::int64_t bits, bool is_signed) {
  require(bits > 0 && bits < (is_signed ? 62 : 63), "num_bits is out of range: ", bits,
          " with signed_input_ ", is_signed ? 1 : 0);
}

std::unique_ptr<KernelState> make_first(const KernelNode& node) {
  auto state = state_of(node);
  state->bits = node.attr<std::int64_t>("num_bits");
  check_bits(state->bits, state->is_signed);
  const float min = node.attr<float>("input_min"), max = node.attr<float>("input_max");
  require(!state->range_given || min <= max, "Invalid range: input_min ", min, " > input_max ",
          max);
  state->range = {min, max};
  return state;
}

std::unique_ptr<KernelState> make_second(const KernelNode& node) {
  auto state = state_of(node);
  state->bits = node.attr<std::int64_t>("num_bits");
  check_bits(state->bits, state->is_signed);
  state->narrow = node.attr<bool>("narrow_range");
  state->half_up = node.attr<std::string>("round_mode") == "HALF_UP";
  return state;
}

std::unique_ptr<KernelState> make_third(const KernelNode& node) {
  auto state = state_of(node);
  state->narrow = node.attr<bool>("narrow_range");
  return state;
}

template <class T>
struct Limits {
  T min, max;
};

// Lanes that do not wait for each other; a NaN takes over its lane.
template <class T>
Limits<T> limits_of(const KernelCall& call, std::span<const T> x) {
  constexpr std::size_t kLanes = 32, kBlock = 16384;
  std::vector<Limits<T>> found((x.size() + kBlock - 1) / kBlock);
  call.parallel_for(found.size(), kBlock * 0.3, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto part = x.subspan(b * kBlock, std::min(kBlock, x.size() - b * kBlock));
      T low[kLanes], high[kLanes];
      std::fill_n(low, kLanes, part[0]);
      std::fill_n(high, kLanes, part[0]);
      const auto take = [&](std::size_t lane, T value) {
        low[lane] = (value < low[lane]) | (value != value) ? value : low[lane];
        high[lane] = (value > high[lane]) | (value != value) ? value : high[lane];
      };
      std::size_t i = 0;
      for (; i + kLanes <= part.size(); i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) take(lane, part[i + lane]);
      for (; i < part.size(); ++i) take(0, part[i]);
      for (std::size_t lane = 1; lane < kLanes; ++lane) {
        take(0, low[lane]);
        take(0, high[lane]);
      }
      found[b] = {low[0], high[0]};
    }
  });
  Limits<T> all = found[0];
  for (const Limits<T>& part : found) {
    if (part.min < all.min || part.min != part.min) all.min = part.min;
    if (part.max > all.max || part.max != part.max) all.max = part.max;
  }
  return all;
}

template <class T>
Limits<T> given_limits(const KernelCall& call, const State& state) {
  if (state.range) return {T(state.range->first), T(state.range->second)};
  const Limits<T> given = {call.input<T>(1)[0], call.input<T>(2)[0]};
  require(given.min <= given.max, "Invalid range: input_min ", given.min, " > input_max ",
          given.max);
  return given;
}

// The step is the larger of those that either end of the range asks for; the other end moves.
template <class T>
QuantizeStep<T> step_for(const State& state, std::int64_t bits, Limits<T> range) {
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  const T lowest = state.is_signed ? T(state.narrow ? 1 - half : -half) : T(0);
  const T highest = state.is_signed ? T(half - 1) : T(2 * half - 1);
  constexpr T kNone = std::numeric_limits<T>::max();
  const T from_min = lowest * range.min > 0 ? lowest / range.min : kNone;
  const T from_max = highest * range.max > 0 ? highest / range.max : kNone;
  QuantizeStep<T> step{range.min, range.max, 0, 0, state.half_up};
  if (from_min < from_max) {
    step.scale = from_min;
    step.step = range.min / lowest;
    step.high = highest * step.step;
  } else {
    step.scale = from_max;
    step.step = range.max / highest;
    step.low = lowest * step.step;
  }
  if (state.range_given) return step;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  step.low = -kInfinity;
  step.high = kInfinity;
  return step;
}

template <class T>
void quantize_and_dequantize(KernelCall& call) {
  const State& state = call.state<State>();
  const auto x = call.input<T>(0);
  const auto out = call.output<T>(0);
  std::int64_t bits = state.bits;
  if (bits == 0) {
    bits = call.input<std::int32_t>(3)[0];
    check_bits(bits, state.is_signed);
  }
  std::optional<Limits<T>> limits;
  if (state.range_given) limits = given_limits<T>(call, state);
  if (out.empty()) return;
  const QuantizeStep<T> step = step_for(state, bits, limits ? *limits : limits_of(call, x));
  call.parallel_for(out.size(), 0.6, [&](std::size_t begin, std::size_t end) {
    if constexpr (std::is_same_v<T, float>)
      HWY_DYNAMIC_DISPATCH(float_multiples)(&out[begin], &x[begin], end - begin, step);
    else
      HWY_DYNAMIC_DISPATCH(double_multiples)(&out[begin], &x[begin], end - begin, step);
  });
}

template <class T>
constexpr KernelEntry entry(const OpDecl* op, MakeState make_state) {
  return {
      .op = op, .types = dtype_of<T>, .run = quantize_and_dequantize<T>, .make_state = make_state};
}

constexpr KernelEntry kEntries[] = {
    entry<float>(&kQuantizeAndDequantize, make_first),
    entry<double>(&kQuantizeAndDequantize, make_first),
    entry<float>(&kQuantizeAndDequantizeV2, make_second),
    entry<double>(&kQuantizeAndDequantizeV2, make_second),
    entry<float>(&kQuantizeAndDequantizeV3, make_third),
    entry<double>(&kQuantizeAndDequantizeV3, make_third),
};

}  // namespace

extern const KernelTable kQuantizeAndDequantizeCpu{kEntries};

}  // namespace rill
#endif
