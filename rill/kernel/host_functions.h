#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

// A function of the program that graphs call while they run, by its token. May be called from
// several threads at once; what it throws fails the step.
using HostFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// The token under which `function` can be called: "pyfunc_0", "pyfunc_1", ... Its gradient, where
// it has one, turns gradients of the results into those of the arguments.
std::string add_host_function(HostFunction function, HostFunction gradient = {});
void remove_host_function(const std::string& token);
// Empty when there is none.
HostFunction find_host_function(const std::string& token);
HostFunction find_host_gradient(const std::string& token);

}  // namespace rill
