#pragma once

#include <functional>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// Computes with ordinary ops on the arguments, eagerly: it may look at values and choose by them
// what to do next.
using RecordedFunction = std::function<std::vector<Output>(std::span<const Output> arguments)>;

// Calls `function` each time it runs; what tf.py_function does, for functions of a C++ program.
// Gradients flow through the ops of the latest call, as in TensorFlow: a step that calls it twice
// has the gradient of one of the calls. The gradient without a call fails with FailedPrecondition.
// The function is kept until the process ends.
std::vector<Output> recorded_function(RecordedFunction function, const Inputs& inputs,
                                      const std::vector<DType>& result_types,
                                      std::string_view name = {},
                                      std::source_location at = std::source_location::current());

// The token of a host function that records `function`, for the attribute of an EagerPyFunc node.
std::string add_recorded_function(RecordedFunction function);

}  // namespace rill
