#include <algorithm>

#include "rill/passes/effects.h"

namespace rill {
namespace {

// Larger results cost more to keep than to compute again.
constexpr std::size_t kMaxFoldedBytes = 10 << 20;
// So do results that are larger than what they are made of, like the zeros that slots start with:
// as constants they would stay for as long as the plan.
constexpr std::size_t kMaxGrownBytes = 64 << 10;

// Of those that are not kept, what others that may be smaller are made of.
constexpr std::size_t kMaxPassingBytes = 32 << 20;

// What items are, as far as it is known before a step runs.
class KnownValues {
 public:
  explicit KnownValues(const Subgraph& graph) : graph_(graph), passing_(graph.items.size()) {}

  bool is_kept(int item) const {
    return graph_.items[static_cast<std::size_t>(item)].constant.has_value();
  }
  const Tensor* find(int item) const {
    const auto i = static_cast<std::size_t>(item);
    if (is_kept(item)) return &*graph_.items[i].constant;
    return passing_[i] ? &*passing_[i] : nullptr;
  }
  void let_pass(std::size_t item, Tensor value) {
    if (value.byte_size() > kMaxFoldedBytes || bytes_ + value.byte_size() > kMaxPassingBytes)
      return;
    bytes_ += value.byte_size();
    passing_[item] = std::move(value);
  }

 private:
  const Subgraph& graph_;
  std::vector<std::optional<Tensor>> passing_;
  std::size_t bytes_ = 0;
};

// Pure, placed nowhere in particular, ordered after nothing.
bool is_foldable(const Subgraph::Item& item) {
  if (!item.is_plain() || !item.node->op().has(kPure) || !item.controls.empty() ||
      item.node->output_count() == 0)
    return false;
  for (int i = 0; i < item.node->output_count(); ++i)
    if (!is_trivial(item.node->output_type(i)) && item.node->output_type(i) != DType::string)
      return false;
  return true;
}

struct KnownInputs {
  std::vector<Tensor> values;
  std::size_t kept_bytes = 0;
  bool are_kept = true;

  // False when one of them is not known.
  bool find(const Subgraph::Item& item, const KnownValues& known) {
    *this = {};
    for (const auto& input : item.inputs) {
      const Tensor* const value = known.find(input.item);
      if (value == nullptr) return false;
      values.push_back(*value);
      if (known.is_kept(input.item)) kept_bytes += value->byte_size();
      are_kept = are_kept && known.is_kept(input.item);
    }
    return true;
  }
};

// Whether it is known before it is computed that the result is neither kept nor passed on.
bool is_made_for_nobody(const Node& node, const KnownInputs& inputs) {
  const std::int64_t count = node.output_shape(0).element_count();
  const DType type = node.output_type(0);
  if (count < 0 || !is_trivial(type)) return false;
  const std::size_t bytes = static_cast<std::size_t>(count) * element_size(type);
  return bytes > kMaxFoldedBytes && bytes > inputs.kept_bytes;
}

bool is_worth_keeping(const Tensor& result, const KnownInputs& inputs) {
  // Memory that someone has anyway, as that of a graph's own constants, costs nothing.
  if (!result.is_exclusive()) return inputs.are_kept;
  const std::size_t bytes = result.byte_size();
  return bytes <= kMaxGrownBytes || (bytes <= kMaxFoldedBytes && bytes <= inputs.kept_bytes);
}

// A group of nobody, as the checks leave that a program's shapes answered when it was built.
void drop_waits_for_nobody(const Subgraph& graph, Subgraph::Item& item) {
  std::erase_if(item.controls, [&](int control) {
    const Subgraph::Item& group = graph.items[static_cast<std::size_t>(control)];
    return group.controls.empty() && is_group(group);
  });
}

}  // namespace

int fold_constants(Subgraph& graph, Evaluator& evaluator) {
  int changed = 0;
  KnownValues known(graph);
  KnownInputs inputs;
  // Only a node of one output becomes a constant itself; with more, each output would need an item.
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    Subgraph::Item& item = graph.items[i];
    drop_waits_for_nobody(graph, item);
    if (!is_foldable(item) || item.node->output_count() != 1) continue;
    if (!inputs.find(item, known) || is_made_for_nobody(*item.node, inputs)) continue;
    auto values = evaluator.evaluate(*item.node, inputs.values);
    if (!values) continue;
    Tensor& result = values->front();
    if (!is_worth_keeping(result, inputs)) {
      known.let_pass(i, std::move(result));
      continue;
    }
    item.constant = std::move(result);
    item.inputs.clear();
    ++changed;
  }
  return changed;
}

}  // namespace rill
