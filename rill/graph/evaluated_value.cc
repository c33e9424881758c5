#include "rill/graph/evaluated_value.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

namespace rill {
namespace {

// Shapes and what they are computed from, not data.
constexpr std::int64_t kMaxRead = 1 << 20, kMaxMade = 1 << 16;

std::atomic<EvaluateFn> evaluate_fn{nullptr};

// What was found for each node that was asked about: its outputs, or nothing.
struct Evaluations {
  std::unordered_map<const Node*, std::vector<Tensor>> found;
};

bool is_simple(DType type) { return is_trivial(type) || type == DType::string; }

// Its result depends on the inputs alone and is small as far as that is known; and nothing but its
// kernel runs, which cannot come back to this graph.
bool is_candidate(const Node& node) {
  const Op& op = node.op();
  if (!op.has(kPure) || op.has(kReachesOut | kUsesOpened)) return false;
  if (node.output_count() == 0 || node.input_count() == 0) return false;
  for (int i = 0; i < node.output_count(); ++i)
    if (!is_simple(node.output_type(i)) || node.output_shape(i).element_count() > kMaxMade)
      return false;
  return std::ranges::all_of(node.inputs(), [](const Output& input) { return bool(input.node); });
}

class Search {
 public:
  Search(Evaluations& evaluations, EvaluateFn evaluate)
      : found_(evaluations.found), evaluate_(evaluate) {}

  const Tensor* value(Output output) const {
    if (const Tensor* known = constant_value(output)) return known;
    const auto it = found_.find(output.node);
    return it == found_.end() || it->second.empty()
               ? nullptr
               : &it->second.at(static_cast<std::size_t>(output.index));
  }

  // Settles what `node` depends on, then the node; on a stack of its own, as graphs may be deep.
  void settle(const Node& node) {
    std::vector<const Node*> open{&node};
    while (!open.empty()) {
      const Node& next = *open.back();
      if (found_.contains(&next)) {
        open.pop_back();
      } else if (!is_candidate(next) || has_unknown_input(next)) {
        found_[&next] = {};
      } else if (const Node* input = unsettled_input(next)) {
        open.push_back(input);
      } else {
        found_[&next] = run(next);
      }
    }
  }

 private:
  bool is_settled(Output output) const {
    return constant_value(output) != nullptr || found_.contains(output.node);
  }
  bool has_unknown_input(const Node& node) const {
    return std::ranges::any_of(node.inputs(),
                               [&](Output in) { return is_settled(in) && value(in) == nullptr; });
  }
  const Node* unsettled_input(const Node& node) const {
    const auto it = std::ranges::find_if(node.inputs(), [&](Output in) { return !is_settled(in); });
    return it == node.inputs().end() ? nullptr : it->node;
  }
  std::vector<Tensor> run(const Node& node) const {
    std::vector<Tensor> inputs;
    for (const Output& input : node.inputs()) {
      inputs.push_back(*value(input));
      if (inputs.back().element_count() > kMaxRead) return {};
    }
    return evaluate_(node, inputs).value_or(std::vector<Tensor>());
  }

  std::unordered_map<const Node*, std::vector<Tensor>>& found_;
  const EvaluateFn evaluate_;
};

}  // namespace

void set_evaluate(EvaluateFn evaluate) { evaluate_fn.store(evaluate); }

const Tensor* evaluated_value(Output output) {
  if (const Tensor* known = constant_value(output)) return known;
  const EvaluateFn evaluate = evaluate_fn.load();
  if (!output.node || evaluate == nullptr || !is_candidate(*output.node)) return nullptr;
  Search search(output.node->graph().attached<Evaluations>(), evaluate);
  search.settle(*output.node);
  return search.value(output);
}

void forget_evaluated(const Node& node) { node.graph().attached<Evaluations>().found.erase(&node); }

void forget_all_evaluated(Graph& graph) { graph.attached<Evaluations>().found.clear(); }

}  // namespace rill
