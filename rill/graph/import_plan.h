#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rill/graph/graph_def.h"
#include "rill/graph/op.h"

namespace tensorflow {
class NodeDef;
}

namespace rill {

// Where an input of an imported node comes from.
struct ImportEdge {
  int source = -1;  // position in the GraphDef; -1 when `mapped` is set
  int index = 0;    // -1 for a control edge
  Output mapped;    // a tensor that is in the graph already

  bool is_control() const { return index < 0; }
};

struct ImportNode {
  const tensorflow::NodeDef* def = nullptr;
  const Op* op = nullptr;
  std::vector<ImportEdge> edges;
};

// A tensor name taken apart: "x:2", "x" (output 0) or "^x" (index -1).
std::pair<std::string_view, int> split_input_name(std::string_view name);

// The nodes of a GraphDef with their edges found and their order worked out; knows nothing of the
// graph that they will go to except for what replaces inputs.
class ImportPlan {
 public:
  using FindOp = std::function<const Op&(std::string_view)>;
  // Throws InvalidArgument naming the node whose name, op or inputs are at fault, and whatever
  // `find_op` throws.
  ImportPlan(const tensorflow::GraphDef& def, const ImportOptions& options, const FindOp& find_op);

  const std::vector<ImportNode>& nodes() const { return nodes_; }
  const std::vector<int>& order() const { return order_; }  // of creation
  int find(std::string_view name) const;                    // -1 when there is none
  // What replaces a tensor or (index -1) a control input, if anything.
  const Output* replacement(std::string_view name, int index) const;
  // Keys of the input map that neither replaced anything nor name a node of the GraphDef.
  std::vector<std::string> missing_keys() const;

 private:
  void read_input_map(const ImportOptions& options);
  void index_names(const tensorflow::GraphDef& def, bool internal_names);
  void find_edges(ImportNode& node);
  void find_order();
  bool is_loop_merge(const ImportNode& node) const;

  std::vector<ImportNode> nodes_;
  std::vector<int> order_;
  std::unordered_map<std::string_view, int> by_name_;
  struct Replacement {
    Output output;
    bool used = false;
  };
  std::map<std::pair<std::string_view, int>, Replacement> input_map_;
};

}  // namespace rill
