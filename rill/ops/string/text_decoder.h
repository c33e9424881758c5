#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rill/base/function_ref.h"

namespace rill {

// One character of a text, or what could not be read as one.
struct DecodedCharacter {
  char32_t character;  // U+FFFD where is_error
  std::size_t byte_count;
  bool is_error;
};

// Reads the first character of a text that is not empty. Of what is not UTF-8 it takes the longest
// part that begins a character, at least one byte.
DecodedCharacter decode_utf8(std::string_view text);

// Reads texts in one encoding. Not for several threads at once.
class TextDecoder {
 public:
  // Any name that ICU knows; throws InvalidArgument for others.
  explicit TextDecoder(const std::string& encoding);
  ~TextDecoder();

  void decode(std::string_view text, FunctionRef<void(const DecodedCharacter&)> visit);

 private:
  struct Converter;
  std::unique_ptr<Converter> converter_;  // null for UTF-8
};

}  // namespace rill
