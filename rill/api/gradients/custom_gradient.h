#pragma once

#include <functional>
#include <source_location>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/variables/variable.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// What a function with a gradient of its own computes.
struct WithGradient {
  std::vector<Output> results = {};
  // The gradients of the arguments, then those of `variables`, from those of the results.
  std::function<std::vector<Gradient>(const std::vector<Gradient>& dys)> grad;
  std::vector<Variable> variables = {};  // resource variables that the function reads
};

// The results of `f`; gradients() uses its `grad` for them instead of looking inside. Throws
// TypeError for reference variables among its variables.
std::vector<Output> custom_gradient(
    const std::function<WithGradient(const std::vector<Output>& args)>& f, const Inputs& args,
    std::source_location at = std::source_location::current());

// The same where `f` has been called already.
std::vector<Output> attach_gradient(const WithGradient& computed, const std::vector<Output>& args);

// The variables whose values are on the way from `args` to `results`.
std::vector<Variable> variables_between(const std::vector<Output>& args,
                                        const std::vector<Output>& results);

}  // namespace rill
