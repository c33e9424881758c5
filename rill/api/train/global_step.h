#pragma once

#include "rill/api/variables/variable.h"

namespace rill::train {

// The variable that counts training steps: int64, not trained, in the collection GLOBAL_STEP.

// The variable that counts training steps: int64, not trained, named "global_step" at the top of
// the default graph whatever the name scope, and in the collection GLOBAL_STEP. Throws
// InvalidArgument when there is one already.
Variable create_global_step(std::source_location at = std::source_location::current());
// The one of the collection, else the variable named "global_step"; none when there is none. Throws
// InvalidArgument when there are several in the collection, TypeError as assert_global_step does.
Variable get_global_step();
Variable get_or_create_global_step(std::source_location at = std::source_location::current());
// Throws TypeError unless it is an integer scalar, or of unknown shape.
void assert_global_step(const Variable& global_step);
void assert_global_step(Output global_step);

}  // namespace rill::train
