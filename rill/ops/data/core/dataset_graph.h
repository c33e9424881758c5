#pragma once

#include <string>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

// The serialized GraphDef of the nodes that make `dataset`, down to its sources, with a node
// `dataset` for the result. `library` is a serialized FunctionDefLibrary. Throws FailedPrecondition
// for inputs that a graph cannot hold, such as handles of tables.
std::string dataset_graph(const Dataset& dataset, const std::string& library);

// The dataset that such a graph makes. Throws InvalidArgument for what is no such graph, NotFound
// for functions that are not in `library`, the session's, and Unimplemented for other ops than
// those of datasets.
DatasetRef dataset_of_graph(const std::string& graph, const std::string& library,
                            const KernelCall& call);

}  // namespace rill
