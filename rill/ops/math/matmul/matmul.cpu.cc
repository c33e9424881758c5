#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm.h"
#include "rill/tensor/strided.h"

namespace rill {

extern const OpDecl kMatMul, kBatchMatMul, kBatchMatMulV2, kLoweredBatchMatMul;

namespace {

constexpr TypeSet kOneDnnTypes = DType::f32 | DType::f16 | DType::bf16;
constexpr TypeSet kReferenceTypes =
    kFloatTypes | kComplexTypes | DType::i32 | DType::i64 | DType::u32 | DType::u64;

struct ProductState : KernelState {
  MultiplyFn multiply = nullptr;
  bool transpose_a = false, transpose_b = false, conjugate = false;
};

template <MultiplyFn (*find)(DType)>
std::unique_ptr<KernelState> make_matmul(const KernelNode& node) {
  auto state = std::make_unique<ProductState>();
  state->multiply = find(base_type(node.input_type(0)));
  state->transpose_a = node.attr<bool>("transpose_a");
  state->transpose_b = node.attr<bool>("transpose_b");
  return state;
}

template <MultiplyFn (*find)(DType)>
std::unique_ptr<KernelState> make_batch_matmul(const KernelNode& node) {
  auto state = std::make_unique<ProductState>();
  state->multiply = find(base_type(node.input_type(0)));
  state->transpose_a = node.attr<bool>("adj_x");
  state->transpose_b = node.attr<bool>("adj_y");
  state->conjugate = kComplexTypes.contains(node.input_type(0));
  return state;
}

// The product of the innermost two dimensions, at the start of each tensor.
Product product_of(const ProductState& state, const Tensor& a, const Tensor& b, const Tensor& c) {
  const int rank = c.rank();
  return {.m = c.dim(rank - 2),
          .n = c.dim(rank - 1),
          .k = a.dim(a.rank() - (state.transpose_a ? 2 : 1)),
          .a = a.raw_data(),
          .b = b.raw_data(),
          .c = c.raw_data(),
          .transpose_a = state.transpose_a,
          .transpose_b = state.transpose_b,
          .conjugate_a = state.conjugate && state.transpose_a,
          .conjugate_b = state.conjugate && state.transpose_b};
}

void run_matmul(KernelCall& call) {
  const auto& state = call.state<ProductState>();
  state.multiply(
      call, product_of(state, call.input_tensor(0), call.input_tensor(1), call.output_tensor(0)));
}

Shape batch_of(const Tensor& x) {
  return Shape(x.shape().dims().first(static_cast<std::size_t>(x.rank() - 2)));
}
std::size_t matrix_bytes(const Tensor& x) {
  return static_cast<std::size_t>(x.dim(x.rank() - 2) * x.dim(x.rank() - 1)) *
         element_size(x.dtype());
}

void run_batch_matmul(KernelCall& call) {
  const auto& state = call.state<ProductState>();
  const Tensor& a = call.input_tensor(0);
  const Tensor& b = call.input_tensor(1);
  const Tensor& c = call.output_tensor(0);
  if (c.element_count() == 0) return;
  const Product first = product_of(state, a, b, c);
  const Shape batch = batch_of(c);
  const RowLoop loop{dense_view(c.raw_data(), batch, matrix_bytes(c)),
                     broadcast_view(a.raw_data(), batch_of(a), batch, matrix_bytes(a)),
                     broadcast_view(b.raw_data(), batch_of(b), batch, matrix_bytes(b))};
  loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t count) {
    call.parallel_for(count, first.flops() / 20, [&](std::size_t begin, std::size_t end) {
      for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
        Product product = first;
        product.c = at[0] + i * loop.step(0);
        product.a = at[1] + i * loop.step(1);
        product.b = at[2] + i * loop.step(2);
        state.multiply(call, product);
      }
    });
  });
}

constexpr KernelEntry matmul_entry(const OpDecl* op, TypeSet types, KernelFn run,
                                   MakeState make_state, const char* label) {
  return {.op = op, .types = types, .run = run, .make_state = make_state, .label = label};
}

constexpr KernelEntry kEntries[] = {
    matmul_entry(&kMatMul, kOneDnnTypes, run_matmul, make_matmul<onednn_multiply>, "matmul:onednn"),
    matmul_entry(&kMatMul, kReferenceTypes, run_matmul, make_matmul<reference_multiply>,
                 "matmul:ref"),
    matmul_entry(&kBatchMatMul, kOneDnnTypes, run_batch_matmul, make_batch_matmul<onednn_multiply>,
                 "batch_matmul:onednn"),
    matmul_entry(&kBatchMatMul, kReferenceTypes, run_batch_matmul,
                 make_batch_matmul<reference_multiply>, "batch_matmul:ref"),
    matmul_entry(&kBatchMatMulV2, kOneDnnTypes, run_batch_matmul,
                 make_batch_matmul<onednn_multiply>, "batch_matmul:onednn"),
    matmul_entry(&kBatchMatMulV2, kReferenceTypes, run_batch_matmul,
                 make_batch_matmul<reference_multiply>, "batch_matmul:ref"),
    matmul_entry(&kLoweredBatchMatMul, DType::f32, run_batch_matmul,
                 make_batch_matmul<lowered_multiply>, "batch_matmul:lowered"),
};

}  // namespace

extern const KernelTable kMatMulCpu{kEntries};

}  // namespace rill
