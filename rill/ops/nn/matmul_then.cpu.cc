#include <atomic>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/gemm.h"
#include "rill/ops/nn/convolve_onednn.h"
#include "rill/ops/nn/epilogue.h"
#include "rill/ops/nn/made_once.h"

namespace rill {

extern const OpDecl kMatMulThen;

namespace {

constexpr std::int64_t kFewestRows = 2;  // with a single one all time goes into reading b once
constexpr double kFewestFlops = 100'000;

struct MatMulThen : KernelState {
  explicit MatMulThen(const KernelNode& node)
      : epilogue(node, 2),
        transpose_a(node.attr<bool>("transpose_a")),
        transpose_b(node.attr<bool>("transpose_b")),
        keeps(node.attr<bool>("keeps")) {}
  Epilogue epilogue;
  bool transpose_a, transpose_b, keeps;
  mutable MadeOnce<PackedFilters> packed;
  mutable std::atomic<std::int64_t> last_rows{-1};
};

std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  return std::make_unique<MatMulThen>(node);
}

// As a convolution of one point: b stands packed then, which a product does in every call. That is
// compiled for the number of rows, so it is for calls that have as many as the one before.
bool multiply_packed(const KernelCall& call, const MatMulThen& state, const Product& p,
                     const RangeDone& done) {
  const bool same_rows = state.last_rows.exchange(p.m) == p.m;
  if (!state.keeps || !same_rows || p.transpose_a || p.m < kFewestRows || p.k == 0 ||
      p.flops() < kFewestFlops)
    return false;
  const WindowDim rows{.in = p.m, .out = p.m, .size = 1, .stride = 1, .dilation = 1, .before = 0};
  WindowDim one = rows;
  one.in = one.out = 1;
  const ConvProblem problem{
      .batch = 1, .in_channels = p.k, .out_channels = p.n, .dims = {rows, one}};
  const auto packed = state.packed.find({call.input_tensor(1)}, true,
                                        [] { return std::make_shared<PackedFilters>(); });
  auto* a = const_cast<float*>(static_cast<const float*>(p.a));
  auto* b = const_cast<float*>(static_cast<const float*>(p.b));
  return convolve_onednn(call, ConvWork::kForward, problem, a, b, static_cast<float*>(p.c), done,
                         packed.get(), p.transpose_b) == nullptr;
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
  const auto by_channel = state.epilogue.channels(call, result.dim(1));
  if (!by_channel.slope.empty())
    raise(Code::kUnimplemented, "a product is not followed by a product");
  const float* const offset = by_channel.offset.empty() ? nullptr : by_channel.offset.data();
  const float* const added = side == nullptr || stretches ? nullptr : side->data<float>();
  const auto width = static_cast<std::size_t>(result.dim(1));
  const auto finish_rows = [&](std::size_t begin, std::size_t end) {
    state.epilogue.finish(c.data<float>() + begin * width, offset,
                          added ? added + begin * width : nullptr, end - begin, width, !stretches);
  };
  const RangeDone done = [&](std::int64_t begin, std::int64_t end) {
    finish_rows(static_cast<std::size_t>(begin) / width, static_cast<std::size_t>(end) / width);
  };
  const Product product{.m = result.dim(0),
                        .n = result.dim(1),
                        .k = a.dim(state.transpose_a ? 0 : 1),
                        .a = a.raw_data(),
                        .b = b.raw_data(),
                        .c = c.raw_data(),
                        .transpose_a = state.transpose_a,
                        .transpose_b = state.transpose_b};
  if (!multiply_packed(call, state, product, done)) {
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
