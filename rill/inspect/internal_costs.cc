#include <string>

#include "rill/inspect/cost_parts.h"

namespace rill::inspect {
namespace {

// How many tensors a list of inputs has.
std::size_t count(const KernelWork& work, std::string_view name) {
  const auto it = work.attrs.find(name);
  const auto* const value = it == work.attrs.end() ? nullptr : it->second.get_if<std::int64_t>();
  return value == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(0, *value));
}

double rows(const TensorSize& matrix) { return last_dim(matrix.shape, 1); }

// Rows times a matrix of weights.
double times(double row_count, const TensorSize& weights) {
  return 2 * row_count * weights.elements();
}

// A product for the gates, whose columns are squashed.
double gates(double row_count, const TensorSize& weights) {
  return times(row_count, weights) + kTranscendental * row_count * last_dim(weights.shape, 0);
}

double lstm_cell(const KernelWork& work) {
  return work.outputs.empty() ? 0
                              : gates(rows(work.outputs[0]), input(work, count(work, "P") + 1)) +
                                    (kTranscendental + 4) * output_elements(work);
}
double gru_cell(const KernelWork& work) {
  if (work.outputs.empty()) return 0;
  const double n = rows(work.outputs[0]);
  return gates(n, input(work, 2)) + gates(n, input(work, 4)) + 5 * work.outputs[0].elements();
}
// The candidate's product back through its weights, and some flops for each of three values a cell.
double gru_cell_grad(const KernelWork& work) {
  const TensorSize& h = input(work, 2);
  return times(rows(h), input(work, 4)) + 6 * 3 * h.elements();
}
// Of the gates' columns six flops each, and of the states as many.
double lstm_cell_grad(const KernelWork& work) { return 6 * 5 * input(work, 0).elements(); }

// [time, batch, depth] step by step; vectors among the weights are only added.
double rnn_layer(const KernelWork& work) {
  const Shape& x = input(work, 0).shape;
  const double steps = last_dim(x, 2) * last_dim(x, 1);
  double flops = 0;
  for (std::size_t i = 2 + count(work, "L") + count(work, "S"); i < work.inputs.size(); ++i)
    if (work.inputs[i].shape.rank() == 2) flops += gates(steps, work.inputs[i]);
  return flops;
}

double product_sum(const KernelWork& work) {
  double inner = 0;
  const std::size_t first = count(work, "S");
  for (std::size_t i = 0; i < count(work, "N"); ++i) inner += rows(input(work, first + i));
  return 2 * inner * output_elements(work);
}
double matmul_slice(const KernelWork& work) {
  return 2 * output_elements(work) * last_dim(input(work, 0).shape, 0);
}

// The steps of an optimizer, variable by variable.
double updates_together(const KernelWork& work) {
  const auto it = work.attrs.find("update");
  const auto* const update = it == work.attrs.end() ? nullptr : it->second.get_if<std::string>();
  if (update == nullptr) return 0;
  double flops = 0;
  const std::size_t first = count(work, "N");
  for (std::size_t i = 0; i < count(work, "M"); ++i) {
    const TensorSize one[] = {input(work, first + i)};
    flops += flops_of({*update, work.attrs, one, one});
  }
  return flops;
}

// Each of op_names on elements of the largest shape.
double chain(const KernelWork& work) {
  const auto it = work.attrs.find("op_names");
  const auto* const ops =
      it == work.attrs.end() ? nullptr : it->second.get_if<std::vector<std::string>>();
  if (ops == nullptr) return 0;
  const TensorSize one[] = {std::max(
      largest(work.inputs), largest(work.outputs),
      [](const TensorSize& a, const TensorSize& b) { return a.elements() < b.elements(); })};
  double flops = 0;
  for (const std::string& op : *ops) flops += flops_of({op, work.attrs, one, one});
  return flops;
}

}  // namespace

const CostTable& internal_costs() {
  static const CostTable kTable{
      {"_LstmCell", lstm_cell},
      {"_LstmCellGrad", lstm_cell_grad},
      {"_GruCell", gru_cell},
      {"_GruCellGrad", gru_cell_grad},
      {"_RnnLayer", rnn_layer},
      {"_ProductSum", product_sum},
      {"_MatMulSlice", matmul_slice},
      {"_MatMulColumns", matmul_slice},
      {"_BatchNormReluGrad", per_input<17>},
      {"_LayerNorm", per_input<8>},
      {"_LayerNormGrad", per_input<18>},
      {"_MaskedSoftmax", per_input<kTranscendental + 5>},
      {"_SoftmaxGrad", per_input<5>},
      {"_GeluErfGrad", per_output<2 * kTranscendental>},
      {"_GeluTanhGrad", per_output<2 * kTranscendental>},
      {"_Gelu", per_output<kTranscendental + 8>},
      {"_AdamMove", per_input<4 + kRoot>},
      {"_ApplyTogether", updates_together},
      {"_ResourceApplyTogether", updates_together},
      {"_ElementwiseChain", chain},
      {"_UnaryOpsComposition", chain},
      {"_Unbroadcast", per_input<1>},
      // Move values, or only name them.
      {"_Arg", nothing},
      {"_DeviceArg", nothing},
      {"_Retval", nothing},
      {"_DeviceRetval", nothing},
      {"_ArrayToList", nothing},
      {"_ListToArray", nothing},
      {"_Send", nothing},
      {"_HostSend", nothing},
      {"_Recv", nothing},
      {"_HostRecv", nothing},
      {"_HostCast", nothing},
      {"_SwitchN", nothing},
      {"_ParallelConcatStart", nothing},
      {"_ParallelConcatUpdate", nothing},
      {"_ReadVariablesOp", nothing},
      {"_VarHandlesOp", nothing},
      {"_ScopedAllocator", nothing},
      {"_ScopedAllocatorConcat", nothing},
      {"_ScopedAllocatorSplit", nothing},
  };
  return kTable;
}

}  // namespace rill::inspect
