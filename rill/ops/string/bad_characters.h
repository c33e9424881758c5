#pragma once

#include "rill/kernel/kernel_node.h"
#include "rill/ops/string/text_decoder.h"

namespace rill {

constexpr char32_t kLastCharacter = 0x10ffff;

// The attribute replacement_char; throws InvalidArgument when it is no character.
inline char32_t replacement_character(const KernelNode& node) {
  const std::int64_t number = node.attr<std::int64_t>("replacement_char");
  require(number >= 0 && number <= kLastCharacter,
          "replacement_char out of unicode codepoint range: ", number);
  return static_cast<char32_t>(number);
}

// What the attributes `errors`, `replacement_char` and `replace_control_characters` ask for.
class BadCharacters {
 public:
  // A control character that is to be replaced may count as an error.
  enum class Controls : std::uint8_t { kReplaceable, kErrors };

  BadCharacters(const KernelNode& node, Controls controls)
      : replacement_(replacement_character(node)),
        replaces_controls_(node.attr<bool>("replace_control_characters")),
        controls_(controls),
        is_strict_(node.attr<std::string>("errors") == "strict"),
        drops_(node.attr<std::string>("errors") == "ignore") {}

  // The character to keep. False: none. Throws InvalidArgument at an error if that is asked for.
  bool keep(const DecodedCharacter& read, char32_t* kept) const {
    const bool is_control = replaces_controls_ && read.character <= 0x1f;
    const bool is_error = read.is_error || (is_control && controls_ == Controls::kErrors);
    require(!is_error || !is_strict_, "Invalid formatting on input string");
    const bool is_bad = read.is_error || is_control;
    *kept = is_bad ? replacement_ : read.character;
    return !is_bad || !drops_;
  }

 private:
  char32_t replacement_;
  bool replaces_controls_;
  Controls controls_;
  bool is_strict_, drops_;
};

}  // namespace rill
