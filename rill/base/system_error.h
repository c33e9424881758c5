#pragma once

#include <source_location>
#include <string_view>

#include "rill/base/error.h"

namespace rill {

// The code that TensorFlow gives to an error number of the operating system.
Code code_of_system_error(int number);

// Throws "path; No such file or directory" and the like, for the current errno.
[[noreturn]] void raise_system_error(std::string_view path,
                                     std::source_location at = std::source_location::current());

}  // namespace rill
