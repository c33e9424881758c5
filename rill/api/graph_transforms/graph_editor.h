#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rill/api/graph_util/input_names.h"
#include "rill/tensor/tensor.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::graph_transforms {

using graph_util::is_control;
using graph_util::node_of;
using graph_util::output_of;

// An attribute that may be missing.
bool flag_attr(const tensorflow::NodeDef& node, const char* name, bool otherwise = false);

tensorflow::NodeDef constant_node(const std::string& name, const Tensor& value);

// A graph while nodes are put in, taken out and rewired. Nodes keep their place in memory.
class GraphEditor {
 public:
  // `kept` are read from outside. Throws InvalidArgument when two nodes have one name.
  GraphEditor(tensorflow::GraphDef graph, const std::vector<std::string>& kept);

  const std::vector<tensorflow::NodeDef*>& nodes() const { return order_; }  // as they were given
  bool is_kept(const tensorflow::NodeDef& node) const { return kept_.contains(node.name()); }
  // The node that an input comes from; nullptr when it is not there.
  tensorflow::NodeDef* find(std::string_view input) const;
  // How many inputs read an output of the node or wait for it; being kept counts as well.
  int use_count(const tensorflow::NodeDef& node) const;
  // Whether all that is used of the node is its output 0.
  bool only_first_output_is_read(const tensorflow::NodeDef& node) const;
  // The value of a Const that an input reads.
  std::optional<Tensor> constant(std::string_view input) const;

  void set_input(tensorflow::NodeDef& node, int index, const std::string& input);
  void remove_input(tensorflow::NodeDef& node, int index);
  // Before `place`, under a name that is free: the given one, or that with a number behind it.
  tensorflow::NodeDef& add_before(const tensorflow::NodeDef& place, tensorflow::NodeDef node);
  // By another one under the same name, on the same device, that waits for the same.
  void replace(tensorflow::NodeDef& node, tensorflow::NodeDef by);
  void remove(tensorflow::NodeDef& node);
  void remove_if_unused(tensorflow::NodeDef* node);

  // The graph; functions and versions are as they were. The editor is empty afterwards.
  tensorflow::GraphDef finish();

 private:
  void count(const tensorflow::NodeDef& node, int change);

  tensorflow::GraphDef graph_;
  std::vector<tensorflow::NodeDef*> order_;
  std::unordered_map<std::string, tensorflow::NodeDef*> by_name_;
  std::unordered_set<std::string> kept_;
  std::unordered_map<std::string, int> uses_, first_output_uses_;
  std::unordered_map<const tensorflow::NodeDef*, std::vector<tensorflow::NodeDef*>> before_;
  std::unordered_set<const tensorflow::NodeDef*> removed_;
};

// Takes away wishes to be placed beside nodes that are not there: no graph with such can be read.
void drop_lost_colocations(tensorflow::GraphDef& graph);

}  // namespace rill::graph_transforms
