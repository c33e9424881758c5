#pragma once

#include "rill/api/keras/network.h"

// keras::Input, the function, which hides rill::Input, the class, in these namespaces: only
// rill/keras.h includes it, last.
namespace rill::keras {
inline Output Input(const PartialShape& shape, const InputOptions& options = {},
                    std::source_location at = std::source_location::current()) {
  return input(shape, options, at);
}
namespace layers {
using keras::Input;
}  // namespace layers
}  // namespace rill::keras
