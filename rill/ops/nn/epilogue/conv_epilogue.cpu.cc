#include <algorithm>

#include "rill/base/log.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/conv/conv_im2col.h"
#include "rill/ops/nn/conv/conv_loops.h"
#include "rill/ops/nn/conv/conv_one_channel.h"
#include "rill/ops/nn/conv/conv_onednn.h"
#include "rill/ops/nn/conv/conv_tiled.h"
#include "rill/ops/nn/conv/prepacked.h"
#include "rill/ops/nn/depthwise/conv_depthwise.h"
#include "rill/ops/nn/depthwise/depthwise_shape.h"
#include "rill/ops/nn/epilogue/epilogue.h"
#include "rill/ops/nn/winograd/conv_winograd.h"

namespace rill {

extern const OpDecl kConv2DEpilogue, kDepthwiseConv2dEpilogue;

namespace {

// The filter with what follows by channel multiplied into it, and what is left to add.
struct Prepared {
  Tensor filter;
  std::vector<float> offset;
  PackedFilters packed;
  PrepackedTileFilter tiles;
  PrepackedWinogradFilter winograd;
};

struct ConvEpilogue : KernelState {
  explicit ConvEpilogue(const KernelNode& node)
      : epilogue(node, 2),
        prepack(node.attr<bool>("prepack")),
        lowered(node.attrs.contains("lowered") && node.attr<bool>("lowered")) {}
  Epilogue epilogue;
  bool prepack, lowered;
  mutable Prepacked<Prepared> prepared;
};

std::unique_ptr<KernelState> make_conv_epilogue(const KernelNode& node) {
  return std::make_unique<ConvEpilogue>(node);
}

Tensor scaled(const KernelCall& call, const Tensor& filter, const std::vector<float>& slope) {
  if (slope.empty()) return filter;
  Tensor result(DType::f32, filter.shape(), call.device().allocator(MemoryKind::host));
  const float* from = filter.data<float>();
  float* to = result.data<float>();
  for (std::int64_t i = 0; i < filter.element_count(); i += static_cast<std::int64_t>(slope.size()))
    for (std::size_t c = 0; c < slope.size(); ++c) *to++ = *from++ * slope[c];
  return result;
}

std::shared_ptr<Prepared> prepare(const KernelCall& call, const ConvEpilogue& state,
                                  std::int64_t channels) {
  std::vector<Tensor> from;
  const Tensor* const side = state.epilogue.side(call);
  for (int i = 1; state.prepack && i < call.input_count(); ++i)
    if (&call.input_tensor(i) != side) from.push_back(call.input_tensor(i));
  return state.prepared.find(std::move(from), state.prepack, [&] {
    auto made = std::make_shared<Prepared>();
    auto by_channel = state.epilogue.channels(call, channels);
    made->filter = scaled(call, call.input_tensor(1), by_channel.slope);
    made->offset = std::move(by_channel.offset);
    return made;
  });
}

void convolve_full(const KernelCall& call, const ConvProblem& p, const float* x, Prepared& by,
                   bool prepack, float* y, const RangeDone& done) {
  if (!prepack && has_few_positions(p)) {
    conv_im2col(call, ConvWork::kForward, p, const_cast<float*>(x), by.filter.data<float>(), y);
    return done(0, p.batch * p.positions() * p.out_channels);
  }
  if (has_one_channel(p)) return conv_one_channel(call, p, x, by.filter.data<float>(), y, done);
  if (suits_winograd(p, prepack)) {
    const Tensor& turned =
        by.winograd.find([&] { return winograd_filter(call, p, by.filter.data<float>()); });
    return conv_winograd(call, p, x, turned, y, done);
  }
  const char* why = conv_onednn(call, ConvWork::kForward, p, const_cast<float*>(x),
                                by.filter.data<float>(), y, done, &by.packed);
  if (why == nullptr) return;
  if (log_topic_enabled("kernel"))
    log_topic_line("kernel", str_cat(call.node().name, ": conv:onednn declined (", why,
                                     "), conv:patches chosen"));
  convolve<float>(call, p, x, by.filter.data<float>(), y, done);
}

// With images and filter rounded to bfloat16. False where that does not pay.
bool convolve_lowered(const KernelCall& call, const ConvProblem& p, const float* x, Prepared& by,
                      float* y, TileRowDone done) {
  if (!tiles_convolve(p, TileSource::kFloat)) return false;
  const TileMatrix& filter = by.tiles.find(
      [&] { return packed_tile_filter(call, p, TileSource::kFloat, by.filter.raw_data()); });
  return conv_tiled(call, p, TileSource::kFloat, x, filter, y, done);
}

template <bool apart>
void conv_epilogue(KernelCall& call) {
  const auto& state = call.state<ConvEpilogue>();
  const Epilogue& epilogue = state.epilogue;
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const Op& op = *call.node().op;
  const AttrMap& attrs = call.node().attrs;
  const ConvShapes shapes = apart ? depthwise_shapes(op, attrs, images.shape(), filter.shape())
                                  : ConvShapes(op, attrs, images.shape(), filter.shape());
  const Shape result = shapes.results().full();
  const ConvProblem problem = shapes.problem(result);
  const auto by = prepare(call, state, problem.out_channels);
  const Tensor* side = epilogue.side(call);
  const bool stretches = side != nullptr && !(side->shape() == result);
  const Tensor y =
      stretches ? Tensor(DType::f32, result, call.device().allocator(MemoryKind::host)) : out;
  const float* const offset = by->offset.empty() ? nullptr : by->offset.data();
  const float* const added = side == nullptr || stretches ? nullptr : side->data<float>();
  const RangeDone done = [&](std::int64_t begin, std::int64_t end) {
    epilogue.finish(y.data<float>() + begin, offset, added ? added + begin : nullptr,
                    static_cast<std::size_t>((end - begin) / problem.out_channels),
                    static_cast<std::size_t>(problem.out_channels), !stretches);
  };
  const auto finish_part = [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
    epilogue.finish(static_cast<float*>(at), offset ? offset + begin : nullptr,
                    added ? added + row * problem.out_channels + begin : nullptr, 1,
                    static_cast<std::size_t>(end - begin), !stretches);
  };
  if (problem.patch_size() == 0) {
    std::fill_n(y.data<float>(), y.element_count(), 0.0f);
    done(0, y.element_count());
  } else if constexpr (apart) {
    conv_depthwise<float>(call, problem, images.data<float>(), by->filter.data<float>(),
                          y.data<float>(), done);
  } else if (!state.lowered || !convolve_lowered(call, problem, images.data<float>(), *by,
                                                 y.data<float>(), finish_part)) {
    convolve_full(call, problem, images.data<float>(), *by, state.prepack, y.data<float>(), done);
  }
  if (!stretches) return;
  add_broadcast(y, *side, out);
  epilogue.finish(out.data<float>(), nullptr, nullptr, 1,
                  static_cast<std::size_t>(out.element_count()));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kConv2DEpilogue,
     .types = DType::f32,
     .run = conv_epilogue<false>,
     .make_state = make_conv_epilogue},
    {.op = &kDepthwiseConv2dEpilogue,
     .types = DType::f32,
     .run = conv_epilogue<true>,
     .make_state = make_conv_epilogue},
};

}  // namespace

extern const KernelTable kConvEpilogueCpu{kEntries};

}  // namespace rill
