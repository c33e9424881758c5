#pragma once

#include <functional>

namespace rill {

// Checkpoints of eager execution that were restored before all variables were there.

// Asked each time variables have been made, until it returns true: then it has nothing to wait for.
// Only the last few that wait are kept.
void await_variables(std::function<bool()> restore);
// Called where variables have been made, before they are used.
void notice_new_variables();

}  // namespace rill
