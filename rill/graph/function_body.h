#pragma once

#include <memory>

#include "rill/graph/function.h"

namespace rill {

// What a function stands for with its attributes known: a graph whose _Arg nodes take the arguments
// and whose _Retval nodes take the results.
struct FunctionBody {
  std::unique_ptr<Graph> graph;
  std::vector<Node*> args, returns;    // in the order of the signature, lists flattened
  std::vector<Node*> control_returns;  // a call has ended only when these have run
  std::vector<Node*> dropped;  // nodes of the graph that are no part of the function any more

  std::vector<DType> arg_types() const;
  std::vector<DType> return_types() const;
  std::vector<Output> arg_outputs() const;    // what the body's nodes read
  std::vector<Output> return_values() const;  // what the _Retval nodes read
  // Nodes that a call runs although no result depends on them.
  std::vector<Node*> side_effects() const;
};

struct InstantiateOptions {
  std::string prefix;  // nodes become "prefix/name"
  std::string device;  // fills the parts of a device name that a node leaves open
  OriginRef origin;    // where nodes are said to have been made
};

// Attributes of the function that are not given take their defaults. Throws InvalidArgument or
// NotFound, naming the function and, where one is at fault, the node: attributes that are missing
// or of the wrong kind, unknown ops and inputs, names used twice, returns that are missing, cycles.
FunctionBody instantiate(const Function& function, const AttrMap& attrs, const Registry& registry,
                         const std::shared_ptr<FunctionLibrary>& library,
                         const InstantiateOptions& options = {});

}  // namespace rill
