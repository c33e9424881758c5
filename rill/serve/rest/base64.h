#pragma once

#include <string>
#include <string_view>

namespace rill::serve {

// The ordinary alphabet, with padding.
std::string to_base64(std::string_view bytes);
// Of either alphabet, with or without padding; false when it is none.
bool from_base64(std::string_view text, std::string* bytes);

}  // namespace rill::serve
