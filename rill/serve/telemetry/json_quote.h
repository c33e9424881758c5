#pragma once

#include <string>
#include <string_view>

namespace rill::serve {

// A text for one line: line ends, control characters and what is no UTF-8, as clients may send it,
// become escapes. Quotes stay.
std::string escaped(std::string_view text);
// A string of JSON, in quotes, whatever bytes `text` has.
std::string json_quote(std::string_view text);

}  // namespace rill::serve
