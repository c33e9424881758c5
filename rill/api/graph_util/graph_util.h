#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rill/proto/messages_fwd.h"
#include "rill/tensor/tensor.h"

// tf.graph_util: what can be done with graphs that are messages.
namespace rill::graph_util {

// The graph of a file, binary or text. Throws InvalidArgument when it is neither.
tensorflow::GraphDef read_graph_def(const std::string& path);

// The nodes that `dest_nodes` need, in their order, with functions and versions. Throws NotFound,
// "NAME is not in graph", for a node that is not there.
tensorflow::GraphDef extract_sub_graph(const tensorflow::GraphDef& graph,
                                       std::span<const std::string> dest_nodes);

// The graph without CheckNumerics and Identity nodes that only pass a value on; those in
// `protected_nodes` stay.
tensorflow::GraphDef remove_training_nodes(const tensorflow::GraphDef& graph,
                                           const std::set<std::string>& protected_nodes = {});

// Whether a node must not be placed on a GPU, as TensorFlow's device functions ask.
bool must_run_on_cpu(const tensorflow::NodeDef& node, bool pin_variables_on_cpu = false);

struct FreezeOptions {
  std::set<std::string> whitelist = {};  // empty: all variables
  std::set<std::string> blacklist = {};
};

// The part of the graph that the outputs need, with the present values in the place of variables.
// `read` gets names of tensors and answers with their values.
using ReadTensors =
    std::function<std::vector<Tensor>(const std::vector<std::string>& tensor_names)>;
tensorflow::GraphDef convert_variables_to_constants(const tensorflow::GraphDef& graph,
                                                    std::span<const std::string> output_node_names,
                                                    const ReadTensors& read,
                                                    const FreezeOptions& options = {});

}  // namespace rill::graph_util
