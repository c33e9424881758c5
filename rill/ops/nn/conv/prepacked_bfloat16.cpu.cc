#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm_tiles.h"
#include "rill/ops/nn/conv/conv_tensors.h"
#include "rill/ops/nn/conv/conv_tiled.h"
#include "rill/ops/nn/conv/prepacked.h"

namespace rill {

extern const OpDecl kPrepackedMatMul, kPrepackedConv2D;

namespace {

struct PrepackedTiles : KernelState {
  mutable Prepacked<TileMatrix> tiles;
};

std::unique_ptr<KernelState> make_prepacked(const KernelNode&) {
  return std::make_unique<PrepackedTiles>();
}

template <class Pack>
std::shared_ptr<TileMatrix> prepacked_tiles(const KernelCall& call, Pack pack) {
  return call.state<PrepackedTiles>().tiles.find(
      {call.input_tensor(1)}, true, [&] { return std::make_shared<TileMatrix>(pack()); });
}

void prepacked_matmul(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::bf16);
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &c = call.output_tensor(0);
  const bool turns_a = call.node().attr<bool>("transpose_a");
  const Product p{.m = c.dim(0),
                  .n = c.dim(1),
                  .k = a.dim(turns_a ? 0 : 1),
                  .a = a.raw_data(),
                  .b = b.raw_data(),
                  .c = c.raw_data(),
                  .transpose_a = turns_a,
                  .transpose_b = call.node().attr<bool>("transpose_b")};
  if (!tiles_pay(p.m, p.n, p.k)) return multiply(call, p);
  multiply_bfloat16(call, p, *prepacked_tiles(call, [&] {
                      return packed_for_tiles(call, tile_factor_b(p, TileSource::kBfloat16), p.k,
                                              p.n);
                    }));
}

void prepacked_conv(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  const ConvShapes shapes(*call.node().op, call.node().attrs, images.shape(), filter.shape());
  const ConvProblem p = shapes.problem(out.shape());
  const bool done =
      out.element_count() > 0 && tiles_convolve(p, TileSource::kBfloat16) &&
      conv_bfloat16(call, p, images,
                    *prepacked_tiles(call,
                                     [&] {
                                       return packed_tile_filter(call, p, TileSource::kBfloat16,
                                                                 filter.raw_data());
                                     }),
                    out);
  if (!done) conv_tensors(call, shapes, images, filter, out);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kPrepackedMatMul,
     .types = DType::bf16,
     .run = prepacked_matmul,
     .make_state = make_prepacked},
    {.op = &kPrepackedConv2D,
     .types = DType::bf16,
     .run = prepacked_conv,
     .make_state = make_prepacked},
};

}  // namespace

extern const KernelTable kPrepackedBfloat16Cpu{kEntries};

}  // namespace rill
