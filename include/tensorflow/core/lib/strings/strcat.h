#ifndef TENSORFLOW_CORE_LIB_STRINGS_STRCAT_H_
#define TENSORFLOW_CORE_LIB_STRINGS_STRCAT_H_

#include <initializer_list>
#include <string>

#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/lib/strings/numbers.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace strings {

enum PadSpec {
  kNoPad = 1,
  kZeroPad2,
  kZeroPad3,
  kZeroPad4,
  kZeroPad5,
  kZeroPad6,
  kZeroPad7,
  kZeroPad8,
  kZeroPad9,
  kZeroPad10,
  kZeroPad11,
  kZeroPad12,
  kZeroPad13,
  kZeroPad14,
  kZeroPad15,
  kZeroPad16
};

struct Hex {
  template <class Int>
  explicit Hex(Int v, PadSpec s = kNoPad)
      : value(sizeof(v) == 1   ? static_cast<uint8>(v)
              : sizeof(v) == 2 ? static_cast<uint16>(v)
              : sizeof(v) == 4 ? static_cast<uint32>(v)
                               : static_cast<uint64>(v)),
        spec(s) {}
  uint64 value;
  PadSpec spec;
};

// Whatever StrCat takes, as text.
class AlphaNum {
 public:
  AlphaNum(int v) : text_(std::to_string(v)) {}
  AlphaNum(unsigned int v) : text_(std::to_string(v)) {}
  AlphaNum(long v) : text_(std::to_string(v)) {}
  AlphaNum(unsigned long v) : text_(std::to_string(v)) {}
  AlphaNum(long long v) : text_(std::to_string(v)) {}
  AlphaNum(unsigned long long v) : text_(std::to_string(v)) {}
  AlphaNum(float v) : text_(FloatToText(v)) {}
  AlphaNum(double v) : text_(DoubleToText(v)) {}
  AlphaNum(bool v) : text_(v ? "1" : "0") {}
  AlphaNum(Hex hex);
  AlphaNum(const char* s) : text_(s == nullptr ? "" : s) {}
  AlphaNum(StringPiece s) : text_(s.ToString()) {}
  AlphaNum(const std::string& s) : text_(s) {}
  StringPiece Piece() const { return text_; }
  const std::string& text() const { return text_; }

 private:
  explicit AlphaNum(char);  // is it a letter or a number?
  std::string text_;
};

inline std::string StrCat() { return std::string(); }
template <typename... Args>
std::string StrCat(const AlphaNum& first, const Args&... rest) {
  std::string result;
  for (const AlphaNum& part : std::initializer_list<AlphaNum>{first, AlphaNum(rest)...})
    result.append(part.text());
  return result;
}
template <typename... Args>
void StrAppend(std::string* dest, const AlphaNum& first, const Args&... rest) {
  dest->append(StrCat(first, rest...));
}

}  // namespace strings
}  // namespace tensorflow

#endif
