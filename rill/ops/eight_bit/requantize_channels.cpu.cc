#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/bytes.h"
#include "rill/ops/eight_bit/finish_sums.h"

namespace rill {

extern const OpDecl kRequantizePerChannel, kRequantizationRangePerChannel;

namespace {

constexpr float kWordSteps = 2147483648.0f;  // of 32 bits on one side of zero

float largest(float min, float max) { return std::max(std::abs(min), std::abs(max)); }

// Channels stand last; each has a range.
std::int64_t channels_of(const KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &min = call.input_tensor(1), &max = call.input_tensor(2);
  require(x.rank() >= 1, "input must have at least one dimension, not shape ", x.shape());
  const std::int64_t channels = x.dim(x.rank() - 1);
  require(min.element_count() == channels, "input_min has incorrect size, expected ", channels,
          " was ", min.element_count());
  require(max.element_count() == channels, "input_max has incorrect size, expected ", channels,
          " was ", max.element_count());
  return channels;
}

void requantize_channels(KernelCall& call) {
  const std::int64_t channels = channels_of(call);
  const LevelRange to = range_input(call, 3);
  const bool is_signed = base_type(call.output_tensor(0).dtype()) == DType::qi8;
  require(!is_signed || to.min < 0,
          "If out_type is QINT8, requested_output_max must be non negative, got ", to.min);
  SumFinish finish;
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const float width = largest(call.input<float>(1)[i], call.input<float>(2)[i]);
    finish.scale.push_back((is_signed ? 127.0f : 255.0f) *
                           (width / largest(to.min, to.max) / kWordSteps));
  }
  finish_sums(call, finish, static_cast<const std::uint32_t*>(call.input_tensor(0).raw_data()),
              channels, call.output_tensor(0));
  set_range(call, 1, to);
}

void channels_range(KernelCall& call) {
  const auto channels = static_cast<std::size_t>(channels_of(call));
  const Tensor& input = call.input_tensor(0);
  const auto* const x = static_cast<const std::int32_t*>(input.raw_data());
  std::vector<std::int32_t> least(channels, INT32_MAX), most(channels, INT32_MIN);
  for (std::int64_t i = 0; i < input.element_count(); i += static_cast<std::int64_t>(channels))
    for (std::size_t c = 0; c < channels; ++c) {
      least[c] = std::min(least[c], x[i + static_cast<std::int64_t>(c)]);
      most[c] = std::max(most[c], x[i + static_cast<std::int64_t>(c)]);
    }
  float widest = 0;
  bool negative = false;
  for (std::size_t c = 0; c < channels && input.element_count() > 0; ++c) {
    const float width = largest(call.input<float>(1)[c], call.input<float>(2)[c]) / kWordSteps;
    negative |= least[c] < 0;
    widest = std::max(widest,
                      width * largest(static_cast<float>(least[c]), static_cast<float>(most[c])));
  }
  widest = std::min(widest, call.node().attr<float>("clip_value_max"));
  set_range(call, 0, {negative ? -widest : 0, widest});
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRequantizePerChannel,
     .types = DType::qi32,
     .run = requantize_channels,
     .accept = accept_byte_output},
    {.op = &kRequantizationRangePerChannel, .types = DType::qi32, .run = channels_range},
};

}  // namespace

extern const KernelTable kRequantizeChannelsCpu{kEntries};

}  // namespace rill
