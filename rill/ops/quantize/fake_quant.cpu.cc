#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/quantize/fake_quant_columns.h"

#define HWY_TARGET_INCLUDE "rill/ops/quantize/fake_quant.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {

// `out` may be x or dy. An inverse of zero marks an empty range [0, 0].

void fake_quant_row(float* out, const float* x, std::size_t n, const QuantColumns& columns) {
  const float *low = columns.low.data(), *high = columns.high.data(), *zero = columns.zero.data();
  const float *scale = columns.scale.data(), *inverse = columns.inverse.data();
#pragma GCC ivdep
  for (std::size_t c = 0; c < n; ++c) {
    const float below = high[c] < x[c] ? high[c] : x[c];  // NaN stays
    const float clamped = below < low[c] ? low[c] : below;
    const float level = std::floor((clamped - low[c]) * inverse[c] - zero[c] + 0.5f);
    out[c] = inverse[c] == 0 ? 0 : level * scale[c];
  }
}

void fake_quant_grad_row(float* out, const float* dy, const float* x, std::size_t n,
                         const QuantColumns& columns, float* below_sum, float* above_sum) {
  const float *low = columns.low.data(), *high = columns.high.data();
  const float* inverse = columns.inverse.data();
#pragma GCC ivdep
  for (std::size_t c = 0; c < n; ++c) {
    const bool empty = inverse[c] == 0;
    const bool inside = empty | ((x[c] >= low[c]) & (x[c] <= high[c]));
    const bool below = !empty & (x[c] < low[c]), above = !empty & (x[c] > high[c]);
    const float gradient = dy[c];  // times zero, not skipped: what is no number stays none
    below_sum[c] += gradient * (below ? 1.0f : 0.0f);
    above_sum[c] += gradient * (above ? 1.0f : 0.0f);
    out[c] = gradient * (inside ? 1.0f : 0.0f);
  }
}

// The same without the sums.
void fake_quant_pass_row(float* out, const float* dy, const float* x, std::size_t n,
                         const QuantColumns& columns) {
  const float *low = columns.low.data(), *high = columns.high.data();
  const float* inverse = columns.inverse.data();
#pragma GCC ivdep
  for (std::size_t c = 0; c < n; ++c) {
    const bool inside = (inverse[c] == 0) | ((x[c] >= low[c]) & (x[c] <= high[c]));
    out[c] = dy[c] * (inside ? 1.0f : 0.0f);
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kFakeQuantWithMinMaxArgs, kFakeQuantWithMinMaxArgsGradient,
    kFakeQuantWithMinMaxVars, kFakeQuantWithMinMaxVarsGradient, kFakeQuantWithMinMaxVarsPerChannel,
    kFakeQuantWithMinMaxVarsPerChannelGradient;

namespace {

HWY_EXPORT(fake_quant_row);
HWY_EXPORT(fake_quant_grad_row);
HWY_EXPORT(fake_quant_pass_row);

struct State final : KernelState {
  QuantLevels levels;
  std::vector<float> min, max;  // where they are attributes
};

std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  auto state = std::make_unique<State>();
  state->levels =
      quant_levels(node.attr<std::int64_t>("num_bits"), node.attr<bool>("narrow_range"));
  return state;
}

std::unique_ptr<KernelState> make_state_with_limits(const KernelNode& node) {
  auto state = make_state(node);
  auto& limits = static_cast<State&>(*state);
  const float min = node.attr<float>("min"), max = node.attr<float>("max");
  require(min < max, "min has to be smaller than max, was: ", min, " >= ", max);
  limits.min = {min};
  limits.max = {max};
  return state;
}

// The limits come from the attributes or stand at `min_input` and the input after it.
QuantColumns columns_of(const KernelCall& call, int min_input) {
  const State& state = call.state<State>();
  if (!state.min.empty()) return quant_columns(state.min, state.max, state.levels);
  return quant_columns(call.input<float>(min_input), call.input<float>(min_input + 1),
                       state.levels);
}

constexpr std::size_t kBlockRows = 64;

void fake_quant(KernelCall& call) {
  const auto x = call.input<float>(0);
  const auto out = call.output<float>(0);
  if (out.empty()) return;
  const QuantColumns columns = columns_of(call, 1);
  const std::size_t width = columns.width(), row_count = (out.size() + width - 1) / width;
  call.parallel_for(
      row_count, static_cast<double>(width) * 0.5, [&](std::size_t begin, std::size_t end) {
        const auto row = HWY_DYNAMIC_DISPATCH(fake_quant_row);
        for (std::size_t at = begin * width; at < std::min(end * width, out.size()); at += width)
          row(&out[at], &x[at], std::min(width, out.size() - at), columns);
      });
}

// Sums of one block of rows, by column.
struct Sums {
  std::vector<float> below, above;
};

void pass_inside(const KernelCall& call, const QuantColumns& columns) {
  const auto dy = call.input<float>(0), x = call.input<float>(1);
  const auto out = call.output<float>(0);
  const std::size_t width = columns.width(), row_count = (out.size() + width - 1) / width;
  call.parallel_for(
      row_count, static_cast<double>(width) * 0.4, [&](std::size_t begin, std::size_t end) {
        const auto row = HWY_DYNAMIC_DISPATCH(fake_quant_pass_row);
        for (std::size_t at = begin * width; at < std::min(end * width, out.size()); at += width)
          row(&out[at], &dy[at], &x[at], std::min(width, out.size() - at), columns);
      });
}

void fake_quant_gradient(KernelCall& call) {
  const auto dy = call.input<float>(0), x = call.input<float>(1);
  const auto out = call.output<float>(0);
  const bool sums_wanted = call.output_count() == 3;
  if (sums_wanted)
    for (int i = 1; i < 3; ++i) std::ranges::fill(call.output<float>(i), 0.0f);
  if (out.empty()) return;
  const QuantColumns columns = columns_of(call, 2);
  if (!sums_wanted) return pass_inside(call, columns);
  const std::size_t width = columns.width(), block = width * kBlockRows;
  std::vector<Sums> sums((out.size() + block - 1) / block);
  call.parallel_for(
      sums.size(), static_cast<double>(block), [&](std::size_t begin, std::size_t end) {
        const auto row = HWY_DYNAMIC_DISPATCH(fake_quant_grad_row);
        for (std::size_t b = begin; b < end; ++b) {
          Sums& sum = sums[b];
          sum.below.resize(width);
          sum.above.resize(width);
          for (std::size_t at = b * block; at < std::min((b + 1) * block, out.size()); at += width)
            row(&out[at], &dy[at], &x[at], std::min(width, out.size() - at), columns,
                sum.below.data(), sum.above.data());
        }
      });
  const auto to_min = call.output<float>(1), to_max = call.output<float>(2);
  std::vector<double> below(to_min.size()), above(to_min.size());
  for (const Sums& sum : sums)
    for (std::size_t c = 0; c < width; ++c) {
      below[c % below.size()] += static_cast<double>(sum.below[c]);
      above[c % above.size()] += static_cast<double>(sum.above[c]);
    }
  std::ranges::transform(below, to_min.begin(), [](double v) { return static_cast<float>(v); });
  std::ranges::transform(above, to_max.begin(), [](double v) { return static_cast<float>(v); });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kFakeQuantWithMinMaxArgs, .run = fake_quant, .make_state = make_state_with_limits},
    {.op = &kFakeQuantWithMinMaxArgsGradient,
     .run = fake_quant_gradient,
     .make_state = make_state_with_limits},
    {.op = &kFakeQuantWithMinMaxVars, .run = fake_quant, .make_state = make_state},
    {.op = &kFakeQuantWithMinMaxVarsGradient, .run = fake_quant_gradient, .make_state = make_state},
    {.op = &kFakeQuantWithMinMaxVarsPerChannel, .run = fake_quant, .make_state = make_state},
    {.op = &kFakeQuantWithMinMaxVarsPerChannelGradient,
     .run = fake_quant_gradient,
     .make_state = make_state},
};

}  // namespace

extern const KernelTable kFakeQuantCpu{kEntries};

}  // namespace rill
#endif
