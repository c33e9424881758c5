#include "rill/serve/rest/json_value.h"

#include <cmath>
#include <limits>

#include "rill/serve/rest/base64.h"
#include "rill/serve/rest/json_fault.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/telemetry/utf8.h"

namespace rill::serve {
namespace {

using Type = simdjson::dom::element_type;

constexpr std::size_t kLongestExcerpt = 256;
constexpr std::size_t kDeepest = 512;

// A string that begins like this stands for a token that is no JSON.
constexpr std::string_view kWordMark("\0number ", 8);
constexpr std::string_view kEscapedMark = "\\u0000number ";

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool number_of(std::string_view word, double* number) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "NaN")
    *number = std::nan("");
  else if (word == "Inf" || word == "Infinity")
    *number = kInfinity;
  else if (word == "-Inf" || word == "-Infinity")
    *number = -kInfinity;
  else
    return false;
  return true;
}

// The text with every such token outside of strings replaced by a string.
std::string with_words_quoted(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 4);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
      at = std::min(at + 1, text.size());
    } else if (is_word_character(text[at]) || text[at] == '-') {
      for (++at; at < text.size() && is_word_character(text[at]);) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      double number = 0;
      if (number_of(word, &number)) {
        result.append("\"").append(kEscapedMark).append(word).append("\"");
        continue;
      }
    } else {
      ++at;
    }
    result.append(text.substr(begin, at - begin));
  }
  return result;
}

}  // namespace

JsonText::JsonText(const std::string& text) {
  const auto parse = [&](const char* bytes, std::size_t size, bool copy) {
    auto error = parser_.allocate(std::max<std::size_t>(size, 64), kDeepest);
    if (error == simdjson::SUCCESS) error = parser_.parse(bytes, size, copy).get(root_);
    if (error == simdjson::MEMALLOC || error == simdjson::CAPACITY)
      raise(Code::kResourceExhausted, "There is no memory for JSON text of ", size, " bytes");
    return error;
  };
  if (text.empty()) raise(Code::kInvalidArgument, "JSON Parse error: The document is empty");
  if (parse(text.data(), text.size(), true) == simdjson::SUCCESS) return;
  if (text.find("NaN") != std::string::npos || text.find("Inf") != std::string::npos) {
    with_words_ = simdjson::padded_string(with_words_quoted(text));
    if (parse(with_words_.data(), with_words_.size(), false) == simdjson::SUCCESS) return;
  }
  const JsonFault fault = json_fault(text);
  raise(Code::kInvalidArgument, "JSON Parse error: ", fault.what, " at offset: ", fault.offset);
}

JsonObject JsonText::object() const {
  JsonObject object;
  if (root_.get(object) != simdjson::SUCCESS)
    raise(Code::kInvalidArgument, "JSON Value: ", json_excerpt(root_), " Is not object");
  return object;
}

bool is_number_word(std::string_view text, double* number) {
  return text.starts_with(kWordMark) && number_of(text.substr(kWordMark.size()), number);
}

std::string_view json_type(const JsonValue& value) {
  switch (value.type()) {
    case Type::ARRAY:
      return "Array";
    case Type::OBJECT:
      return "Object";
    case Type::STRING: {
      double number = 0;
      return is_number_word(value.get_string().value_unsafe(), &number) ? "Number" : "String";
    }
    case Type::BOOL:
      return value.get_bool().value_unsafe() ? "True" : "False";
    case Type::NULL_VALUE:
      return "Null";
    default:
      return "Number";
  }
}

namespace {

// Goes into no more of it than is shown.
void append_excerpt(const JsonValue& value, std::string* text) {
  if (text->size() > kLongestExcerpt) return;
  const auto list = [&](const auto& items, char open, char close, const auto& each) {
    *text += open;
    bool is_first = true;
    for (const auto& item : items) {
      if (text->size() > kLongestExcerpt) return;
      if (!std::exchange(is_first, false)) *text += ",";
      each(item);
    }
    *text += close;
  };
  if (value.is_array()) {
    list(value.get_array().value_unsafe(), '[', ']',
         [&](const JsonValue& item) { append_excerpt(item, text); });
  } else if (value.is_object()) {
    list(value.get_object().value_unsafe(), '{', '}', [&](const auto& field) {
      append_json_string(utf8_prefix(field.key, kLongestExcerpt), text);
      *text += ':';
      append_excerpt(field.value, text);
    });
  } else if (value.is_string()) {
    const std::string_view whole = value.get_string().value_unsafe();
    double number = 0;
    if (is_number_word(whole, &number))
      *text += whole.substr(kWordMark.size());
    else
      append_json_string(utf8_prefix(whole, kLongestExcerpt), text);
  } else {
    *text += simdjson::minify(value);
  }
}

}  // namespace

std::string json_excerpt(const JsonValue& value) {
  std::string text;
  append_excerpt(value, &text);
  if (text.size() > kLongestExcerpt) {
    text.resize(utf8_prefix(text, kLongestExcerpt).size());
    text += "...";
  }
  return text;
}

bool find(const JsonObject& object, std::string_view key, JsonValue* value) {
  return object.at_key(key).get(*value) == simdjson::SUCCESS;
}

std::size_t json_size(const JsonArray& array) {
  constexpr std::size_t kMaxCounted = 0xFFFFFF;  // where simdjson's own count ends
  if (array.size() < kMaxCounted) return array.size();
  std::size_t count = 0;
  for (auto it = array.begin(); it != array.end(); ++it) ++count;
  return count;
}

bool is_base64_object(const JsonValue& value) {
  JsonObject object;
  JsonValue text;
  return value.get(object) == simdjson::SUCCESS && object.size() == 1 &&
         find(object, "b64", &text) && text.is_string();
}

std::string json_bytes(const JsonValue& value) {
  std::string_view text;
  double number = 0;
  if (value.get(text) == simdjson::SUCCESS) {
    if (is_number_word(text, &number)) json_type_error(value, "string");
    return std::string(text);
  }
  if (!value.is_object()) json_type_error(value, "string");
  require(is_base64_object(value), "JSON Value: ", json_excerpt(value),
          " not formatted correctly for base64 data");
  std::string bytes;
  require(from_base64(value.at_key("b64").get_string().value_unsafe(), &bytes),
          "JSON Value: ", json_excerpt(value), " Unable to base64 decode");
  return bytes;
}

void json_type_error(const JsonValue& value, std::string_view expected) {
  raise(Code::kInvalidArgument, "JSON Value: ", json_excerpt(value), " Type: ", json_type(value),
        " is not of expected type: ", expected);
}

}  // namespace rill::serve
