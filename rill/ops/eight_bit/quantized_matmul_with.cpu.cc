#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/finish_sums.h"
#include "rill/ops/eight_bit/multiply_bytes.h"
#include "rill/ops/eight_bit/symmetric.h"

namespace rill {

extern const OpDecl kQuantizedMatMulWithBias, kQuantizedMatMulWithBiasAndRelu,
    kQuantizedMatMulWithBiasAndReluAndRequantize;

namespace {

struct MatmulWith final : KernelState {
  bool min_first, rectifies, requantizes;
};

template <bool kRectifies>
std::unique_ptr<KernelState> make_matmul_with(const KernelNode& node) {
  auto state = std::make_unique<MatmulWith>();
  state->min_first = node.attr<std::string>("input_quant_mode") == "MIN_FIRST";
  state->rectifies = kRectifies;
  state->requantizes = base_type(node.output_type(0)) != DType::qi32;
  return state;
}

const char* accept_matmul_with(const KernelNode& node) {
  if (base_type(node.input_type(0)) == DType::qi8 &&
      node.attr<std::string>("input_quant_mode") == "MIN_FIRST")
    return "needs T1 quint8 for MIN_FIRST";
  const bool requantizes = node.input_types.size() == 9;
  if (requantizes) return is_byte_type(node.output_type(0)) ? nullptr : "needs Toutput of bytes";
  return base_type(node.output_type(0)) == DType::qi32 ? nullptr : "needs Toutput qint32";
}

// In MIN_FIRST, level 0 of the first factor stands for min_a: what that adds to each column.
void add_lowest(const KernelCall& call, const ByteProduct& p, const LevelRange& a,
                std::vector<float>& bias) {
  std::vector<std::uint32_t> sums(bias.size());
  sum_byte_columns(call, p.b, p.k, p.n, p.transpose_b, sums.data());
  const double lowest = 255.0 * a.min / (a.max - a.min);
  for (std::size_t c = 0; c < bias.size(); ++c) {
    const double sum = static_cast<double>(sums[c]) - 128.0 * static_cast<double>(p.k);
    bias[c] = static_cast<float>(bias[c] + sum * lowest);
  }
}

void add_words(const KernelCall& call, const Tensor& bias, std::int64_t columns, const Tensor& c) {
  auto* const sums = static_cast<std::uint32_t*>(c.raw_data());
  const auto* const more = static_cast<const std::uint32_t*>(bias.raw_data());
  call.parallel_for(static_cast<std::size_t>(c.element_count() / columns),
                    0.2 * static_cast<double>(columns), [&](std::size_t begin, std::size_t end) {
                      for (auto r = static_cast<std::int64_t>(begin);
                           r < static_cast<std::int64_t>(end); ++r)
                        for (std::int64_t j = 0; j < columns; ++j) sums[r * columns + j] += more[j];
                    });
}

void matmul_with(KernelCall& call) {
  const MatmulWith& state = call.state<MatmulWith>();
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1), &bias = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  const LevelRange range_a = range_input(call, 3), range_b = range_input(call, 5);
  const bool turns_a = call.node().attr<bool>("transpose_a");
  const float steps_a = highest_level(a.dtype()) /
                        (state.min_first ? range_a.max - range_a.min : farther_end(range_a));
  const float steps = steps_a * (127 / farther_end(range_b));
  Tensor sums = out, lifted_a, lifted_b;
  if (state.requantizes)
    sums = Tensor(DType::qi32, out.shape(), call.device().allocator(MemoryKind::host));
  const ByteProduct product{.m = out.dim(0),
                            .n = out.dim(1),
                            .k = a.dim(turns_a ? 0 : 1),
                            .a = lifted_bytes(call, a, lifted_a),
                            .b = lifted_bytes(call, b, lifted_b),
                            .a_zero = lifted_zero(a.dtype()),
                            .b_zero = lifted_zero(b.dtype()),
                            .transpose_a = turns_a,
                            .transpose_b = call.node().attr<bool>("transpose_b"),
                            .c = static_cast<std::uint32_t*>(sums.raw_data())};
  multiply_bytes(call, product);
  SumFinish finish{.rectifies = state.rectifies};
  // A bias of whole numbers is exact, and has what MIN_FIRST adds in it already.
  if (base_type(bias.dtype()) == DType::qi32) {
    if (out.element_count() > 0) add_words(call, bias, product.n, sums);
  } else {
    finish.bias = bias_levels(bias, {steps});
    if (state.min_first) add_lowest(call, product, range_a, finish.bias);
  }
  LevelRange result = range_of_sums(step_of_width(range_a.min, range_a.max, a.dtype()) *
                                    step_of_width(range_b.min, range_b.max, b.dtype()));
  if (state.requantizes) {
    result = range_input(call, 7);
    const float scale = highest_level(out.dtype()) / farther_end(result) / steps;
    finish.scale.assign(static_cast<std::size_t>(product.n), scale);
  }
  finish_sums(call, finish, product.c, product.n, out);
  set_range(call, 1, result);
}

constexpr TypeSet kBytes = DType::qu8 | DType::qi8, kSigned = DType::qi8;

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedMatMulWithBias,
     .types = kBytes,
     .run = matmul_with,
     .make_state = make_matmul_with<false>,
     .accept = accept_matmul_with,
     .types2 = kSigned},
    {.op = &kQuantizedMatMulWithBiasAndRelu,
     .types = kBytes,
     .run = matmul_with,
     .make_state = make_matmul_with<true>,
     .accept = accept_matmul_with,
     .types2 = kSigned},
    {.op = &kQuantizedMatMulWithBiasAndReluAndRequantize,
     .types = kBytes,
     .run = matmul_with,
     .make_state = make_matmul_with<true>,
     .accept = accept_matmul_with,
     .types2 = kSigned},
};

}  // namespace

extern const KernelTable kQuantizedMatMulWithCpu{kEntries};

}  // namespace rill
