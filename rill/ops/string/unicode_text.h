#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill {

// What is known about characters, from ICU, which this header keeps out of sight.

// The whole text in another case by the rules of no particular language. What is not UTF-8 becomes
// U+FFFD.
std::string utf8_lower(std::string_view text);
std::string utf8_upper(std::string_view text);

// The number of the script that a character belongs to (ICU's UScriptCode); -1 if it is none.
std::int32_t script_of(std::int32_t character);

}  // namespace rill
