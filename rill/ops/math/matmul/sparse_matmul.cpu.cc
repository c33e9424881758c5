#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/math/rows/float_rows.h"

namespace rill {

extern const OpDecl kSparseMatMul;

namespace {

// The matrix as floats: itself, or a copy.
Tensor as_float(const KernelCall& call, const Tensor& x) {
  if (x.dtype() == DType::f32) return x;
  static const WidenRow widen = widen_row(DType::bf16);
  Tensor wide(DType::f32, x.shape(), call.device().allocator(MemoryKind::host));
  const auto* from = x.data<bfloat16>();
  auto* to = wide.data<float>();
  call.parallel_for(
      static_cast<std::size_t>(x.element_count()), 0.3,
      [&](std::size_t begin, std::size_t end) { widen(to + begin, from + begin, end - begin); });
  return wide;
}

// Zeros are multiplied like other numbers: a dense product of this kind is quicker than skipping
// them until hardly anything else is left.
void sparse_matmul(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const bool turn_a = call.node().attr<bool>("transpose_a");
  const bool turn_b = call.node().attr<bool>("transpose_b");
  const Tensor a = as_float(call, call.input_tensor(0)), b = as_float(call, call.input_tensor(1));
  const Tensor& c = call.output_tensor(0);
  multiply(call, {.m = c.dim(0),
                  .n = c.dim(1),
                  .k = a.dim(turn_a ? 0 : 1),
                  .a = a.raw_data(),
                  .b = b.raw_data(),
                  .c = c.raw_data(),
                  .transpose_a = turn_a,
                  .transpose_b = turn_b});
}

constexpr KernelEntry kEntries[] = {{.op = &kSparseMatMul,
                                     .types = DType::f32 | DType::bf16,
                                     .run = sparse_matmul,
                                     .types2 = DType::f32 | DType::bf16}};

}  // namespace

extern const KernelTable kSparseMatMulCpu{kEntries};

}  // namespace rill
