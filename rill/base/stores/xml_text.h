#pragma once

#include <string>
#include <string_view>

#include "rill/base/function_ref.h"

namespace rill::stores {

// What answers of object stores need of XML: elements by their names, wherever they stand, with
// other elements inside but not themselves. What is cut off is not there.
void for_each_element(std::string_view xml, std::string_view name,
                      FunctionRef<void(std::string_view inside)> use);
// The text of the first such element, "" where there is none.
std::string xml_text(std::string_view xml, std::string_view name);
// Text that may stand between two tags.
std::string xml_escaped(std::string_view text);

}  // namespace rill::stores
