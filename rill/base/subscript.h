#pragma once

#include <concepts>
#include <cstddef>

namespace rill {

// A position or count that is known not to be negative, as containers want it: v[at(i)].
constexpr std::size_t at(std::signed_integral auto position) {
  return static_cast<std::size_t>(position);
}

}  // namespace rill
