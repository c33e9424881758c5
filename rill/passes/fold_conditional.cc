#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/passes/subgraph.h"

namespace rill {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxGuards = 4;  // more would be more edges than the node costs
constexpr std::size_t kMaxReaders = 64;

class ConditionalFolder {
 public:
  ConditionalFolder(Subgraph& graph, Evaluator& evaluator)
      : graph_(graph),
        evaluator_(evaluator),
        readers_(graph.items.size()),
        pinned_(graph.items.size(), 0) {}

  int run() {
    if (std::ranges::none_of(graph_.items, [](const Subgraph::Item& item) {
          return item.is_plain() && item.node->op().has(kControlFlow);
        }))
      return 0;
    for (const auto& fetch : graph_.fetches) pinned_[at(fetch.item)] = 1;
    for (const int target : graph_.targets) pinned_[at(target)] = 1;
    for (std::size_t i = 0; i < graph_.items.size(); ++i) note_reader(static_cast<int>(i));
    int changed = 0;
    for (std::size_t i = 0; i < graph_.items.size(); ++i) changed += fold(i);
    return changed;
  }

 private:
  // A Merge that reads a value waits for it otherwise than for a control edge.
  void note_reader(int reader) {
    const Subgraph::Item& item = graph_.items[at(reader)];
    const bool is_merge = item.node->op().has(kMerge);
    for (const auto& input : item.inputs) {
      readers_[at(input.item)].push_back(reader);
      if (is_merge) pinned_[at(input.item)] = 1;
    }
    for (const int control : item.controls) readers_[at(control)].push_back(reader);
  }

  bool is_foldable(std::size_t i) const {
    const Subgraph::Item& item = graph_.items[i];
    if (pinned_[i] != 0 || !item.is_plain() || !item.node->op().has(kPure) ||
        item.controls.empty() || item.controls.size() > kMaxGuards ||
        readers_[i].size() > kMaxReaders || item.node->output_count() != 1)
      return false;
    const DType type = item.node->output_type(0);
    return (is_trivial(type) || type == DType::string) &&
           std::ranges::all_of(item.inputs, [&](const Subgraph::Edge& input) {
             return graph_.items[at(input.item)].constant.has_value();
           });
  }

  int fold(std::size_t i) {
    if (!is_foldable(i)) return 0;
    Subgraph::Item& item = graph_.items[i];
    std::vector<Tensor> inputs;
    for (const auto& input : item.inputs) inputs.push_back(*graph_.items[at(input.item)].constant);
    auto values = evaluator_.evaluate(*item.node, inputs);
    if (!values || values->front().byte_size() > kMaxBytes) return 0;
    for (const int reader : readers_[i]) guard(reader, static_cast<int>(i), item.controls);
    item.constant = std::move(values->front());
    item.inputs.clear();
    item.controls.clear();
    return 1;
  }

  void guard(int reader, int folded, const std::vector<int>& guards) {
    std::vector<int>& controls = graph_.items[at(reader)].controls;
    std::erase(controls, folded);
    for (const int guard : guards) {
      if (std::ranges::find(controls, guard) != controls.end()) continue;
      controls.push_back(guard);
      readers_[at(guard)].push_back(reader);
    }
  }

  Subgraph& graph_;
  Evaluator& evaluator_;
  std::vector<std::vector<int>> readers_;  // per item: who reads it or waits for it
  std::vector<char> pinned_;               // per item: must stay a node
};

}  // namespace

int fold_conditional(Subgraph& graph, Evaluator& evaluator) {
  return ConditionalFolder(graph, evaluator).run();
}

}  // namespace rill
