#pragma once

#include <span>

#include "rill/graph/function_define.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// Gradients of functional control flow run the functions of the forward pass again, up to where
// their values are needed. That gives the same values only if the functions do nothing but compute
// and read variables; throws Unimplemented, naming the node and the op, if they do more.
void check_can_run_again(const Node& node, const FuncName& function);

// Defines a function of `types` that `build` fills, and returns its name. `shapes` and `handles`
// are what is known of its arguments; empty where nothing is.
FuncName define_helper(Graph& graph, const std::string& base_name, std::span<const DType> types,
                       const std::function<std::vector<Output>(Scope&, std::vector<Output>)>& build,
                       std::span<const PartialShape> shapes = {},
                       std::span<const HandleInfo> handles = {});

// What is known of the variables behind these, for define_helper.
std::vector<HandleInfo> as_handles(std::span<const Output> outputs);

std::vector<Input> as_inputs(std::span<const Output> outputs);

}  // namespace rill
