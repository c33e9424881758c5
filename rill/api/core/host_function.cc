#include "rill/api/core/host_function.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/core/op_call.h"

namespace rill {

std::vector<Output> host_function(HostFunction function, const Inputs& inputs,
                                  const std::vector<DType>& result_types,
                                  const HostFunctionOptions& options, std::source_location at) {
  AttrMap attrs{{"token", add_host_function(std::move(function))}, {"Tout", result_types}};
  Scope scope = here(at);
  Node& node = scope.add(options.stateful ? "PyFunc" : "PyFuncStateless", {InputArg(inputs)},
                         std::move(attrs), options.name);
  return all_outputs(node);
}

}  // namespace rill
