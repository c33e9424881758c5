#include "rill/ops/fusion/elementwise_chains.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "rill/base/subscript.h"
#include "rill/kernel/kernel_node.h"
#include "rill/ops/fusion/fusion_groups.h"
#include "rill/ops/math/elementwise/chain_program.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

constexpr std::size_t kMaxInputs = 60;

// Whether a chain has a stage for the op; asked once for each.
bool has_stage(const Op& op) {
  static std::map<std::string, bool> known;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const auto it = known.find(op.name);
  if (it != known.end()) return it->second;
  struct NoDevice final : Device {
    const std::string& name() const override { return text; }
    const std::string& type() const override { return text; }
    Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
    ThreadPool& pool() override { return shared_pool(); }
    std::string text = "CPU";
  };
  static NoDevice device;
  KernelNode node;
  node.device = &device;
  return known.emplace(op.name, make_chain_stage(op.name, node) != nullptr).first->second;
}

// Whether `small`, as far as it is known, is all of `big`, one number or its last dimensions.
bool is_row_of(const PartialShape& small, const PartialShape& big) {
  if (!small.has_rank() || !big.has_rank()) return true;
  if (small.rank() > big.rank()) return false;
  bool ended = false;
  for (int d = small.rank(), b = big.rank(); d > 0; --d, --b) {
    const std::int64_t length = small.dim(d - 1), whole = big.dim(b - 1);
    if (ended && length > 1) return false;
    if (length == 1 && whole != 1) {
      ended = true;
    } else if (length >= 0 && whole >= 0 && length != whole) {
      return false;
    }
  }
  return true;
}

bool is_stage(const Subgraph& graph, const Subgraph::Item& item) {
  if (!item.is_plain() || item.node->output_count() != 1 || item.inputs.empty() ||
      item.inputs.size() > 2 || item.node->output_type(0) != DType::f32)
    return false;
  const Op& op = item.node->op();
  const bool is_unbroadcast = op.name == "_Unbroadcast";
  if (!op.has(kElementwise) && !is_unbroadcast) return false;
  if (graph.dtype(item.inputs[0]) != DType::f32) return false;
  if (item.inputs.size() == 2) {
    const DType second = graph.dtype(item.inputs[1]);
    if (second != (is_unbroadcast ? DType::i32 : DType::f32)) return false;
    const PartialShape x = graph.shape(item.inputs[0]), y = graph.shape(item.inputs[1]);
    if (!is_unbroadcast && !is_row_of(x, y) && !is_row_of(y, x)) return false;
  }
  return (op.name != "AddN" || item.inputs.size() == 2) && has_stage(op);
}

FusionGroups find_chains(const Subgraph& graph) {
  FusionGroups groups(graph);
  const std::vector<int> regions = find_regions(graph),
                         waits = find_blocking_sets(graph, may_block);
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[i];
    if (regions[i] < 0 || !is_stage(graph, item)) continue;
    const int index = static_cast<int>(i);
    groups.add_alone(index);
    for (const Subgraph::Edge& input : item.inputs)
      if (input.item < index && groups.group_of(input.item) >= 0 &&
          regions[at(input.item)] == regions[i] && waits[at(input.item)] == waits[i] &&
          graph.items[at(input.item)].device == item.device)
        groups.join(index, input.item);
  }
  groups.break_cycles();
  return groups;
}

// Builds the node of one chain and knows where its values are afterwards.
class ElementwiseChain {
 public:
  ElementwiseChain(const Subgraph& graph, const std::vector<int>& members,
                   const std::vector<char>& leaves)
      : graph_(graph), members_(members) {
    for (const int member : members)
      for (const Subgraph::Edge& input : graph.items[at(member)].inputs)
        if (!is_member(input.item) && std::ranges::find(inputs, input) == inputs.end())
          inputs.push_back(input);
    for (const int member : members)
      if (leaves[at(member)] != 0) results.push_back(member);
  }

  // An input that a result may be written over comes first, with that result: one that is read no
  // later than the result is made.
  void offer_input(const Readers& readers) {
    for (std::size_t r = 0; r < results.size(); ++r)
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (graph_.dtype(inputs[i]) != DType::f32 || last_read(inputs[i]) > results[r]) continue;
        if (!graph_.items[at(inputs[i].item)].is_plain() || !is_only_reader(inputs[i], readers))
          continue;
        std::swap(results[0], results[r]);
        std::swap(inputs[0], inputs[i]);
        return;
      }
  }

  const Node& make(HelperNodes& nodes) const {
    const Node& near = *graph_.items[at(members_.back())].node;
    std::vector<std::string> names;
    std::vector<std::int64_t> operands, numbers;
    for (const int member : members_) {
      const Subgraph::Item& item = graph_.items[at(member)];
      names.push_back(item.node->op().name);
      operands.push_back(number(item.inputs[0]));
      operands.push_back(item.inputs.size() < 2 ? -1 : number(item.inputs[1]));
    }
    for (const int result : results) numbers.push_back(number({result, 0}));
    std::vector<Output> types;
    std::vector<DType> input_types;
    for (const Subgraph::Edge& input : inputs) {
      input_types.push_back(graph_.dtype(input));
      types.push_back(nodes.any(input_types.back(), near));
    }
    return nodes.add("_ElementwiseChain", near.name(), std::move(types),
                     {{"Tin", input_types},
                      {"N", static_cast<std::int64_t>(results.size())},
                      {"op_names", names},
                      {"operands", operands},
                      {"results", numbers}},
                     near);
  }

  std::vector<Subgraph::Edge> inputs;
  std::vector<int> results;  // members whose values others read

 private:
  bool is_member(int item) const { return std::ranges::binary_search(members_, item); }
  std::int64_t number(Subgraph::Edge value) const {
    if (is_member(value.item))
      return static_cast<std::int64_t>(inputs.size()) +
             (std::ranges::lower_bound(members_, value.item) - members_.begin());
    return std::ranges::find(inputs, value) - inputs.begin();
  }
  int last_read(Subgraph::Edge value) const {
    int last = -1;
    for (const int member : members_)
      if (std::ranges::count(graph_.items[at(member)].inputs, value) > 0) last = member;
    return last;
  }
  bool is_only_reader(Subgraph::Edge value, const Readers& readers) const {
    std::ptrdiff_t reads = 0;
    for (const int member : members_)
      reads += std::ranges::count(graph_.items[at(member)].inputs, value);
    return readers.count(value) == reads;
  }

  const Subgraph& graph_;
  const std::vector<int>& members_;
};

// Which items' values are read by items of other groups, or fetched.
std::vector<char> find_leaving(const Subgraph& graph, const FusionGroups& groups) {
  std::vector<char> leaves(graph.items.size(), 0);
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    for (const Subgraph::Edge& input : graph.items[i].inputs)
      if (groups.group_of(input.item) < 0 ||
          groups.group_of(input.item) != groups.group_of(static_cast<int>(i)))
        leaves[at(input.item)] = 1;
  for (const Subgraph::Edge& fetch : graph.fetches) leaves[at(fetch.item)] = 1;
  return leaves;
}

// Where the values and the ends of items that became part of a chain are now.
class Moves {
 public:
  explicit Moves(std::size_t count) : to_(count) {}
  void add(int item, int chain, int output) { to_[at(item)] = {chain, output}; }
  void apply(Subgraph& graph) const {
    for (Subgraph::Item& item : graph.items) {
      for (Subgraph::Edge& input : item.inputs) move(input);
      for (int& control : item.controls) move(control);
    }
    for (Subgraph::Edge& fetch : graph.fetches) move(fetch);
    for (int& target : graph.targets) move(target);
  }

 private:
  void move(Subgraph::Edge& edge) const {
    if (to_[at(edge.item)].item >= 0) edge = to_[at(edge.item)];
  }
  void move(int& item) const {
    if (to_[at(item)].item >= 0) item = to_[at(item)].item;
  }
  std::vector<Subgraph::Edge> to_;
};

int fuse_chains(Subgraph& graph, HelperNodes& nodes) {
  const FusionGroups groups = find_chains(graph);
  const Readers readers(graph);
  const std::vector<char> leaves = find_leaving(graph, groups);
  Moves moves(graph.items.size());
  int changed = 0;
  for (const std::vector<int>& members : groups.members()) {
    if (members.size() < 2) continue;
    ElementwiseChain chain(graph, members, leaves);
    if (chain.results.empty() || chain.inputs.empty() || chain.inputs.size() > kMaxInputs) continue;
    chain.offer_input(readers);
    const int last = members.back();
    const Node& node = chain.make(nodes);
    for (const int member : members) moves.add(member, last, 0);  // for those who wait for it
    for (std::size_t r = 0; r < chain.results.size(); ++r)
      moves.add(chain.results[r], last, static_cast<int>(r));
    std::vector<int> fused(members.begin(), members.end() - 1);
    replace(graph, last, node, std::move(chain.inputs), fused);
    std::erase_if(graph.items[at(last)].controls,
                  [&](int control) { return std::ranges::binary_search(members, control); });
    ++changed;
  }
  if (changed == 0) return 0;
  moves.apply(graph);
  return changed;
}

}  // namespace

extern const Rewrite kElementwiseChainsRewrite{
    .name = "elementwise_chains",
    .doc = "element-wise ops that read each other's results become one loop",
    .apply = fuse_chains};

}  // namespace rill
