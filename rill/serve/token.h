#pragma once

#include <string>
#include <string_view>

namespace rill::serve {

// Whether an Authorization header, "Bearer TOKEN", has this token; any has when there is none.
// Takes as long for a wrong one as for a right one.
inline bool has_token(std::string_view authorization, const std::string& token) {
  constexpr std::string_view kScheme = "Bearer ";
  if (token.empty()) return true;
  if (!authorization.starts_with(kScheme)) return false;
  const std::string_view given = authorization.substr(kScheme.size());
  unsigned char difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i % token.size()]);
  return difference == 0;
}

}  // namespace rill::serve
