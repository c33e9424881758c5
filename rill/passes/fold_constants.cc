#include <algorithm>

#include "rill/passes/subgraph.h"

namespace rill {
namespace {

// Larger results cost more to keep than to compute again.
constexpr std::size_t kMaxFoldedBytes = 10 << 20;
// So do results that are larger than what they are made of, like the zeros that slots start with:
// as constants they would stay for as long as the plan.
constexpr std::size_t kMaxGrownBytes = 64 << 10;

bool is_constant(const Subgraph::Item& item) { return item.constant.has_value(); }

// Pure, placed nowhere in particular, ordered after nothing, every input a constant.
bool is_foldable(const Subgraph& graph, const Subgraph::Item& item) {
  if (!item.is_plain() || !item.node->op().has(kPure) || !item.controls.empty() ||
      item.node->output_count() == 0)
    return false;
  for (int i = 0; i < item.node->output_count(); ++i)
    if (!is_trivial(item.node->output_type(i)) && item.node->output_type(i) != DType::string)
      return false;
  for (const auto& input : item.inputs)
    if (!is_constant(graph.items[static_cast<std::size_t>(input.item)])) return false;
  return true;
}

std::size_t total_bytes(const std::vector<Tensor>& tensors) {
  std::size_t bytes = 0;
  for (const Tensor& tensor : tensors) bytes += tensor.byte_size();
  return bytes;
}

bool is_worth_keeping(const std::vector<Tensor>& results, const std::vector<Tensor>& inputs) {
  // Memory that someone has anyway, as that of a graph's own constants, costs nothing.
  if (std::ranges::none_of(results, &Tensor::is_exclusive)) return true;
  const std::size_t bytes = total_bytes(results);
  return bytes <= kMaxGrownBytes || (bytes <= kMaxFoldedBytes && bytes <= total_bytes(inputs));
}

}  // namespace

int fold_constants(Subgraph& graph, Evaluator& evaluator) {
  int changed = 0;
  std::vector<Tensor> inputs;
  // Only a node of one output becomes a constant itself; with more, each output would need an item.
  for (auto& item : graph.items) {
    if (!is_foldable(graph, item) || item.node->output_count() != 1) continue;
    inputs.clear();
    for (const auto& input : item.inputs)
      inputs.push_back(*graph.items[static_cast<std::size_t>(input.item)].constant);
    auto values = evaluator.evaluate(*item.node, inputs);
    if (!values || !is_worth_keeping(*values, inputs)) continue;
    item.constant = std::move(values->front());
    item.inputs.clear();
    ++changed;
  }
  return changed;
}

}  // namespace rill
