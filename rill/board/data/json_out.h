#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill::board {

// Writes JSON piece by piece; commas come by themselves.
class JsonOut {
 public:
  JsonOut& open_object() { return open('{'); }
  JsonOut& close_object() { return close('}'); }
  JsonOut& open_array() { return open('['); }
  JsonOut& close_array() { return close(']'); }
  JsonOut& key(std::string_view name);

  // Bytes that are no UTF-8 become U+FFFD.
  JsonOut& text(std::string_view text);
  // The shortest digits that give this number again; "NaN", "Infinity" and "-Infinity" as text, as
  // TensorBoard writes what JSON has no numbers for.
  JsonOut& number(double value);
  JsonOut& integer(std::int64_t value);
  JsonOut& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonOut& null() { return raw("null"); }
  JsonOut& raw(std::string_view json);  // a value that is JSON already

  JsonOut& member(std::string_view name, std::string_view value) { return key(name).text(value); }
  JsonOut& member(std::string_view name, const char* value) { return key(name).text(value); }

  std::string take() { return std::move(out_); }

 private:
  JsonOut& open(char bracket);
  JsonOut& close(char bracket);
  void begin_value();

  std::string out_;
  bool needs_comma_ = false;
};

// The same text without what is no UTF-8.
std::string valid_utf8(std::string_view text);
// The shortest digits of a number, always with a point or an exponent, as Python writes it.
std::string python_float(double value);

}  // namespace rill::board
