#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {

extern const OpDecl kFusedMatMul;

namespace {

using BiasRow = void (*)(float* row, const float* bias, std::size_t n);

template <float (*f)(float)>
void finish_row(float* row, const float* bias, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) row[i] = f(row[i] + bias[i]);
}

float nothing(float x) { return x; }
float relu(float x) { return x < 0 ? 0 : x; }
float relu6(float x) { return x < 0 ? 0 : x > 6 ? 6 : x; }
float elu(float x) { return x < 0 ? std::expm1(x) : x; }

struct FusedMatMulState final : KernelState {
  BiasRow finish = nullptr;
  bool transpose_a = false, transpose_b = false;
};

BiasRow find_finish(const std::vector<std::string>& ops) {
  if (ops.empty() || ops.size() > 2 || ops[0] != "BiasAdd") return nullptr;
  if (ops.size() == 1) return finish_row<nothing>;
  if (ops[1] == "Relu") return finish_row<relu>;
  if (ops[1] == "Relu6") return finish_row<relu6>;
  return ops[1] == "Elu" ? finish_row<elu> : nullptr;
}

std::unique_ptr<KernelState> make_fused_matmul_state(const KernelNode& node) {
  auto state = std::make_unique<FusedMatMulState>();
  const auto& ops = node.attr<std::vector<std::string>>("fused_ops");
  require(!ops.empty(), "Fused MatMul must have at least one fused op.");
  state->finish = find_finish(ops);
  if (state->finish == nullptr)
    raise(Code::kUnimplemented, "Fusion is not implemented: [", join(ops, ","), "]");
  require(node.attr<std::int64_t>("num_args") == 1,
          "Fused MatMul with BiasAdd must have one extra argument: bias.");
  state->transpose_a = node.attr<bool>("transpose_a");
  state->transpose_b = node.attr<bool>("transpose_b");
  return state;
}

void fused_matmul(KernelCall& call) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  const FusedMatMulState& state = call.state<FusedMatMulState>();
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &bias = call.input_tensor(2);
  const Tensor& c = call.output_tensor(0);
  require(bias.rank() == 1 && bias.dim(0) == c.dim(1), "the bias must be a vector of ", c.dim(1),
          " elements, but its shape is ", bias.shape());
  multiply(call, {.m = c.dim(0),
                  .n = c.dim(1),
                  .k = a.dim(state.transpose_a ? 0 : 1),
                  .a = a.raw_data(),
                  .b = b.raw_data(),
                  .c = c.raw_data(),
                  .transpose_a = state.transpose_a,
                  .transpose_b = state.transpose_b});
  const auto width = static_cast<std::size_t>(c.dim(1));
  call.parallel_for(static_cast<std::size_t>(c.dim(0)), static_cast<double>(width),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        state.finish(c.data<float>() + i * width, bias.data<float>(), width);
                    });
}

constexpr KernelEntry kEntries[] = {{.op = &kFusedMatMul,
                                     .types = DType::f32,
                                     .run = fused_matmul,
                                     .make_state = make_fused_matmul_state}};

}  // namespace

extern const KernelTable kFusedMatMulCpu{kEntries};

}  // namespace rill
