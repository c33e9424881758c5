#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/runtime/placement/partition.h"

namespace rill {

// What each device runs of a compiled subgraph, as serialised GraphDefs: the graph's nodes as the
// passes left them, with _Arg for feeds, _Retval for fetches and what moves values between devices.
// `fetches` are the tensors that the subgraph's fetches stand for.
std::vector<std::string> partition_graphs(const Subgraph& graph, std::span<const Output> fetches,
                                          const Graph& from, std::span<const std::string> devices,
                                          const ArgumentMemory& memory);

}  // namespace rill
