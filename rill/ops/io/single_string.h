#pragma once

#include <string>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Input i, which must hold one string; `name` is what messages call it.
inline const std::string& single_string(const KernelCall& call, int i, const char* name) {
  const Tensor& value = call.input_tensor(i);
  require(value.element_count() == 1, "Input ", i, " (", name,
          ") must be a string scalar; got a tensor of ", value.element_count(), " elements");
  return *value.data<std::string>();
}

}  // namespace rill
