#pragma once

#include <string>
#include <string_view>

namespace rill::board {

// What stands within a line of Markdown, as HTML: code, emphasis, links and pictures.
std::string inline_markdown(std::string_view text, int depth = 0);

}  // namespace rill::board
