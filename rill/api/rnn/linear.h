#pragma once

#include <vector>

#include "rill/api/rnn/recurrence.h"

namespace rill::contrib::rnn {

// kernel * x + bias, with variables "kernel" and "bias" of the current scope; several tensors stand
// side by side. Throws InvalidArgument when a depth is not known.
Output linear(const std::vector<Output>& x, std::int64_t size,
              const nn::rnn_cell::Activation& activation = {});

}  // namespace rill::contrib::rnn
