#pragma once

#include <string>

#include "rill/ops/data/dataset.h"

namespace rill {

// The serialized GraphDef of the nodes that make `dataset`, down to its sources, with a node
// `dataset` for the result. `library` is a serialized FunctionDefLibrary. Throws FailedPrecondition
// for inputs that a graph cannot hold, such as handles of tables.
std::string dataset_graph(const Dataset& dataset, const std::string& library);

}  // namespace rill
