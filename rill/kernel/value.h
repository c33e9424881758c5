#pragma once

#include <memory>

#include "rill/kernel/variable.h"
#include "rill/tensor/tensor.h"

namespace rill {

// What travels along an edge: a tensor or, on reference edges, the variable itself.
struct Value {
  Tensor tensor;
  std::shared_ptr<VariableResource> ref;
};

}  // namespace rill
