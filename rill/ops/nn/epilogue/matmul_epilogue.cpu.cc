#include <algorithm>

#include "rill/kernel/fast_paths.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm_panels.h"
#include "rill/ops/math/matmul/gemm_tiles.h"
#include "rill/ops/nn/channels/scratch_floats.h"
#include "rill/ops/nn/conv/conv_onednn.h"
#include "rill/ops/nn/conv/prepacked.h"
#include "rill/ops/nn/epilogue/epilogue.h"

namespace rill {

extern const OpDecl kMatMulEpilogue;

namespace {

// Where keeping b packed pays: with a single row all time goes into reading b once, with many rows
// packing is a small part of the work.
constexpr std::int64_t kMinPackedRows = 2, kMaxPackedRows = 256;
constexpr double kMinPackedFlops = 100'000;
constexpr std::int64_t kColumns = 128;              // fewest of a slice,
constexpr std::int64_t kSliceElements = 128 << 10;  // which has about so many elements
constexpr std::int64_t kMaxSlices = 16;

// oneDNN compiles for a number of rows: these are few enough to keep them all.
bool takes_rows(std::int64_t m) {
  return m <= kMaxPackedRows && (m % 16 == 0 || m == kMinPackedRows || m == 4 || m == 8);
}

// Columns [begin, end) of b, packed for a convolution of one point.
struct Slice {
  std::int64_t begin, end;
  PackedFilters packed;
};

// Cut by the shape of b alone, so that products of other numbers of rows share what is packed.
struct PackedMatrix {
  PackedMatrix(std::int64_t k, std::int64_t n) {
    const std::int64_t count =
        std::clamp<std::int64_t>(std::min(k * n / kSliceElements, n / kColumns), 1, kMaxSlices);
    const std::int64_t width = ((n + count - 1) / count + 63) / 64 * 64;
    for (std::int64_t begin = 0; begin < n; begin += width) {
      slices.push_back(std::make_unique<Slice>());
      slices.back()->begin = begin;
      slices.back()->end = std::min(n, begin + width);
    }
  }
  std::vector<std::unique_ptr<Slice>> slices;
};

struct MatMulEpilogue : KernelState {
  explicit MatMulEpilogue(const KernelNode& node)
      : epilogue(node, 2),
        transpose_a(node.attr<bool>("transpose_a")),
        transpose_b(node.attr<bool>("transpose_b")),
        prepack(node.attr<bool>("prepack")),
        lowered(node.attr<bool>("lowered")) {}
  Epilogue epilogue;
  bool transpose_a, transpose_b, prepack, lowered;
  mutable Prepacked<PackedMatrix> packed;
  mutable Prepacked<PackedFactor> panels;
  mutable Prepacked<TileMatrix> tiles;
};

std::unique_ptr<KernelState> make_matmul_epilogue(const KernelNode& node) {
  return std::make_unique<MatMulEpilogue>(node);
}

Tensor packed_columns(const KernelCall& call, const Product& p, const Slice& slice,
                      const CompiledConv& conv) {
  Tensor packed = scratch_float_bytes(call, conv.filter_bytes());
  const auto* b = static_cast<const float*>(p.b);
  const std::int64_t count = slice.end - slice.begin;
  if (p.transpose_b) {
    conv.pack_filter(b + slice.begin * p.k, true, packed.data<float>());
    return packed;
  }
  const Tensor dense = scratch_floats(call, p.k * count);
  for (std::int64_t i = 0; i < p.k; ++i)
    std::copy_n(b + i * p.n + slice.begin, count, dense.data<float>() + i * count);
  conv.pack_filter(dense.data<float>(), false, packed.data<float>());
  return packed;
}

// The convolution of each slice; empty when oneDNN has nothing quick.
std::vector<std::shared_ptr<const CompiledConv>> compiled(const PackedMatrix& b, const Product& p) {
  std::vector<std::shared_ptr<const CompiledConv>> convs;
  const ConvDim rows{p.m, p.m, 1, 1, 1, 0}, one{1, 1, 1, 1, 1, 0};
  for (const auto& slice : b.slices) {
    convs.push_back(
        compiled_conv({ConvWork::kForward, 1, p.k, slice->end - slice->begin, {rows, one}}));
    if (convs.back() == nullptr) return {};
  }
  return convs;
}

// With b as it was packed before, which a product otherwise does in every call. Whether this is
// done depends on shapes alone, never on earlier calls: the same step gives the same bits however
// often it runs.
bool multiply_packed(const KernelCall& call, const MatMulEpilogue& state, const Product& p,
                     ProductRowDone finish) {
  if (!state.prepack || p.transpose_a || !takes_rows(p.m) || p.flops() < kMinPackedFlops ||
      !takes(FastPath::kPackedMatMul))
    return false;
  const auto b = state.packed.find({call.input_tensor(1)}, true,
                                   [&] { return std::make_shared<PackedMatrix>(p.k, p.n); });
  const auto convs = compiled(*b, p);
  if (convs.empty()) return false;
  const bool direct = convs.size() == 1;
  auto* const c = static_cast<float*>(p.c);
  const double nanos = p.flops() / 50 / static_cast<double>(convs.size());
  call.parallel_for(convs.size(), nanos, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      Slice& slice = *b->slices[i];
      const CompiledConv& conv = *convs[i];
      const Tensor packed =
          slice.packed.find(convs[i], [&] { return packed_columns(call, p, slice, conv); });
      const std::int64_t width = slice.end - slice.begin;
      const Tensor apart = direct ? Tensor() : scratch_floats(call, p.m * width);
      float* const y = direct ? c : apart.data<float>();
      const Tensor scratch =
          scratch_floats(call, static_cast<std::int64_t>(conv.scratch_bytes() / sizeof(float) + 1));
      conv.run(static_cast<const float*>(p.a), packed.data<float>(), y, scratch.raw_data());
      for (std::int64_t r = 0; r < p.m; ++r) {
        finish(y + r * width, r, slice.begin, slice.end);
        if (!direct) std::copy_n(y + r * width, width, c + r * p.n + slice.begin);
      }
    }
  });
  return true;
}

// In panels, of which those of b may be kept.
bool multiply_panels(const KernelCall& call, const MatMulEpilogue& state, const Product& p,
                     ProductRowDone finish) {
  if (!(state.prepack ? packed_panels_pay(p) : panels_pay(p)) || !takes(FastPath::kPanels))
    return false;
  const auto b = state.panels.find({call.input_tensor(1)}, state.prepack, [&] {
    return std::make_shared<PackedFactor>(packed_b(call, p));
  });
  multiply_panels(call, p, *b, finish);
  return true;
}

// With both factors rounded to bfloat16.
bool multiply_lowered(const KernelCall& call, const MatMulEpilogue& state, const Product& p,
                      ProductRowDone finish) {
  if (!state.lowered || !tiles_pay(p.m, p.n, p.k)) return false;
  const auto b = state.tiles.find({call.input_tensor(1)}, state.prepack, [&] {
    return std::make_shared<TileMatrix>(
        packed_for_tiles(call, tile_factor_b(p, TileSource::kFloat), p.k, p.n));
  });
  multiply_tiles(call, p.m, tile_factor_a(p, TileSource::kFloat), *b, p.c,
                 [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
                   finish(static_cast<float*>(at), row, begin, end);
                 });
  return true;
}

void matmul_epilogue(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const auto& state = call.state<MatMulEpilogue>();
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const Shape result{a.dim(state.transpose_a ? 1 : 0), b.dim(state.transpose_b ? 0 : 1)};
  const Tensor* side = state.epilogue.side(call);
  const bool stretches = side != nullptr && !(side->shape() == result);
  const Tensor c =
      stretches ? Tensor(DType::f32, result, call.device().allocator(MemoryKind::host)) : out;
  const float* offset = state.epilogue.plain_offset(call);
  Epilogue::Channels by_channel;
  if (offset == nullptr) {
    by_channel = state.epilogue.channels(call, result.dim(1));
    if (!by_channel.slope.empty())
      raise(Code::kUnimplemented, "a product is not followed by a product");
    if (!by_channel.offset.empty()) offset = by_channel.offset.data();
  }
  const float* const added = side == nullptr || stretches ? nullptr : side->data<float>();
  const auto width = static_cast<std::size_t>(result.dim(1));
  const auto finish_rows = [&](std::size_t begin, std::size_t end) {
    state.epilogue.finish(c.data<float>() + begin * width, offset,
                          added ? added + begin * width : nullptr, end - begin, width, !stretches);
  };
  const auto finish_row = [&](float* row, std::int64_t r, std::int64_t begin, std::int64_t end) {
    state.epilogue.finish(row, offset ? offset + begin : nullptr,
                          added ? added + r * result.dim(1) + begin : nullptr, 1,
                          static_cast<std::size_t>(end - begin), !stretches);
  };
  const Product product{.m = result.dim(0),
                        .n = result.dim(1),
                        .k = a.dim(state.transpose_a ? 0 : 1),
                        .a = a.raw_data(),
                        .b = b.raw_data(),
                        .c = c.raw_data(),
                        .transpose_a = state.transpose_a,
                        .transpose_b = state.transpose_b};
  if (!multiply_lowered(call, state, product, finish_row) &&
      !multiply_panels(call, state, product, finish_row) &&
      !multiply_packed(call, state, product, finish_row)) {
    multiply(call, product);
    call.parallel_for(static_cast<std::size_t>(product.m), static_cast<double>(width), finish_rows);
  }
  if (!stretches) return;
  add_broadcast(c, *side, out);
  state.epilogue.finish(out.data<float>(), nullptr, nullptr, 1,
                        static_cast<std::size_t>(out.element_count()));
}

constexpr KernelEntry kEntries[] = {{.op = &kMatMulEpilogue,
                                     .types = DType::f32,
                                     .run = matmul_epilogue,
                                     .make_state = make_matmul_epilogue}};

}  // namespace

extern const KernelTable kMatMulEpilogueCpu{kEntries};

}  // namespace rill
