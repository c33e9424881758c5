#include <algorithm>
#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/onednn/sgemm.h"

namespace rill {

extern const OpDecl kProductSum, kMatMulSlice, kMatMulColumns;

namespace {

constexpr double kPieceFlops = 4e6;  // of one product: what is worth another thread
constexpr std::int64_t kMinColumns = 128;

// Columns [begin, end) of the sum. They stay in the cache from product to product.
void add_columns(const KernelCall& call, const Tensor& sum, int starts, std::int64_t begin,
                 std::int64_t end) {
  const int count = (call.input_count() - starts) / 2;
  bool adds = starts > 0;
  for (int i = 0; i < count; ++i) {
    const Tensor &a = call.input_tensor(starts + i), &b = call.input_tensor(starts + count + i);
    if (a.dim(0) == 0) continue;
    run_sgemm({.m = sum.dim(0),
               .n = end - begin,
               .k = a.dim(0),
               .a = a.data<float>(),
               .b = b.data<float>() + begin,
               .c = sum.data<float>() + begin,
               .lda = a.dim(1),
               .ldb = b.dim(1),
               .ldc = sum.dim(1),
               .transpose_a = true,
               .transpose_b = false,
               .adds = adds});
    adds = true;
  }
}

void product_sum(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const int starts = call.input_count() % 2;
  const std::size_t bytes = out.byte_size();
  // The storage that the output took over may be that of a factor.
  bool is_factor = false;
  double depth = 0;
  for (int i = starts; i < call.input_count(); ++i) {
    is_factor |= call.input_tensor(i).raw_data() == out.raw_data();
    depth = std::max(depth, static_cast<double>(call.input_tensor(i).dim(0)));
  }
  const Tensor sum = is_factor ? Tensor(DType::f32, out.shape()) : out;
  if (starts > 0 && call.input_tensor(0).raw_data() != sum.raw_data())
    std::memcpy(sum.raw_data(), call.input_tensor(0).raw_data(), bytes);
  if (depth == 0 && starts == 0) std::memset(sum.raw_data(), 0, bytes);
  const double flops = 2 * depth * static_cast<double>(out.element_count());
  const std::int64_t pieces =
      std::clamp(std::min(static_cast<std::int64_t>(flops / kPieceFlops), out.dim(1) / kMinColumns),
                 std::int64_t{1}, std::int64_t{16});
  const std::int64_t width = ((out.dim(1) + pieces - 1) / pieces + 15) / 16 * 16;
  call.parallel_for(static_cast<std::size_t>(pieces), 1e9, [&](std::size_t from, std::size_t to) {
    for (auto i = static_cast<std::int64_t>(from); i < static_cast<std::int64_t>(to); ++i)
      if (i * width < out.dim(1))
        add_columns(call, sum, starts, i * width, std::min(out.dim(1), (i + 1) * width));
  });
  if (is_factor) std::memcpy(out.raw_data(), sum.raw_data(), bytes);
}

void multiply_box(const KernelCall& call, std::int64_t row, std::int64_t column) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &out = call.output_tensor(0);
  multiply(call, {.m = out.dim(0),
                  .n = out.dim(1),
                  .k = a.dim(1),
                  .a = a.data<float>() + row * a.dim(1),
                  .b = b.data<float>() + column * b.dim(1),
                  .c = out.raw_data(),
                  .transpose_b = true});
}

void matmul_slice(KernelCall& call) {
  multiply_box(call, int_at(call.input_tensor(2), 0), int_at(call.input_tensor(2), 1));
}

struct ColumnsState final : KernelState {
  explicit ColumnsState(const KernelNode& node) : first(node.attr<std::int64_t>("first")) {}
  std::int64_t first;
};

std::unique_ptr<KernelState> make_columns(const KernelNode& node) {
  return std::make_unique<ColumnsState>(node);
}

void matmul_columns(KernelCall& call) { multiply_box(call, 0, call.state<ColumnsState>().first); }

constexpr KernelEntry kEntries[] = {
    {.op = &kProductSum, .types = DType::f32, .run = product_sum},
    {.op = &kMatMulSlice, .types = DType::f32, .run = matmul_slice},
    {.op = &kMatMulColumns, .types = DType::f32, .run = matmul_columns, .make_state = make_columns},
};

}  // namespace

extern const KernelTable kStepProductsCpu{kEntries};

}  // namespace rill
