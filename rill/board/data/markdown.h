#pragma once

#include <string>
#include <string_view>

namespace rill::board {

// Text with Markdown as HTML: paragraphs, headings, lists, quotes, tables, code, emphasis, links
// and pictures. Whatever else there is, HTML included, is shown as the text it is; addresses other
// than http, https, mailto and relative ones are left out. The result is safe to stand in a page.
std::string markdown_to_html(std::string_view text);

std::string html_escaped(std::string_view text);

}  // namespace rill::board
