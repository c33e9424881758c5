#include "rill/api/picture/scope_tree.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "rill/api/graph_util/input_names.h"
#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::picture {
namespace {

using graph_util::is_control;
using graph_util::node_of;
using tensorflow::GraphDef;
using tensorflow::NodeDef;

// Scopes that programs never name themselves, and ops whose results nobody looks at.
constexpr std::string_view kSideScopes[] = {"gradients", "save", "init", "report_uninitialized"};
constexpr std::string_view kSideOps[] = {"Assign",      "Apply",  "ResourceApply",
                                         "SparseApply", "Save",   "Restore",
                                         "MergeV2",     "Assert", "NoOp"};
constexpr std::string_view kValueOps[] = {"Const", "Variable", "VarHandleOp"};
constexpr std::string_view kPassingOps[] = {"Identity", "ReadVariableOp", "CheckNumerics",
                                            "StopGradient", "Dequantize"};

bool starts_with_any(std::string_view text, auto&& beginnings) {
  return std::ranges::any_of(beginnings, [&](auto start) { return text.starts_with(start); });
}

std::string top_scope(const std::string& name) { return name.substr(0, name.find('/')); }

// Constants of whole numbers are sizes and positions.
bool has_weights(const NodeDef& node) {
  const auto type = node.attr().find("dtype");
  return starts_with_any(node.op(), kValueOps) && type != node.attr().end() &&
         (kFloatTypes | kQuantizedTypes | kComplexTypes)
             .contains(static_cast<DType>(type->second.type() % kRefOffset));
}

PartialShape value_shape(const NodeDef& node) {
  try {
    if (const auto value = node.attr().find("value"); value != node.attr().end())
      return shape_from_proto(value->second.tensor().tensor_shape());
    if (const auto shape = node.attr().find("shape"); shape != node.attr().end())
      return shape_from_proto(shape->second.shape());
  } catch (const Error&) {  // broken, and of no size
  }
  return {};
}

class TreeMaker {
 public:
  TreeMaker(const GraphDef& graph, const Options& options)
      : graph_(graph), prefix_(options.scope.empty() ? "" : options.scope + "/") {
    for (int i = 0; i < graph.node_size(); ++i) position_[graph.node(i).name()] = i;
    shown_.resize(static_cast<std::size_t>(graph.node_size()), false);
  }

  ScopeTree make() {
    tree_.groups.push_back({.name = prefix_, .path = prefix_});
    choose_nodes();
    for (int i = 0; i < graph_.node_size(); ++i)
      if (is_shown(i)) add_node(i);
    for (int i = 0; i < graph_.node_size(); ++i)
      if (is_shown(i)) add_inputs(i);
    require(!tree_.groups[0].children.empty(), "There is nothing to draw",
            prefix_.empty() ? "" : " below " + prefix_);
    sum_up(0);
    shorten(0);
    return std::move(tree_);
  }

 private:
  bool is_shown(int i) const { return shown_[static_cast<std::size_t>(i)]; }
  Group& group(int i) { return tree_.groups[static_cast<std::size_t>(i)]; }

  static bool is_side(const NodeDef& node) {
    return starts_with_any(top_scope(node.name()), kSideScopes) ||
           starts_with_any(node.op(), kSideOps) || node.op().ends_with("Summary") ||
           node.op().ends_with("SummaryV2") ||
           node.name().find("/Initializer/") != std::string::npos;
  }
  bool passes_on(int i) const { return starts_with_any(graph_.node(i).op(), kPassingOps); }

  // What stands for the value of a constant or variable, as their reads do.
  bool is_value(int i) const {
    for (int steps = 0; i >= 0 && steps < 100; ++steps) {
      const NodeDef& node = graph_.node(i);
      if (starts_with_any(node.op(), kValueOps)) return true;
      if (!passes_on(i) || node.input_size() == 0) return false;
      i = find(node.input(0));
    }
    return false;
  }

  void choose_nodes() {
    const auto count = static_cast<std::size_t>(graph_.node_size());
    std::vector<int> readers(count, 0), effects(count, 0);  // who reads it; to change a variable
    for (const NodeDef& node : graph_.node())
      for (const std::string& input : node.input())
        if (const int from = find(input); from >= 0 && !is_control(input))
          ++readers[static_cast<std::size_t>(from)];
    // Backwards, so that what is only needed for such needs is found too.
    std::vector<char> is_effect(count, 0);
    for (int i = graph_.node_size() - 1; i >= 0; --i) {
      const NodeDef& node = graph_.node(i);
      const auto at = static_cast<std::size_t>(i);
      is_effect[at] =
          starts_with_any(node.op(), kSideOps) ||
          (readers[at] > 0 && readers[at] == effects[at] && !node.op().starts_with("Placeholder"));
      if (is_effect[at] == 0) continue;
      for (const std::string& input : node.input())
        if (const int from = find(input); from >= 0 && !is_control(input))
          ++effects[static_cast<std::size_t>(from)];
    }
    for (int i = 0; i < graph_.node_size(); ++i) {
      const NodeDef& node = graph_.node(i);
      const auto at = static_cast<std::size_t>(i);
      if (starts_with_any(top_scope(node.name()), kSideScopes))
        ++tree_.left_out[top_scope(node.name())];
      shown_[at] = !is_side(node) && is_effect[at] == 0 && !is_value(i) &&
                   !(passes_on(i) && readers[at] > 0) && node.op() != "VarIsInitializedOp" &&
                   !node.op().starts_with("IsVariable") && node.name().starts_with(prefix_);
    }
  }

  int find(std::string_view input) const {
    const auto found = position_.find(std::string(node_of(input)));
    return found == position_.end() ? -1 : found->second;
  }

  // The node that a value comes from, past those that only pass it on.
  int source_of(std::string_view input) const {
    int from = find(input);
    for (int steps = 0; from >= 0 && !is_shown(from) && steps < 100; ++steps) {
      const NodeDef& node = graph_.node(from);
      if (!passes_on(from) || node.input_size() == 0) break;
      from = find(node.input(0));
    }
    return from;
  }

  // A scope below another, made when it is first needed.
  int scope(int parent, const std::string& name) {
    const std::string path = group(parent).path + name;
    if (const auto found = scopes_.find(path); found != scopes_.end()) return found->second;
    const int made = static_cast<int>(tree_.groups.size());
    tree_.groups.push_back({.name = name, .path = path + "/", .parent = parent});
    group(parent).children.push_back(made);
    scopes_[path] = made;
    return made;
  }

  void add_node(int i) {
    const std::string name = graph_.node(i).name().substr(prefix_.size());
    int parent = 0;
    std::size_t begin = 0;
    for (std::size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', begin)) {
      parent = scope(parent, name.substr(begin, slash - begin));
      begin = slash + 1;
    }
    const int made = static_cast<int>(tree_.groups.size());
    tree_.groups.push_back({.name = name.substr(begin),
                            .path = graph_.node(i).name(),
                            .parent = parent,
                            .node = i,
                            .nodes = 1});
    group(parent).children.push_back(made);
    group_of_[i] = made;
  }

  void add_inputs(int i) {
    Group& reader = group(group_of_.at(i));
    for (const std::string& input : graph_.node(i).input()) {
      if (is_control(input)) continue;
      const int from = source_of(input);
      if (from < 0) continue;
      if (is_shown(from)) {
        if (from != i) ++tree_.flow[{group_of_.at(from), group_of_.at(i)}];
      } else if (has_weights(graph_.node(from))) {
        const PartialShape shape = value_shape(graph_.node(from));
        if (!shape.is_full() || shape.rank() == 0) continue;
        reader.parameters += shape.element_count();
        if (shape.rank() > 1 && reader.detail.empty()) reader.detail = to_text(shape);
      }
    }
  }

  void sum_up(int g) {
    const std::vector<int> children = group(g).children;
    for (const int child : children) {
      sum_up(child);
      group(g).nodes += group(child).nodes;
      group(g).parameters += group(child).parameters;
    }
  }

  // A scope that holds one thing only is that thing, under a longer name.
  void shorten(int g) {
    for (int& child : group(g).children) {
      while (group(child).is_scope() && group(child).children.size() == 1) {
        const int only = group(child).children[0];
        group(only).name = group(child).name + "/" + group(only).name;
        group(only).parent = g;
        child = only;
      }
      shorten(child);
    }
  }

  const GraphDef& graph_;
  const std::string prefix_;
  std::unordered_map<std::string, int> position_;
  std::vector<bool> shown_;
  std::unordered_map<std::string, int> scopes_;
  std::unordered_map<int, int> group_of_;  // by node
  ScopeTree tree_;
};

// Too many to see at once: neighbours in the order of the graph share a box.
void bundle_children(ScopeTree& tree, int g, int most) {
  const std::vector<int> children = tree.groups[static_cast<std::size_t>(g)].children;
  const std::size_t each =
      (children.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  std::vector<int> bundles;
  for (std::size_t begin = 0; begin < children.size(); begin += each) {
    const std::size_t end = std::min(begin + each, children.size());
    const auto at = [&](std::size_t i) -> Group& {
      return tree.groups[static_cast<std::size_t>(children[i])];
    };
    Group bundle{.name = str_cat(at(begin).name, " to ", at(end - 1).name),
                 .path = at(begin).path + " ",
                 .parent = g,
                 .children = {children.begin() + static_cast<std::ptrdiff_t>(begin),
                              children.begin() + static_cast<std::ptrdiff_t>(end)}};
    const int made = static_cast<int>(tree.groups.size());
    for (std::size_t i = begin; i < end; ++i) {
      at(i).parent = made;
      bundle.nodes += at(i).nodes;
      bundle.parameters += at(i).parameters;
    }
    tree.groups.push_back(std::move(bundle));
    bundles.push_back(made);
  }
  tree.groups[static_cast<std::size_t>(g)].children = std::move(bundles);
}

}  // namespace

ScopeTree make_scope_tree(const GraphDef& graph, const Options& options) {
  return TreeMaker(graph, options).make();
}

void open_scopes(ScopeTree& tree, int boxes) {
  require(boxes >= 1, "A picture needs at least one box, not ", boxes);
  if (static_cast<int>(tree.groups[0].children.size()) > std::max(2 * boxes, 30))
    bundle_children(tree, 0, boxes);
  tree.groups[0].open = true;
  int seen = static_cast<int>(tree.groups[0].children.size());
  std::vector<int> closed = tree.groups[0].children;
  while (true) {
    int best = -1;
    for (const int g : closed) {
      const Group& group = tree.groups[static_cast<std::size_t>(g)];
      const int more = static_cast<int>(group.children.size()) - 1;
      if (!group.is_scope() || group.open || seen + more > boxes) continue;
      if (best < 0 || group.nodes > tree.groups[static_cast<std::size_t>(best)].nodes) best = g;
    }
    if (best < 0) return;
    Group& group = tree.groups[static_cast<std::size_t>(best)];
    group.open = true;
    seen += static_cast<int>(group.children.size()) - 1;
    closed.insert(closed.end(), group.children.begin(), group.children.end());
  }
}

}  // namespace rill::picture
