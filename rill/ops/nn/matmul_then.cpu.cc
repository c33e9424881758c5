#include <algorithm>
#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/gemm.h"
#include "rill/ops/nn/epilogue.h"
#include "rill/ops/nn/made_once.h"
#include "rill/ops/onednn/conv.h"

namespace rill {

extern const OpDecl kMatMulThen;

namespace {

// Where keeping b packed pays: with a single row all time goes into reading b once, with many rows
// packing is a small part of the work.
constexpr std::int64_t kFewestRows = 2, kMostRows = 256;
constexpr double kFewestFlops = 100'000;
constexpr double kPieceFlops = 16e6;                      // a piece worth another thread
constexpr std::int64_t kMostPieces = 16, kColumns = 128;  // fewest of a piece

// Columns [begin, end) of b, packed for a convolution of one point over so many rows.
struct Slice {
  std::int64_t begin, end;
  std::shared_ptr<const CompiledConv> conv;
  Tensor packed;
};
struct Slices {
  std::int64_t rows;
  std::vector<Slice> all;  // empty: oneDNN has nothing quick
};

struct PackedMatrix {
  std::mutex mutex;
  std::shared_ptr<const Slices> slices;
};

struct MatMulThen : KernelState {
  explicit MatMulThen(const KernelNode& node)
      : epilogue(node, 2),
        transpose_a(node.attr<bool>("transpose_a")),
        transpose_b(node.attr<bool>("transpose_b")),
        keeps(node.attr<bool>("keeps")) {}
  Epilogue epilogue;
  bool transpose_a, transpose_b, keeps;
  mutable MadeOnce<PackedMatrix> packed;
};

std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  return std::make_unique<MatMulThen>(node);
}

Tensor new_floats(const KernelCall& call, std::int64_t count) {
  return Tensor(DType::f32, {count}, call.device().allocator(MemoryKind::host));
}

Tensor packed_columns(const KernelCall& call, const Product& p, const Slice& slice) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(float));
  Tensor packed =
      new_floats(call, (static_cast<std::int64_t>(slice.conv->filter_bytes()) + kSize - 1) / kSize);
  const auto* b = static_cast<const float*>(p.b);
  const std::int64_t count = slice.end - slice.begin;
  if (p.transpose_b) {
    slice.conv->pack_filter(b + slice.begin * p.k, true, packed.data<float>());
    return packed;
  }
  const Tensor dense = new_floats(call, p.k * count);
  for (std::int64_t i = 0; i < p.k; ++i)
    std::copy_n(b + i * p.n + slice.begin, count, dense.data<float>() + i * count);
  slice.conv->pack_filter(dense.data<float>(), false, packed.data<float>());
  return packed;
}

std::shared_ptr<const Slices> make_slices(const KernelCall& call, const Product& p) {
  auto slices = std::make_shared<Slices>();
  slices->rows = p.m;
  const auto wanted = static_cast<std::int64_t>(p.flops() / kPieceFlops);
  const std::int64_t count =
      std::clamp<std::int64_t>(std::min(wanted, p.n / kColumns), 1, kMostPieces);
  const std::int64_t width = ((p.n + count - 1) / count + 63) / 64 * 64;
  for (std::int64_t begin = 0; begin < p.n; begin += width) {
    Slice slice{begin, std::min(p.n, begin + width), nullptr, {}};
    const ConvDim rows{p.m, p.m, 1, 1, 1, 0}, one{1, 1, 1, 1, 1, 0};
    slice.conv = compiled_conv({ConvWork::kForward, 1, p.k, slice.end - slice.begin, {rows, one}});
    if (slice.conv == nullptr) {
      slices->all.clear();
      break;
    }
    slice.packed = packed_columns(call, p, slice);
    slices->all.push_back(std::move(slice));
  }
  return slices;
}

std::shared_ptr<const Slices> find_slices(const KernelCall& call, const MatMulThen& state,
                                          const Product& p) {
  const auto packed = state.packed.find({call.input_tensor(1)}, true,
                                        [] { return std::make_shared<PackedMatrix>(); });
  std::lock_guard lock(packed->mutex);
  if (packed->slices == nullptr || packed->slices->rows != p.m)
    packed->slices = make_slices(call, p);
  return packed->slices;
}

// Tells what to do with row r, columns [begin, end) of the product, which stand at `row`.
using FinishRow =
    FunctionRef<void(float* row, std::int64_t r, std::int64_t begin, std::int64_t end)>;

// With b as it was packed before, which a product otherwise does in every call. How it is packed
// depends on the number of rows. Whether this is done depends on shapes alone, never on earlier
// calls: the same step gives the same bits however often it runs.
bool multiply_packed(const KernelCall& call, const MatMulThen& state, const Product& p,
                     FinishRow finish) {
  if (!state.keeps || p.transpose_a || p.m < kFewestRows || p.m > kMostRows ||
      p.flops() < kFewestFlops)
    return false;
  const auto slices = find_slices(call, state, p);
  const auto& all = slices->all;
  if (all.empty()) return false;
  const bool direct = all.size() == 1;
  auto* const c = static_cast<float*>(p.c);
  call.parallel_for(all.size(), 1e9, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const Slice& slice = all[i];
      const std::int64_t width = slice.end - slice.begin;
      const Tensor apart = direct ? Tensor() : new_floats(call, p.m * width);
      float* const y = direct ? c : apart.data<float>();
      const Tensor scratch =
          new_floats(call, static_cast<std::int64_t>(slice.conv->scratch_bytes() / 4 + 1));
      slice.conv->run(static_cast<const float*>(p.a), slice.packed.data<float>(), y,
                      scratch.raw_data());
      for (std::int64_t r = 0; r < p.m; ++r) {
        finish(y + r * width, r, slice.begin, slice.end);
        if (!direct) std::copy_n(y + r * width, width, c + r * p.n + slice.begin);
      }
    }
  });
  return true;
}

void matmul_then(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const auto& state = call.state<MatMulThen>();
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
  if (!multiply_packed(call, state, product, finish_row)) {
    multiply(call, product);
    call.parallel_for(static_cast<std::size_t>(product.m), static_cast<double>(width), finish_rows);
  }
  if (!stretches) return;
  add_broadcast(c, *side, out);
  state.epilogue.finish(out.data<float>(), nullptr, nullptr, 1,
                        static_cast<std::size_t>(out.element_count()));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMatMulThen, .types = DType::f32, .run = matmul_then, .make_state = make_state}};

}  // namespace

extern const KernelTable kMatMulThenCpu{kEntries};

}  // namespace rill
