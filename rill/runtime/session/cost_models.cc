#include "rill/runtime/session/cost_models.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"
#include "tensorflow/core/framework/cost_graph.pb.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

using tensorflow::CostGraphDef;
using tensorflow::NodeDef;
using NodesByName = std::unordered_map<std::string_view, const NodeStats*>;

// The nodes of one device, behind those of others. Before them stand the two that each of
// TensorFlow's graphs has: the first waits for nothing, and the last for whatever nobody else does.
class CostGraphWriter {
 public:
  CostGraphWriter(const tensorflow::GraphDef& graph, const NodesByName& ran, CostGraphDef& costs)
      : graph_(graph), ran_(ran), costs_(costs), offset_(costs.node_size()) {
    for (int i = 0; i < graph.node_size(); ++i) ids_[graph.node(i).name()] = offset_ + 2 + i;
  }

  void write(const std::unordered_map<std::string, std::int64_t>& micros) {
    add_node("_SOURCE", offset_);
    CostGraphDef::Node& sink = *add_node("_SINK", offset_ + 1);
    std::set<int> unread;
    for (const NodeDef& node : graph_.node()) unread.insert(ids_[node.name()]);
    for (const NodeDef& node : graph_.node()) {
      const int id = ids_[node.name()];
      CostGraphDef::Node& made = *add_node(node.name(), id);
      made.set_device(node.device());
      made.set_is_final(node.op() == "_Send" || node.op() == "_HostSend");
      if (const auto known = micros.find(node.name()); known != micros.end())
        made.set_compute_cost(known->second);
      write_inputs(node, made, unread);
      if (const auto ran = ran_.find(node.name()); ran != ran_.end())
        write_results(*ran->second, made);
    }
    sink.add_control_input(offset_);
    for (const int id : unread) sink.add_control_input(id);
  }

 private:
  CostGraphDef::Node* add_node(const std::string& name, int id) {
    CostGraphDef::Node* const node = costs_.add_node();
    node->set_name(name);
    node->set_id(id);
    return node;
  }

  void write_inputs(const NodeDef& node, CostGraphDef::Node& made, std::set<int>& unread) {
    for (const std::string& input : node.input()) {
      const bool is_control = input.starts_with('^');
      const std::size_t colon = is_control ? input.npos : input.rfind(':');
      const auto found = ids_.find(input.substr(is_control, colon - is_control));
      if (found == ids_.end()) continue;
      unread.erase(found->second);
      if (is_control) {
        made.add_control_input(found->second);
        continue;
      }
      auto* const info = made.add_input_info();
      info->set_preceding_node(found->second);
      long long port = 0;
      if (colon != input.npos && parse_int(input.substr(colon + 1), &port))
        info->set_preceding_port(static_cast<int>(port));
    }
    if (node.input().empty()) made.add_control_input(offset_);
  }

  static void write_results(const NodeStats& ran, CostGraphDef::Node& made) {
    made.set_temporary_memory_size(ran.temporary_bytes);
    for (const NodeStats::OutputStats& output : ran.outputs) {
      auto* const info = made.add_output_info();
      info->set_size(output.bytes);
      info->set_alias_input_port(-1);
      info->set_dtype(static_cast<tensorflow::DataType>(output.type));
      for (const std::int64_t dim : output.shape.dims())
        info->mutable_shape()->add_dim()->set_size(dim);
    }
  }

  const tensorflow::GraphDef& graph_;
  const NodesByName& ran_;
  CostGraphDef& costs_;
  const int offset_;
  std::unordered_map<std::string, int> ids_;
};

}  // namespace

bool CostModels::begin_step(const Plan& plan) {
  if (every_ <= 0) return false;
  const std::lock_guard lock(mutex_);
  const std::int64_t measured = steps_[&plan]++ - after_;
  return measured >= 0 && (measured + 1) % every_ == 0;
}

std::string CostModels::cost_graph(std::span<const std::string> graphs, const StepStats& stats) {
  const std::lock_guard lock(mutex_);
  NodesByName ran;
  for (const NodeStats& node : stats.nodes) {
    ran[node.node] = &node;
    std::int64_t& most = most_micros_[std::string(node.node)];
    most = std::max(most, node.nanos / 1000);
  }
  CostGraphDef costs;
  for (const std::string& bytes : graphs) {
    tensorflow::GraphDef graph;
    require(graph.ParseFromString(bytes), "a partition graph cannot be read back");
    CostGraphWriter(graph, ran, costs).write(most_micros_);
  }
  return costs.SerializeAsString();
}

}  // namespace rill
