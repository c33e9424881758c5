#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace rill {

// A pattern that is one set of ASCII characters, "[aeiou]", "\s" or "[^a-z0-9 ]", perhaps with a
// "+" behind it: what texts are cleaned with most often. It needs no automaton.
class ByteClass {
 public:
  // Nothing for any other pattern, and for those that mean something else to RE2 than they seem to.
  static std::optional<ByteClass> of(std::string_view pattern);

  // Replaces the first match, or every one, in a text of ASCII characters. False, and `out` is as
  // it was, for other texts.
  bool replace(std::string_view text, std::string_view with, bool everywhere,
               std::string& out) const;

 private:
  std::array<bool, 128> holds_{};
  bool repeats_ = false;
};

}  // namespace rill
