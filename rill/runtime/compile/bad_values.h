#pragma once

#include <string>

#include "rill/runtime/step/nan_origin.h"
#include "rill/tensor/tensor.h"

namespace rill {

enum class Finiteness : std::uint8_t { finite, infinite, nan };

// Of the worst element; of integers, strings, and what no host can read: finite.
Finiteness finiteness(const Tensor& tensor);

ValueSummary summarise(std::string name, const Tensor& tensor);

}  // namespace rill
