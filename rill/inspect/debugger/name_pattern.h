#pragma once

#include <memory>
#include <string>

namespace re2 {
class RE2;
}

namespace rill::debugger {

// A regular expression that matches at the beginning, as Python's re.match; "" is none, which
// matches all. Throws InvalidArgument for what is no regular expression.
class NamePattern {
 public:
  explicit NamePattern(const std::string& text);
  ~NamePattern();
  NamePattern(const NamePattern&) = delete;
  NamePattern& operator=(const NamePattern&) = delete;

  bool is_given() const { return regex_ != nullptr; }
  bool matches(const std::string& text) const;

 private:
  std::unique_ptr<const re2::RE2> regex_;
};

// Blanks behind a text until it is so wide.
inline std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

}  // namespace rill::debugger
