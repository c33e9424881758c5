#include "rill/ops/eight_bit/conv_with.h"

#include "rill/ops/eight_bit/conv_depthwise_uint8.h"
#include "rill/ops/eight_bit/conv_with_shape.h"
#include "rill/ops/eight_bit/finish_sums.h"
#include "rill/ops/eight_bit/symmetric.h"
#include "rill/ops/nn/conv/conv_uint8.h"

namespace rill {
namespace {

struct ConvWith final : KernelState {
  bool rectifies, depthwise;
  int bias, input, filter, result, summand, summand_range;  // the first of two each; -1: none
};

// Sums of what each window sees; padding is zero.
void convolve(const KernelCall& call, bool depthwise, std::uint32_t* sums) {
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const Shape& results = call.output_tensor(0).shape();
  const Op& op = *call.node().op;
  if (!depthwise) {
    const ConvShapes shapes =
        quantized_conv_shapes(op, call.node().attrs, images.shape(), filter.shape());
    Tensor lifted_images, lifted_filter;
    return conv_uint8(call, shapes.problem(results), lifted_bytes(call, images, lifted_images),
                      lifted_zero(images.dtype()), lifted_bytes(call, filter, lifted_filter),
                      lifted_zero(filter.dtype()), sums);
  }
  const ConvProblem problem =
      quantized_depthwise_shapes(op, call.node().attrs, images.shape(), filter.shape())
          .problem(results);
  const auto* const weights = static_cast<const std::int8_t*>(filter.raw_data());
  if (base_type(images.dtype()) == DType::qi8)
    conv_depthwise_uint8(call, problem, static_cast<const std::int8_t*>(images.raw_data()), weights,
                         sums);
  else
    conv_depthwise_uint8(call, problem, byte_data(images), weights, sums);
}

// The end of the filter's range for each channel.
std::vector<float> filter_ends(const KernelCall& call, const ConvWith& state,
                               std::size_t channels) {
  const auto min = call.input<float>(state.filter), max = call.input<float>(state.filter + 1);
  std::vector<float> ends(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::size_t i = min.size() == 1 ? 0 : c;
    ends[c] = farther_end(min[i], max[i]);
  }
  return ends;
}

void set_word_ranges(const KernelCall& call, const ConvWith& state) {
  const auto min = call.input<float>(state.filter), max = call.input<float>(state.filter + 1);
  const LevelRange input = range_input(call, state.input);
  const float step = step_of_width(input.min, input.max, call.input_tensor(0).dtype());
  for (std::size_t c = 0; c < min.size(); ++c) {
    const LevelRange range = range_of_sums(step * step_of_width(min[c], max[c], DType::qi8));
    call.output<float>(1)[c] = range.min;
    call.output<float>(2)[c] = range.max;
  }
}

void set_summand(const KernelCall& call, const ConvWith& state, const std::vector<float>& steps,
                 SumFinish& finish) {
  finish.summand = &call.input_tensor(state.summand);
  if (state.summand_range < 0) {
    finish.summand_steps = steps;
    return;
  }
  const DType result = call.output_tensor(0).dtype();
  finish.summand_scale = highest_level(result) / highest_level(finish.summand->dtype()) *
                         farther_end(range_input(call, state.summand_range)) /
                         farther_end(range_input(call, state.result));
}

}  // namespace

template <bool kRectifies, bool kDepthwise>
std::unique_ptr<KernelState> make_conv_with(const KernelNode& node) {
  auto state = std::make_unique<ConvWith>();
  state->rectifies = kRectifies;
  state->depthwise = kDepthwise;
  state->bias = input_named(*node.op, "bias");
  state->input = input_named(*node.op, "min_input");
  state->filter = input_named(*node.op, "min_filter");
  state->result = input_named(*node.op, "min_freezed_output");
  state->summand = input_named(*node.op, "summand");
  state->summand_range = input_named(*node.op, "min_summand");
  return state;
}
template std::unique_ptr<KernelState> make_conv_with<false, false>(const KernelNode&);
template std::unique_ptr<KernelState> make_conv_with<true, false>(const KernelNode&);
template std::unique_ptr<KernelState> make_conv_with<false, true>(const KernelNode&);
template std::unique_ptr<KernelState> make_conv_with<true, true>(const KernelNode&);

const char* accept_conv_with(const KernelNode& node) {
  if (const int i = input_named(*node.op, "summand");
      i >= 0 && node.input_type(i) != DType::f32 && !is_byte_type(node.input_type(i)))
    return "needs a summand of bytes";
  const DType result = node.output_type(0);
  if (input_named(*node.op, "min_freezed_output") >= 0)
    return is_byte_type(result) ? nullptr : "needs out_type quint8 or qint8";
  return base_type(result) == DType::qi32 ? nullptr : "needs out_type qint32";
}

void run_conv_with(KernelCall& call) {
  const ConvWith& state = call.state<ConvWith>();
  const Tensor& out = call.output_tensor(0);
  const std::int64_t channels = out.dim(3);
  const bool requantizes = state.result >= 0;
  const auto filter = filter_ends(call, state, static_cast<std::size_t>(channels));
  const float input = farther_end(range_input(call, state.input)),
              levels = highest_level(call.input_tensor(0).dtype()) * 127;
  std::vector<float> steps;  // how many levels of the sums make up 1
  for (const float end : filter) steps.push_back(levels / (input * end));
  Tensor sums = out;
  if (requantizes)
    sums = Tensor(DType::qi32, out.shape(), call.device().allocator(MemoryKind::host));
  auto* const words = static_cast<std::uint32_t*>(sums.raw_data());
  convolve(call, state.depthwise, words);
  SumFinish finish{.rectifies = state.rectifies};
  if (state.bias >= 0) finish.bias = bias_levels(call.input_tensor(state.bias), steps);
  if (state.summand >= 0) set_summand(call, state, steps, finish);
  if (requantizes) {
    const LevelRange range = range_input(call, state.result);
    for (const float end : filter)
      finish.scale.push_back(highest_level(out.dtype()) * input * end /
                             (levels * farther_end(range)));
    set_range(call, 1, range);
  } else {
    set_word_ranges(call, state);
  }
  finish_sums(call, finish, words, channels, out);
}

}  // namespace rill
