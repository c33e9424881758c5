#pragma once

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace rill {

// One printable piece of a message. Types outside base join in by offering `to_text(const T&)`
// in their own namespace; nothing is formatted until the Text is made.
class Text {
 public:
  Text(std::string_view s) : view_(s) {}
  Text(const char* s) : view_(s ? s : "(null)") {}
  Text(const std::string& s) : view_(s) {}
  Text(bool b) : view_(b ? "true" : "false") {}
  Text(char c) : owned_(1, c), view_(owned_) {}

  template <std::integral I>
  Text(I i) {
    char digits[24];
    owned_.assign(digits, std::to_chars(digits, digits + sizeof digits, i).ptr);
    view_ = owned_;
  }
  template <std::floating_point F>
  Text(F f) : owned_(float_text(f)), view_(owned_) {}

  template <class T>
  requires requires(const T& t) {
    { to_text(t) } -> std::convertible_to<std::string>;
  }
  Text(const T& t) : owned_(to_text(t)), view_(owned_) {}

  Text(const Text&) = delete;  // view_ may point into owned_
  Text& operator=(const Text&) = delete;

  std::string_view view() const { return view_; }

 private:
  static std::string float_text(double f);

  std::string owned_;
  std::string_view view_;
};

// Concatenates the pieces.
std::string concat(std::initializer_list<std::string_view> pieces);
template <class... Part>
std::string str_cat(const Part&... part) {
  return concat({Text(part).view()...});
}

std::string join(const std::vector<std::string>& items, std::string_view separator);
std::vector<std::string_view> split(std::string_view s, char separator);
std::string_view strip(std::string_view s);  // without white space at both ends
std::string lower(std::string_view s);       // ASCII only

// Text between double quotes with C escapes, as protobuf's text format writes bytes.
std::string quoted(std::string_view bytes);

// Whole-string numbers; false when `s` is not exactly one number in range.
bool parse_int(std::string_view s, long long* value);
bool parse_float(std::string_view s, double* value);

}  // namespace rill
