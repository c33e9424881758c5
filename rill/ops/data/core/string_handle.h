#pragma once

#include <string>

#include "rill/tensor/resource_handle.h"

namespace rill {

// A handle as text that can be fed: where the resource is to be found, not the resource itself.
std::string to_string_handle(const ResourceHandle& handle);
// Throws InvalidArgument when `text` is not such a text.
ResourceHandle from_string_handle(const std::string& text);

}  // namespace rill
