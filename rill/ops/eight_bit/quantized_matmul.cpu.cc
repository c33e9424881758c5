#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/bytes.h"
#include "rill/ops/eight_bit/multiply_bytes.h"

namespace rill {

extern const OpDecl kQuantizedMatMul;

namespace {

const char* accept_matmul(const KernelNode& node) {
  return base_type(node.output_type(0)) == DType::qi32 ? nullptr : "needs Toutput qint32";
}

void quantized_matmul(KernelCall& call) {
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &c = call.output_tensor(0);
  const LevelRange range_a = range_input(call, 2), range_b = range_input(call, 4);
  require(range_a.max > range_a.min, "max_a must be larger than min_a.");
  require(range_b.max > range_b.min, "max_b must be larger than min_b.");
  const bool transpose_a = call.node().attr<bool>("transpose_a");
  multiply_bytes(call, {.m = c.dim(0),
                        .n = c.dim(1),
                        .k = a.dim(transpose_a ? 0 : 1),
                        .a = byte_data(a),
                        .b = byte_data(b),
                        .a_zero = zero_of_bytes(range_a),
                        .b_zero = zero_of_bytes(range_b),
                        .transpose_a = transpose_a,
                        .transpose_b = call.node().attr<bool>("transpose_b"),
                        .c = static_cast<std::uint32_t*>(c.raw_data())});
  set_range(call, 1, range_of_sums(step_of_bytes(range_a) * step_of_bytes(range_b)));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedMatMul,
     .types = DType::qu8,
     .run = quantized_matmul,
     .accept = accept_matmul,
     .types2 = DType::qu8},
};

}  // namespace

extern const KernelTable kQuantizedMatMulCpu{kEntries};

}  // namespace rill
