#pragma once

#include "tensorflow/core/framework/graph.pb.h"

namespace rill::graph_util {

// The graph with the bodies of functions where they were called, calls inside of those included.
// Nodes of a body are named "call/node". Ops that run functions in their own way, such as If and
// While, stay, and so do the functions that those need. Throws ResourceExhausted when functions
// call themselves, or each other, without end.
tensorflow::GraphDef inline_functions(const tensorflow::GraphDef& graph);

// Whether a function is called with a variable itself: then values of variables are not read where
// nodes of the graph say so.
bool passes_variables_to_functions(const tensorflow::GraphDef& graph);

}  // namespace rill::graph_util
