#pragma once

#include "rill/api/variables/variable.h"

namespace rill::train {

// The variable that counts training steps: int64, not trained, in the collection GLOBAL_STEP.

// Throws InvalidArgument when there is one already.
Variable create_global_step(std::source_location at = std::source_location::current());
// None when there is none; throws InvalidArgument when there are several in the collection.
Variable get_global_step();
Variable get_or_create_global_step(std::source_location at = std::source_location::current());
// Throws unless it is an integer scalar.
void assert_global_step(const Variable& global_step);
void assert_global_step(Output global_step);

}  // namespace rill::train
