#include "rill/api/estimator/core/repeated_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "rill/api/core/collections.h"
#include "rill/graph/function.h"

namespace rill::estimator {
namespace {

// Datasets are made anew by every initializer; those with such names, of libraries too, remember
// something beyond that.
constexpr std::array<std::string_view, 6> kRemembering = {"Shuffle", "Random",  "Cache",
                                                          "Sampl",   "Rebatch", "Service"};

// Assignments to variables of the older kind are stateless by declaration.
bool writes_through_reference(const Op& op) {
  return op.name != "IsVariableInitialized" &&
         std::any_of(op.inputs.begin(), op.inputs.end(), [](const Arg& arg) { return arg.is_ref; });
}

bool is_dataset(std::string_view op) { return op.find("Dataset") != std::string_view::npos; }

bool op_leaves_no_trace(const Op& op) {
  const std::string_view name = op.name;
  if (is_dataset(name))
    return std::none_of(kRemembering.begin(), kRemembering.end(), [&](std::string_view word) {
      return name.find(word) != std::string_view::npos;
    });
  if (writes_through_reference(op)) return false;
  return !op.has(kStateful) || op.has(kNoLastingEffect);
}

// The functions that attributes name, with those that these call.
class CalledFunctions {
 public:
  explicit CalledFunctions(const Graph& graph) : graph_(graph) {}

  bool leave_no_trace(const AttrMap& attrs) {
    std::vector<std::string> names;
    for (const auto& [key, value] : attrs) find_functions(value, names);
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return leaves_none(name); });
  }
  bool leaves_none(const std::string& name) {
    if (!seen_.insert(name).second) return true;
    const auto function = graph_.functions()->find(name);
    if (!function) return false;
    return std::all_of(
        function->nodes.begin(), function->nodes.end(), [&](const FunctionNode& node) {
          if (graph_.functions()->find(node.op))
            return leaves_none(node.op) && leave_no_trace(node.attrs);
          return op_leaves_no_trace(graph_.op(node.op)) && leave_no_trace(node.attrs);
        });
  }

 private:
  const Graph& graph_;
  std::set<std::string> seen_;
};

// The iterators that begin at their first element whenever `nodes` run.
std::set<Node*> iterators_begun_by(std::span<Node* const> nodes) {
  std::set<Node*> iterators;
  for (Node* const node : nodes)
    if (node->op().name == "MakeIterator") iterators.insert(node->input(1).node);
  return iterators;
}

bool same_edges(const Node& a, const Node& b) {
  const auto same = [](const Output& x, const Output& y) {
    return x.index == y.index && x.node->id() == y.node->id();
  };
  const auto same_id = [](const Node* x, const Node* y) { return x->id() == y->id(); };
  return std::equal(a.inputs().begin(), a.inputs().end(), b.inputs().begin(), b.inputs().end(),
                    same) &&
         std::equal(a.control_inputs().begin(), a.control_inputs().end(),
                    b.control_inputs().begin(), b.control_inputs().end(), same_id);
}

// Tensors of one node that hold data for datasets and nothing else.
bool holds_data(const Node& node) {
  if (node.op().name != "Const" || node.consumers().empty()) return false;
  return std::all_of(node.consumers().begin(), node.consumers().end(), [](const Node* reader) {
    return reader->op().name == "TensorSliceDataset" || reader->op().name == "TensorDataset";
  });
}

bool same_kind(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape();
}

// Whether a table's name was drawn at random, so that nothing else has it.
bool is_drawn(const std::string& shared_name) {
  constexpr std::string_view kPrefix = "hash_table_";
  constexpr std::size_t kUuid = 36;
  return shared_name.size() == kPrefix.size() + kUuid && shared_name.starts_with(kPrefix) &&
         std::count(shared_name.begin(), shared_name.end(), '-') == 4;
}

// Which graph of two has which names, where they may differ.
class DrawnNames {
 public:
  // Whether these two can be the same table under names drawn at random.
  bool match(const AttrValue& before, const AttrValue& now) {
    const auto* a = before.get_if<std::string>();
    const auto* b = now.get_if<std::string>();
    if (!a || !b || !is_drawn(*a) || !is_drawn(*b)) return false;
    return there_.emplace(*a, *b).first->second == *b && back_.emplace(*b, *a).first->second == *a;
  }

 private:
  std::map<std::string, std::string> there_, back_;
};

bool same_attrs(const AttrMap& a, const AttrMap& b, DrawnNames& names) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    if (x.first != y.first) return false;
    return x.second == y.second || (x.first == "shared_name" && names.match(x.second, y.second));
  });
}

// Adds what to feed in place of `a` where both hold data; false where they differ otherwise.
bool compare_attrs(Node& a, const Node& b, DrawnNames& names, std::vector<Feed>& feeds) {
  if (same_attrs(a.attrs(), b.attrs(), names)) return true;
  if (!holds_data(a) || !holds_data(b)) return false;
  const Tensor& now = b.attr<Tensor>("value");
  if (!same_kind(a.attr<Tensor>("value"), now)) return false;
  feeds.push_back({a.output(), now});
  return true;
}

bool same_functions(const Graph& a, const Graph& b) {
  const auto mine = a.functions()->all(), theirs = b.functions()->all();
  return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                    [](const auto& x, const auto& y) { return same_definition(*x, *y); });
}

}  // namespace

bool leaves_no_trace(std::span<Node* const> nodes) {
  if (nodes.empty()) return true;
  std::vector<Node*> open(nodes.begin(), nodes.end());
  std::set<Node*> seen(open.begin(), open.end());
  const std::set<Node*> begun_anew = iterators_begun_by(nodes);
  CalledFunctions functions(open.front()->graph());
  while (!open.empty()) {
    Node& node = *open.back();
    open.pop_back();
    const bool is_known = op_leaves_no_trace(node.op()) || begun_anew.contains(&node);
    if (!is_known || !functions.leave_no_trace(node.attrs())) return false;
    for (const Output& input : node.inputs())
      if (seen.insert(input.node).second) open.push_back(input.node);
    for (Node* const before : node.control_inputs())
      if (seen.insert(before).second) open.push_back(before);
  }
  return true;
}

std::optional<std::vector<Feed>> differing_data(const Graph& before, const Graph& now,
                                                int node_count) {
  if (now.node_count() != node_count || before.seed != now.seed || !same_functions(before, now))
    return {};
  std::vector<Feed> feeds;
  DrawnNames names;
  for (int id = 0; id < node_count; ++id) {
    Node& a = before.node(id);
    const Node& b = now.node(id);
    if (a.name() != b.name() || a.op().name != b.op().name || a.device() != b.device() ||
        !same_edges(a, b) || !compare_attrs(a, b, names, feeds))
      return {};
  }
  return feeds;
}

}  // namespace rill::estimator
