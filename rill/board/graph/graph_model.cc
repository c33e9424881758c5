#include "rill/board/graph/graph_model.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/step_stats.pb.h"
#include "tensorflow/core/framework/tensor_shape.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::board {
namespace {

constexpr int kDeepest = 40;  // of scopes; what is deeper stands in the last

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "name", "name:1" and "^name".
struct InputName {
  std::string_view node;
  int output;
};
InputName input_name(std::string_view text) {
  if (text.starts_with('^')) return {text.substr(1), -1};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, 0};
  // In functions "name:output:1".
  const std::size_t last = text.rfind(':');
  long long number = 0;
  parse_int(text.substr(last + 1), &number);
  return {text.substr(0, colon), static_cast<int>(std::clamp(number, 0LL, 1'000'000LL))};
}

}  // namespace

GraphModel::GraphModel(tensorflow::GraphDef graph) : graph_(std::move(graph)) {
  groups_.push_back({.name = "", .path = ""});
  by_path_.emplace("", 0);
  group_of_node_.resize(at(graph_.node_size()));
  for (int i = 0; i < graph_.node_size(); ++i) {
    const std::string& name = graph_.node(i).name();
    const int group = add_group(name.empty() ? "(no name)" : name);
    groups_[at(group)].node = i;
    group_of_node_[at(i)] = group;
    by_name_.emplace(graph_.node(i).name(), i);
  }
  add_edges();
  // Children come behind their parents.
  for (int g = static_cast<int>(groups_.size()) - 1; g >= 0; --g) sum_up(g);
}

int GraphModel::add_group(std::string_view path) {
  if (const auto known = by_path_.find(std::string(path)); known != by_path_.end())
    return known->second;
  const std::size_t slash = path.rfind('/');
  int parent = 0;
  if (slash != std::string_view::npos && slash > 0) {
    const auto depth = std::ranges::count(path.substr(0, slash), '/');
    std::string_view above = path.substr(0, slash);
    if (depth >= kDeepest) {
      std::size_t end = 0;
      for (int i = 0; i < kDeepest; ++i) end = path.find('/', end) + 1;
      above = path.substr(0, end - 1);
    }
    parent = add_group(above);
  }
  const int group = static_cast<int>(groups_.size());
  groups_.push_back({.name = std::string(last_part(path)),
                     .path = std::string(path),
                     .parent = parent,
                     .depth = groups_[at(parent)].depth + 1});
  groups_[at(parent)].children.push_back(group);
  by_path_.emplace(path, group);
  return group;
}

void GraphModel::add_edges() {
  for (int to = 0; to < graph_.node_size(); ++to)
    for (const std::string& input : graph_.node(to).input()) {
      const auto [name, output] = input_name(input);
      const int from = node_named(name);
      if (from >= 0) edges_.push_back({.from = from, .to = to, .output = output});
    }
}

void GraphModel::sum_up(int g) {
  Group& group = groups_[at(g)];
  bool is_first = true;
  if (group.node >= 0) {
    const auto& node = graph_.node(group.node);
    group.nodes = 1;
    group.shape = mixed(std::hash<std::string>()(node.op()), 1);
    group.device = node.device();
    is_first = false;
  }
  for (const int child : group.children) {
    const Group& one = groups_[at(child)];
    group.nodes += one.nodes;
    group.shape = mixed(group.shape, one.shape);
    group.device = is_first || group.device == one.device ? one.device : "";
    is_first = false;
  }
}

int GraphModel::group_at(std::string_view path) const {
  const auto found = by_path_.find(std::string(path));
  return found == by_path_.end() ? -1 : found->second;
}

int GraphModel::node_named(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? -1 : found->second;
}

std::string GraphModel::output_shape(const Edge& edge) const {
  const auto& attributes = graph_.node(edge.from).attr();
  const auto shapes = attributes.find("_output_shapes");
  if (edge.is_control() || shapes == attributes.end() ||
      edge.output >= shapes->second.list().shape_size())
    return "";
  const auto& shape = shapes->second.list().shape(edge.output);
  if (shape.unknown_rank()) return "";
  if (shape.dim_size() == 0) return "scalar";
  std::vector<std::string> sizes;
  for (const auto& dim : shape.dim())
    sizes.push_back(dim.size() < 0 ? "?" : std::to_string(dim.size()));
  return join(sizes, "×");
}

std::unordered_map<std::string, NodeCost> GraphModel::costs(
    const tensorflow::RunMetadata& metadata) {
  std::unordered_map<std::string, NodeCost> costs;
  for (const auto& device : metadata.step_stats().dev_stats())
    for (const auto& stats : device.node_stats()) {
      // "name:Op" in older traces.
      const std::string name = stats.node_name().substr(0, stats.node_name().find(':'));
      NodeCost& cost = costs[name];
      cost.micros += static_cast<double>(std::max<std::int64_t>(0, stats.all_end_rel_micros()));
      for (const auto& memory : stats.memory())
        cost.bytes += static_cast<double>(std::max<std::int64_t>(0, memory.total_bytes()));
      cost.device = device.device();
    }
  return costs;
}

}  // namespace rill::board
