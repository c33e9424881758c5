#pragma once

#include <functional>
#include <string>

#include "tensorflow/core/protobuf/meta_graph.pb.h"

namespace rill::serve {

// Gets a node that can run and the function that it is in; "": the graph itself.
using SeeNode = std::function<void(const tensorflow::NodeDef& node, const std::string& function)>;

// Every node that loading the model can run, and every one that requests can, each with the
// functions that it calls, however deep.
void walk_loading(const tensorflow::MetaGraphDef& graph, const SeeNode& see);
void walk_requests(const tensorflow::MetaGraphDef& graph, const SeeNode& see);

}  // namespace rill::serve
