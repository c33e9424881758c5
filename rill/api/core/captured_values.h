#pragma once

#include <memory>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/runtime/session/session.h"

// Graphs that read values of eager execution, as Keras' models do: what a layer computes is built
// once and run by a session, while the variables are those of eager execution.
namespace rill {

// A plain tensor that a node of it reads becomes a constant; a handle becomes a node that every run
// is fed with. Variables made while it is the default graph are variables of eager execution.
std::shared_ptr<Graph> make_capturing_graph();
// What runs of the graph are fed with besides what the program feeds; of other graphs nothing.
std::vector<Feed> captured_feeds(Graph& graph);
// What stands in `graph` for a value of eager execution, where it captures such; other tensors as
// they are.
Output captured_in(Graph& graph, const Output& x);
// Whether variables that are made now belong to eager execution though ops do not run at once.
bool lifts_variables();

}  // namespace rill
