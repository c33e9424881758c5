#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "rill/runtime/placement/partition.h"

namespace tensorflow {
class GraphDef;
}

namespace rill {

// Adds what one device runs to `def`, under the names of the nodes, or others where `taken` has
// them: devices of one process may share a GraphDef.
void append_partition(const Subgraph& part, const std::string& device, std::set<std::string>& taken,
                      tensorflow::GraphDef* def);

// What each device runs of a compiled subgraph, as serialised GraphDefs: the graph's nodes as the
// passes left them, with _Arg for feeds, _Retval for fetches and what moves values between devices.
// `fetches` are the tensors that the subgraph's fetches stand for.
std::vector<std::string> partition_graphs(const Subgraph& graph, std::span<const Output> fetches,
                                          const Graph& from, std::span<const std::string> devices,
                                          const ArgumentMemory& memory);

}  // namespace rill
