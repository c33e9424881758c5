#pragma once

#include <string_view>

namespace rill {

// White space of the C locale.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace rill
