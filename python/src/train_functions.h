#pragma once

namespace rill::python {

// Learning-rate schedules, clipping, the global step and moving averages.
void bind_train_functions();

}  // namespace rill::python
