#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/farmhash.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/allocator.h"
#include "tensorflow/core/lib/io/path.h"
#include "tensorflow/core/lib/strings/numbers.h"
#include "tensorflow/core/lib/strings/str_util.h"
#include "tensorflow/core/lib/strings/strcat.h"
#include "tensorflow/core/lib/strings/stringprintf.h"
#include "tensorflow/core/platform/fingerprint.h"

namespace tensorflow {
namespace strings {
namespace {

template <class T>
std::string shortest(T v) {
  char digits[64];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

template <class T>
bool parse_number(StringPiece str, T* value) {
  str_util::RemoveWhitespaceContext(&str);
  if (str.starts_with("+")) str.remove_prefix(1);
  const auto [end, error] = std::from_chars(str.begin(), str.end(), *value);
  return error == std::errc() && end == str.end() && !str.empty();
}

std::string scaled(double value, double step, const char* const* units, int count) {
  int unit = 0;
  while (value >= step && unit + 1 < count) {
    value /= step;
    ++unit;
  }
  return unit == 0 ? Printf("%.0f%s", value, units[0]) : Printf("%.2f%s", value, units[unit]);
}

}  // namespace

std::string FloatToText(float v) { return shortest(v); }
std::string DoubleToText(double v) { return shortest(v); }
bool safe_strto32(StringPiece str, int32* value) { return parse_number(str, value); }
bool safe_strtou32(StringPiece str, uint32* value) { return parse_number(str, value); }
bool safe_strto64(StringPiece str, int64* value) { return parse_number(str, value); }
bool safe_strtou64(StringPiece str, uint64* value) { return parse_number(str, value); }
bool safe_strtof(StringPiece str, float* value) { return parse_number(str, value); }
bool safe_strtod(StringPiece str, double* value) { return parse_number(str, value); }

std::string HumanReadableNum(int64 value) {
  static constexpr const char* kUnits[] = {"", "k", "M", "B", "T"};
  const bool negative = value < 0;
  return (negative ? "-" : "") +
         scaled(negative ? -static_cast<double>(value) : static_cast<double>(value), 1000, kUnits,
                5);
}
std::string HumanReadableNumBytes(int64 num_bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const bool negative = num_bytes < 0;
  return (negative ? "-" : "") +
         scaled(negative ? -static_cast<double>(num_bytes) : static_cast<double>(num_bytes), 1024,
                kUnits, 7);
}
std::string HumanReadableElapsedTime(double seconds) {
  if (seconds < 0) return "-" + HumanReadableElapsedTime(-seconds);
  if (seconds < 1e-3) return Printf("%0.3g us", seconds * 1e6);
  if (seconds < 1) return Printf("%0.3g ms", seconds * 1e3);
  if (seconds < 60) return Printf("%0.3g s", seconds);
  if (seconds < 3600) return Printf("%0.3g min", seconds / 60);
  if (seconds < 86400) return Printf("%0.3g h", seconds / 3600);
  return Printf("%0.3g days", seconds / 86400);
}

AlphaNum::AlphaNum(Hex hex) {
  char digits[24];
  text_.assign(digits, std::to_chars(digits, digits + sizeof digits, hex.value, 16).ptr);
  const auto width = static_cast<size_t>(hex.spec);
  if (text_.size() < width) text_.insert(0, width - text_.size(), '0');
}

void Appendv(std::string* dst, const char* format, va_list ap) {
  va_list again;
  va_copy(again, ap);
  const int size = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (size <= 0) return;
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, ap);
  dst->append(text, 0, static_cast<size_t>(size));
}
std::string Printf(const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  std::string result;
  Appendv(&result, format, ap);
  va_end(ap);
  return result;
}
void Appendf(std::string* dst, const char* format, ...) {
  va_list ap;
  va_start(ap, format);
  Appendv(dst, format, ap);
  va_end(ap);
}

}  // namespace strings

namespace str_util {
namespace {
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
}  // namespace

std::string Lowercase(StringPiece s) { return rill::lower({s.data(), s.size()}); }
std::string Uppercase(StringPiece s) {
  std::string result = s.ToString();
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}
std::string CEscape(StringPiece src) {
  const std::string text = rill::quoted({src.data(), src.size()});
  return text.substr(1, text.size() - 2);
}
std::string StringReplace(StringPiece s, StringPiece oldsub, StringPiece newsub, bool replace_all) {
  std::string result;
  while (!oldsub.empty()) {
    const size_t at = s.find(oldsub);
    if (at == StringPiece::npos) break;
    result.append(s.data(), at).append(newsub.data(), newsub.size());
    s.remove_prefix(at + oldsub.size());
    if (!replace_all) break;
  }
  return result.append(s.data(), s.size());
}
size_t RemoveLeadingWhitespace(StringPiece* text) {
  size_t count = 0;
  while (count < text->size() && is_space((*text)[count])) ++count;
  text->remove_prefix(count);
  return count;
}
size_t RemoveTrailingWhitespace(StringPiece* text) {
  size_t count = 0;
  while (!text->empty() && is_space(text->back())) text->remove_suffix(1), ++count;
  return count;
}
size_t RemoveWhitespaceContext(StringPiece* text) {
  return RemoveLeadingWhitespace(text) + RemoveTrailingWhitespace(text);
}
void StripTrailingWhitespace(std::string* s) {
  StringPiece piece(*s);
  RemoveTrailingWhitespace(&piece);
  s->resize(piece.size());
}
bool ConsumePrefix(StringPiece* s, StringPiece expected) {
  if (!s->starts_with(expected)) return false;
  s->remove_prefix(expected.size());
  return true;
}
bool ConsumeSuffix(StringPiece* s, StringPiece expected) {
  if (!s->ends_with(expected)) return false;
  s->remove_suffix(expected.size());
  return true;
}
bool ConsumeNonWhitespace(StringPiece* s, StringPiece* val) {
  size_t size = 0;
  while (size < s->size() && std::isspace(static_cast<unsigned char>((*s)[size])) == 0) ++size;
  *val = s->substr(0, size);
  s->remove_prefix(size);
  return size > 0;
}
bool ConsumeLeadingDigits(StringPiece* s, uint64* val) {
  const auto [end, error] = std::from_chars(s->begin(), s->end(), *val);
  if (error != std::errc()) return false;
  s->remove_prefix(static_cast<size_t>(end - s->begin()));
  return true;
}
std::vector<std::string> Split(StringPiece text, StringPiece delims) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i != text.size() && delims.find(text[i]) == StringPiece::npos) continue;
    parts.push_back(text.substr(begin, i - begin).ToString());
    begin = i + 1;
  }
  return parts;
}

}  // namespace str_util

namespace io {
namespace internal {

std::string JoinPathImpl(std::initializer_list<StringPiece> paths) {
  std::string result;
  for (StringPiece path : paths) {
    if (path.empty()) continue;
    if (result.empty()) {
      result = path.ToString();
      continue;
    }
    if (path.starts_with("/")) path.remove_prefix(1);
    if (result.back() != '/') result += '/';
    result.append(path.data(), path.size());
  }
  return result;
}

}  // namespace internal

bool IsAbsolutePath(StringPiece path) { return path.starts_with("/"); }
StringPiece Dirname(StringPiece path) {
  const size_t slash = path.rfind('/');
  if (slash == StringPiece::npos) return StringPiece();
  return path.substr(0, slash == 0 ? 1 : slash);
}
StringPiece Basename(StringPiece path) {
  const size_t slash = path.rfind('/');
  return slash == StringPiece::npos ? path : path.substr(slash + 1);
}
StringPiece Extension(StringPiece path) {
  const StringPiece base = Basename(path);
  const size_t dot = base.rfind('.');
  return dot == StringPiece::npos ? StringPiece(path.end(), 0) : base.substr(dot + 1);
}

std::string GetTempFilename(const std::string& extension) {
  const char* folder = std::getenv("TMPDIR");
  const std::string end = extension.empty() ? "" : "." + extension;
  std::string path =
      JoinPath(folder == nullptr ? "/tmp" : folder, "tmp_file_tensorflow_XXXXXX") + end;
  const int file = mkstemps(path.data(), static_cast<int>(end.size()));
  if (file < 0)
    raise(rill::Code::kUnavailable, "no temporary file can be made in ", Dirname(path).ToString());
  close(file);
  return path;
}

}  // namespace io

uint64 Fingerprint64(StringPiece s) { return rill::farmhash64({s.data(), s.size()}); }

string AllocatorStats::DebugString() const {
  return rill::str_cat("Limit: ", bytes_limit, "\nInUse: ", bytes_in_use,
                       "\nMaxInUse: ", peak_bytes_in_use, "\nNumAllocs: ", num_allocs,
                       "\nMaxAllocSize: ", largest_alloc_size, "\n");
}

}  // namespace tensorflow
