#pragma once

#include <string>
#include <string_view>

namespace rill {

// out = piece, where the bytes up to `text_end` may be read as well. Short pieces are copied at one
// fixed length and cut, which takes a third of the time of copying by their own.
inline void assign_piece(std::string& out, std::string_view piece, const char* text_end) {
  constexpr std::size_t kShort = 15;  // what a string holds in itself
  if (piece.size() > kShort || text_end - piece.data() < static_cast<std::ptrdiff_t>(kShort))
    return (void)out.assign(piece);
  out.assign(piece.data(), kShort);
  out.resize(piece.size());
}

}  // namespace rill
