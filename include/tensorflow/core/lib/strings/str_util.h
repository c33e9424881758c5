#ifndef TENSORFLOW_CORE_LIB_STRINGS_STR_UTIL_H_
#define TENSORFLOW_CORE_LIB_STRINGS_STR_UTIL_H_

#include <sstream>
#include <string>
#include <vector>

#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace str_util {

std::string Lowercase(StringPiece s);
std::string Uppercase(StringPiece s);
std::string CEscape(StringPiece src);
std::string StringReplace(StringPiece s, StringPiece oldsub, StringPiece newsub, bool replace_all);
void StripTrailingWhitespace(std::string* s);
size_t RemoveLeadingWhitespace(StringPiece* text);
size_t RemoveTrailingWhitespace(StringPiece* text);
size_t RemoveWhitespaceContext(StringPiece* text);
bool ConsumePrefix(StringPiece* s, StringPiece expected);
bool ConsumeSuffix(StringPiece* s, StringPiece expected);
// Takes the first word off `s` and gives it to `val`; false where `s` begins with white space.
bool ConsumeNonWhitespace(StringPiece* s, StringPiece* val);
bool ConsumeLeadingDigits(StringPiece* s, uint64* val);
inline bool StartsWith(StringPiece text, StringPiece prefix) { return text.starts_with(prefix); }
inline bool EndsWith(StringPiece text, StringPiece suffix) { return text.ends_with(suffix); }
inline bool StrContains(StringPiece haystack, StringPiece needle) {
  return haystack.contains(needle);
}

struct AllowEmpty {
  bool operator()(StringPiece) const { return true; }
};
struct SkipEmpty {
  bool operator()(StringPiece piece) const { return !piece.empty(); }
};
struct SkipWhitespace {
  bool operator()(StringPiece piece) const {
    return RemoveTrailingWhitespace(&piece), !piece.empty();
  }
};

// The parts of `text` between any of the characters `delims`.
std::vector<std::string> Split(StringPiece text, StringPiece delims);
inline std::vector<std::string> Split(StringPiece text, char delim) {
  return Split(text, StringPiece(&delim, 1));
}
template <typename Predicate>
std::vector<std::string> Split(StringPiece text, StringPiece delims, Predicate keep) {
  std::vector<std::string> kept;
  for (const std::string& part : Split(text, delims))
    if (keep(part)) kept.push_back(part);
  return kept;
}
template <typename Predicate>
std::vector<std::string> Split(StringPiece text, char delim, Predicate keep) {
  return Split(text, StringPiece(&delim, 1), keep);
}

template <typename T>
std::string Join(const T& s, const char* sep) {
  std::ostringstream out;
  bool first = true;
  for (const auto& x : s) {
    if (!first) out << sep;
    first = false;
    out << x;
  }
  return out.str();
}

}  // namespace str_util
}  // namespace tensorflow

#endif
