#pragma once

#include <source_location>

namespace rill {

// The line that calls this, for functions that take a place without a default.
constexpr std::source_location call_site(
    std::source_location at = std::source_location::current()) {
  return at;
}

}  // namespace rill
