#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/graph/graph.h"

namespace tensorflow {
class GraphDef;
class NodeDef;
class OpList;
}  // namespace tensorflow

namespace rill {

struct ImportOptions {
  std::string prefix;           // imported names become "prefix/name"
  bool uniquify_names = false;  // rename imported nodes whose names are taken instead of failing
  // Inputs to be replaced by tensors of the graph: "name:i", or "name" for "name:0"; "^name" for
  // control inputs, of which only the node counts.
  std::map<std::string, Output> input_map;
  // What to return: "name:i" for a tensor, "name" for a node.
  std::vector<std::string> return_elements;
  std::vector<Node*> control_inputs;  // every imported node waits for these
  std::string device;                 // fills the parts of a device name that a node leaves open
  bool use_shapes = true;             // check and use the _output_shapes attributes, then drop them
  bool internal_names = false;        // names may start with "_"
  // The ops as the producer knew them: attributes unknown here that have the producer's default
  // are dropped. What a producer newer than kGraphDefVersion says beyond our ops is dropped anyway.
  const tensorflow::OpList* producer_ops = nullptr;
  OriginRef origin;
};

struct ImportResult {
  std::vector<Node*> nodes;      // in order of creation
  std::vector<Output> returned;  // as in return_elements; a node has index -1
};

// Adds the nodes of `def` in topological order, of which a loop's edge from NextIteration to Merge
// is no part. Throws InvalidArgument (NotFound for an unknown op, Unimplemented for a removed one)
// naming the node at fault; the graph is then unchanged. A key of input_map that names nothing is
// InvalidArgument, too, but as in TensorFlow the nodes are there by then.
ImportResult import_graph_def(Graph& graph, const tensorflow::GraphDef& def,
                              const ImportOptions& options = {});

struct ExportOptions {
  bool add_shapes = false;  // write the inferred shapes as _output_shapes
  int from_version = 0;     // leave out the first nodes
};

// Nodes in order of creation, attributes with their defaults written out, control inputs last and
// sorted by name.
void export_graph_def(const Graph& graph, tensorflow::GraphDef* def,
                      const ExportOptions& options = {});
tensorflow::GraphDef export_graph_def(const Graph& graph, const ExportOptions& options = {});

// One node, as it stands in its graph's GraphDef.
void export_node_def(const Node& node, tensorflow::NodeDef* def, bool add_shapes = false);

}  // namespace rill
