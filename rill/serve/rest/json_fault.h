#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rill::serve {

// Where a text stops being JSON, and why, for people; in the words that clients know.
struct JsonFault {
  std::string what;
  std::size_t offset = 0;
};
JsonFault json_fault(std::string_view text);

}  // namespace rill::serve
