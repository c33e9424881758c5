#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/graph/function_define.h"

namespace rill {

// How a function of a library came about: the graph that its body was built in, whose nodes a
// program may still know. The gradient is built from that graph, so that gradient functions of the
// program find their own tensors.
struct TracedFunction {
  std::shared_ptr<FunctionBuilder> builder;
  std::vector<Output> results;
};

// The trace is found as long as someone holds what this returns. Safe from several threads.
std::shared_ptr<TracedFunction> keep_trace(const std::shared_ptr<FunctionLibrary>& library,
                                           const std::string& function, TracedFunction trace);
// Whether the graph is a body that was built to its end.
bool is_traced(Graph& body);
// Holds it as long as `graph` lives, whose nodes call the function.
void hold_trace(Graph& graph, std::shared_ptr<TracedFunction> trace);
// nullptr where the function was loaded, or its trace is gone.
std::shared_ptr<TracedFunction> find_trace(const std::shared_ptr<FunctionLibrary>& library,
                                           const std::string& function);

// The body that a FunctionBuilder has made, for AsDefault; nullptr for other graphs.
std::shared_ptr<Graph> shared_body(Graph& body);

// Branches and loops that are built in the body become nodes that call functions (If, While), not
// Switch and Merge.
void use_functional_flow(Graph& body);
bool has_functional_flow(Graph& graph);

}  // namespace rill
