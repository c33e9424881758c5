#include "rill/graph/import_plan.h"

#include <algorithm>
#include <queue>

#include "rill/base/error.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

void check_node(const tensorflow::NodeDef& def, bool internal_names) {
  const bool internal = internal_names && def.name().starts_with("_");
  require(is_valid_node_name(internal ? def.name().substr(1) : def.name()), "Node '", def.name(),
          "': Node name contains invalid characters");
  require(!def.op().empty(), "Node '", def.name(), "' does not specify an operation");
  bool in_control = false;
  for (const std::string& input : def.input()) {
    require(!in_control || input.starts_with("^"), "Node '", def.name(),
            "': Control dependencies must come after regular dependencies");
    in_control |= input.starts_with("^");
  }
}

// What a node waits for. A loop's Merge is made as soon as one value can reach it.
struct Pending {
  int edges = 0;
  bool any_data = false;  // the data edges count as one
};

}  // namespace

std::pair<std::string_view, int> split_input_name(std::string_view name) {
  if (name.starts_with("^")) return {name.substr(1), -1};
  const auto colon = name.rfind(':');
  long long index = 0;
  if (colon == name.npos || !parse_int(name.substr(colon + 1), &index)) return {name, 0};
  if (index < 0 || index > kMaxArgLength) return {name, 0};
  return {name.substr(0, colon), static_cast<int>(index)};
}

ImportPlan::ImportPlan(const tensorflow::GraphDef& def, const ImportOptions& options,
                       const FindOp& find_op) {
  read_input_map(options);
  index_names(def, options.internal_names);
  for (ImportNode& node : nodes_) find_edges(node);
  for (ImportNode& node : nodes_) node.op = &find_op(node.def->op());
  find_order();
}

void ImportPlan::read_input_map(const ImportOptions& options) {
  for (const auto& [key, output] : options.input_map) {
    require(bool(output.node), "the input map has nothing for '", key, "'");
    input_map_.emplace(split_input_name(key), Replacement{output});
  }
}

void ImportPlan::index_names(const tensorflow::GraphDef& def, bool internal_names) {
  nodes_.reserve(static_cast<std::size_t>(def.node_size()));
  by_name_.reserve(static_cast<std::size_t>(def.node_size()));
  for (const tensorflow::NodeDef& node : def.node()) {
    check_node(node, internal_names);
    const bool is_new = by_name_.emplace(node.name(), static_cast<int>(nodes_.size())).second;
    require(is_new, "Node '", node.name(), "' is not unique");
    nodes_.push_back({.def = &node});
  }
}

void ImportPlan::find_edges(ImportNode& node) {
  node.edges.reserve(static_cast<std::size_t>(node.def->input_size()));
  for (const std::string& input : node.def->input()) {
    const auto [name, index] = split_input_name(input);
    ImportEdge edge{.index = index};
    const auto mapped = input_map_.find({name, index});
    if (mapped != input_map_.end()) {
      mapped->second.used = true;
      edge.mapped = mapped->second.output;
    } else {
      edge.source = find(name);
      require(edge.source >= 0, "Node '", node.def->name(), "': Unknown input node '", input, "'");
    }
    node.edges.push_back(edge);
  }
}

bool ImportPlan::is_loop_merge(const ImportNode& node) const {
  return node.op->has(kMerge) && std::ranges::any_of(node.edges, [&](const ImportEdge& edge) {
           return edge.source >= 0 && !edge.is_control() &&
                  nodes_[static_cast<std::size_t>(edge.source)].op->has(kNextIteration);
         });
}

void ImportPlan::find_order() {
  const std::size_t count = nodes_.size();
  std::vector<Pending> pending(count);
  std::vector<std::vector<std::pair<int, bool>>> readers(count);  // node, is it a data edge
  for (std::size_t i = 0; i < count; ++i) {
    const bool merge = is_loop_merge(nodes_[i]);
    bool has_value = false;
    for (const ImportEdge& edge : nodes_[i].edges) {
      if (edge.source < 0) {
        has_value |= !edge.is_control();
        continue;
      }
      const bool counts_as_one = merge && !edge.is_control();
      readers[static_cast<std::size_t>(edge.source)].emplace_back(static_cast<int>(i),
                                                                  counts_as_one);
      if (!counts_as_one) ++pending[i].edges;
    }
    pending[i].any_data = merge && !has_value;
  }
  // Of the nodes that could come next the first of the file does, as TensorFlow has it.
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  const auto done = [&](std::size_t i) { return pending[i].edges == 0 && !pending[i].any_data; };
  for (std::size_t i = 0; i < count; ++i)
    if (done(i)) ready.push(static_cast<int>(i));
  while (!ready.empty()) {
    const int next = ready.top();
    ready.pop();
    order_.push_back(next);
    for (const auto& [reader, counts_as_one] : readers[static_cast<std::size_t>(next)]) {
      const auto at = static_cast<std::size_t>(reader);
      if (done(at)) continue;  // a Merge that a second value reaches
      if (counts_as_one) {
        pending[at].any_data = false;
      } else {
        --pending[at].edges;
      }
      if (done(at)) ready.push(reader);
    }
  }
  require(order_.size() == count, count - order_.size(), " nodes in a cycle");
}

int ImportPlan::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? -1 : it->second;
}

const Output* ImportPlan::replacement(std::string_view name, int index) const {
  const auto it = input_map_.find({name, index});
  return it == input_map_.end() ? nullptr : &it->second.output;
}

std::vector<std::string> ImportPlan::missing_keys() const {
  std::vector<std::string> keys;
  for (const auto& [name, replacement] : input_map_)
    if (!replacement.used && find(name.first) < 0)
      keys.push_back(name.second < 0 ? str_cat("^", name.first)
                                     : str_cat(name.first, ":", name.second));
  return keys;
}

}  // namespace rill
