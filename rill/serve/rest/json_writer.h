#pragma once

#include <string>
#include <string_view>

#include "rill/serve/rest/json_text.h"

namespace rill::serve {

// Writes a JSON text piece by piece and puts the commas:
//   json.object([&] { json.key("a").text("b"); json.key("c").list([&] { json.number(1); }); });
class JsonWriter {
 public:
  template <class F>
  JsonWriter& object(const F& write_members) {
    return enclosed('{', '}', write_members);
  }
  template <class F>
  JsonWriter& list(const F& write_items) {
    return enclosed('[', ']', write_items);
  }
  JsonWriter& key(std::string_view name) {
    begin();
    append_json_string(name, &text_);
    text_ += ": ";
    is_first_ = true;  // no comma before the value
    return *this;
  }
  JsonWriter& text(std::string_view value) {
    begin();
    append_json_string(value, &text_);
    return *this;
  }
  JsonWriter& number(std::int64_t value) { return raw(str_cat(value)); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  // A value that is JSON already.
  JsonWriter& raw(std::string_view json) {
    begin();
    text_ += json;
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  void begin() {
    if (!is_first_) text_ += ", ";
    is_first_ = false;
  }
  template <class F>
  JsonWriter& enclosed(char open, char close, const F& write) {
    begin();
    text_ += open;
    is_first_ = true;
    write();
    text_ += close;
    is_first_ = false;
    return *this;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace rill::serve
