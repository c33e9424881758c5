#pragma once

#include <string_view>
#include <vector>

namespace rill {

// What stands between the placeholders of a template. An empty placeholder stands between any two
// bytes.
inline std::vector<std::string_view> template_pieces(std::string_view text,
                                                     std::string_view placeholder) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t at =
        placeholder.empty() ? (text.size() > 1 ? 1 : text.npos) : text.find(placeholder);
    pieces.push_back(text.substr(0, at));
    if (at == text.npos) return pieces;
    text.remove_prefix(at + placeholder.size());
  }
}

}  // namespace rill
