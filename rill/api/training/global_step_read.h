#pragma once

#include <cstdint>

#include "rill/api/variables/variable.h"
#include "rill/runtime/session/session.h"

namespace rill::train {

// The tensor that hooks read the default graph's global step from: its value before the step, the
// same node for all of them. None where there is no global step.
Output get_or_create_global_step_read(std::source_location at = std::source_location::current());
// The same; throws FailedPrecondition "Global step should be created to use <hook>." for none.
Output global_step_for(const char* hook);

// The number in a scalar of int32 or int64.
std::int64_t step_of(const Tensor& value);
std::int64_t read_step(Session& session, Output step);

// How many steps a run of a training loop on a device takes: a local variable of the graph.
Variable get_or_create_steps_per_run_variable(
    std::source_location at = std::source_location::current());

// Gives a variable a value in a session, without new nodes.
void load(Session& session, const Variable& variable, const Tensor& value);

}  // namespace rill::train
