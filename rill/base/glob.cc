#include "rill/base/glob.h"

#include <cstddef>

namespace rill {
namespace {

// Compares `c` with the one-character pattern at pattern[*at] and moves *at behind it.
bool matches_one(std::string_view pattern, std::size_t* at, char c) {
  const char first = pattern[(*at)++];
  if (first == '?') return true;
  if (first == '\\' && *at < pattern.size()) return pattern[(*at)++] == c;
  if (first != '[') return first == c;
  std::size_t i = *at;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first_in_set = true; i < pattern.size(); first_in_set = false) {
    if (pattern[i] == ']' && !first_in_set) {
      *at = i + 1;
      return found != negated;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const auto low = static_cast<unsigned char>(pattern[i++]);
    auto high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      high = static_cast<unsigned char>(pattern[i + 1]);
      i += 2;
    }
    const auto wanted = static_cast<unsigned char>(c);
    found = found || (low <= wanted && wanted <= high);
  }
  return c == '[';  // a set that never ends is no set
}

}  // namespace

bool has_wildcard(std::string_view text) {
  return text.find_first_of("*?[\\") != std::string_view::npos;
}

bool matches_glob(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  // Where to go on after a mismatch: the last star takes one character more. Earlier stars need not
  // be tried again.
  std::size_t star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    if (p < pattern.size() && matches_one(pattern, &p, name[n])) {
      ++n;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star + 1;
    n = ++star_name;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace rill
