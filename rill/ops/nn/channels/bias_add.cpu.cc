#include "rill/ops/math/reduce/reduce.h"
#include "rill/ops/math/rows/elementwise.h"

namespace rill {

extern const OpDecl kBiasAdd, kBiasAddV1, kBiasAddGrad;

namespace {

bool channels_second(const KernelNode& node) {
  return node.attrs.contains("data_format") && node.attr<std::string>("data_format") == "NCHW";
}

// A plain broadcast once the bias has ones for the dimensions behind the channels.
void bias_add(KernelCall& call) {
  const Shape& value = call.input_tensor(0).shape();
  Shape bias = call.input_tensor(1).shape();
  if (channels_second(call.node()))
    for (int i = 2; i < value.rank(); ++i) bias.add_dim(1);
  run_binary_as(call, value, bias, value);
}

struct GradState : KernelState {
  GradState(DType type, bool second) : sum("BiasAddGrad", type, find_sum_rows), second(second) {}
  Reduction sum;
  bool second;
};

std::unique_ptr<KernelState> make_grad_state(const KernelNode& node) {
  return std::make_unique<GradState>(base_type(node.input_type(0)), channels_second(node));
}

void bias_add_grad(KernelCall& call) {
  const auto& state = call.state<GradState>();
  const Tensor& gradient = call.input_tensor(0);
  std::vector<bool> reduced(static_cast<std::size_t>(gradient.rank()), true);
  reduced[state.second ? 1 : reduced.size() - 1] = false;
  state.sum.run(call, gradient, reduced, call.output_tensor(0));
}

constexpr KernelEntry add_entry(const OpDecl* op) {
  return {.op = op,
          .types = kNumberTypes,
          .run = bias_add,
          .make_state = binary_state<find_add_rows>,
          .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    add_entry(&kBiasAdd),
    add_entry(&kBiasAddV1),
    {.op = &kBiasAddGrad,
     .types = kNumberTypes,
     .run = bias_add_grad,
     .make_state = make_grad_state},
};

}  // namespace

extern const KernelTable kBiasAddCpu{kEntries};

}  // namespace rill
