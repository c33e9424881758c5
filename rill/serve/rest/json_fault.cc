#include "rill/serve/rest/json_fault.h"

#include <optional>

namespace rill::serve {
namespace {

// Walks a text as a parser does, keeping nothing. It is only used for texts that are refused.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  JsonFault fault() {
    value(0);
    space();
    if (!fault_ && at_ < text_.size())
      stop("The document root must not be followed by other values.");
    return fault_.value_or(JsonFault{"Invalid value.", at_});
  }

 private:
  static constexpr int kDeepest = 512;

  void stop(const char* what) {
    if (!fault_) fault_ = JsonFault{what, at_};
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void value(int depth) {
    space();
    if (at_ == text_.size()) return stop("The document is empty.");
    if (depth > kDeepest) return stop("The document is nested too deeply.");
    const char first = next();
    if (first == '{') return members(depth);
    if (first == '[') return items(depth);
    if (first == '"') return string();
    if (first == '-' || is_digit(first)) return number();
    for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity", "Inf"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return;
      }
    stop("Invalid value.");
  }

  void members(int depth) {
    take('{');
    space();
    if (take('}')) return;
    while (!fault_) {
      space();
      if (next() != '"') return stop("Missing a name for object member.");
      string();
      space();
      if (fault_ || !take(':')) return stop("Missing a colon after a name of object member.");
      value(depth + 1);
      space();
      if (fault_ || take('}')) return;
      if (!take(',')) return stop("Missing a comma or } after an object member.");
    }
  }

  void items(int depth) {
    take('[');
    space();
    if (take(']')) return;
    while (!fault_) {
      value(depth + 1);
      space();
      if (fault_ || take(']')) return;
      if (!take(',')) return stop("Missing a comma or ] after an array element.");
    }
  }

  void string() {
    for (take('"'); at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return;
      }
      if (c < 0x20) return stop("Invalid encoding in string.");
      if (c != '\\') continue;
      ++at_;
      if (std::string_view("\"\\/bfnrtu").find(next()) == std::string_view::npos || next() == '\0')
        return stop("Invalid escape character in string.");
    }
    stop("Missing a closing quotation mark in string.");
  }

  void number() {
    take('-');
    if (text_.substr(at_).starts_with("Inf")) {
      at_ += text_.substr(at_).starts_with("Infinity") ? 8 : 3;
      return;
    }
    if (!is_digit(next())) return stop("Invalid value.");
    if (!take('0'))
      while (is_digit(next())) ++at_;
    if (take('.') && !is_digit(next())) return stop("Miss fraction part in number.");
    while (is_digit(next())) ++at_;
    if (!take('e') && !take('E')) return;
    if (!take('-')) take('+');
    if (!is_digit(next())) return stop("Miss exponent in number.");
    while (is_digit(next())) ++at_;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::optional<JsonFault> fault_;
};

}  // namespace

JsonFault json_fault(std::string_view text) { return Walk(text).fault(); }

}  // namespace rill::serve
