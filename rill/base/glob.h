#pragma once

#include <string_view>

namespace rill {

// True if `name`, which is one part of a path, fits `pattern`: * for any characters, ? for one,
// [a-z] and [!a-z] for one of a set, \ before a character that stands for itself. Takes time
// proportional to the product of the lengths at worst.
bool matches_glob(std::string_view pattern, std::string_view name);

// True if the text has any character that means something in a pattern.
bool has_wildcard(std::string_view text);

}  // namespace rill
