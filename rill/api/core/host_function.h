#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/graph/scope.h"
#include "rill/kernel/host_functions.h"

namespace rill {

struct HostFunctionOptions {
  bool stateful = true;  // false: equal inputs give equal results, so calls may be shared
  std::string name = {};
};
// Calls `function` with the values of `inputs` each time it runs; it returns one tensor of each
// type of `result_types`, whose shapes are unknown to the graph. What tf.py_func does, for
// functions of a C++ program. What it throws fails the step; so do results of other numbers or
// types. No gradient. The function is kept until the process ends, must be safe from several
// threads, and a graph that calls it works in this process only.
std::vector<Output> host_function(HostFunction function, const Inputs& inputs,
                                  const std::vector<DType>& result_types,
                                  const HostFunctionOptions& options = {},
                                  std::source_location at = std::source_location::current());

}  // namespace rill
