#include "rill/io/json_values.h"

#include <array>
#include <charconv>
#include <cmath>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill {
namespace {

Json number(std::string digits) {
  Json json;
  json.kind = Json::Kind::number;
  json.text = std::move(digits);
  return json;
}

template <class Item, class Write>
std::string listed(char open, char close, const std::vector<Item>& items, Write write) {
  std::string text(1, open);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + write(items[i]);
  return text + close;
}

}  // namespace

Json json_of(std::int64_t value) { return number(std::to_string(value)); }
Json json_of(double value) {
  if (std::isnan(value)) return number("NaN");
  if (std::isinf(value)) return number(value > 0 ? "Infinity" : "-Infinity");
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return number(std::move(text));
}
Json json_of(std::string value) {
  Json json;
  json.kind = Json::Kind::string;
  json.text = std::move(value);
  return json;
}
Json json_array(std::vector<Json> items) {
  Json json;
  json.kind = Json::Kind::array;
  json.items = std::move(items);
  return json;
}
Json json_object(JsonMembers members) {
  Json json;
  json.kind = Json::Kind::object;
  json.members = std::move(members);
  return json;
}

std::string to_text(const Json& value) {
  switch (value.kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return value.boolean ? "true" : "false";
    case Json::Kind::number:
      return value.text;
    case Json::Kind::string:
      return json_quoted(value.text);
    case Json::Kind::array:
      return listed('[', ']', value.items, [](const Json& item) { return to_text(item); });
    case Json::Kind::object:
      return listed('{', '}', value.members, [](const auto& item) {
        return json_quoted(item.first) + ": " + to_text(item.second);
      });
  }
  return {};
}

bool bool_of(const Json& value, const std::string& what) {
  require(value.kind == Json::Kind::boolean, what, " is true or false, not ", to_text(value));
  return value.boolean;
}
std::int64_t int_of(const Json& value, const std::string& what) {
  const double whole = number_of(value, what);
  require(std::abs(whole) < 9e18 && whole == std::floor(whole), what, " is a whole number, not ",
          to_text(value));
  std::int64_t exact = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stopped, error] = std::from_chars(value.text.data(), end, exact);
  return stopped == end ? exact : static_cast<std::int64_t>(whole);
}
double number_of(const Json& value, const std::string& what) {
  double result = 0;
  const char* const end = value.text.data() + value.text.size();
  require(value.kind == Json::Kind::number &&
              std::from_chars(value.text.data(), end, result).ec == std::errc(),
          what, " is a number, not ", to_text(value));
  return result;
}
const std::string& text_of(const Json& value, const std::string& what) {
  require(value.kind == Json::Kind::string, what, " is a text, not ", to_text(value));
  return value.text;
}
const Json& member(const Json& object, const std::string& name) {
  const Json* const found = object.find(name);
  require(found != nullptr, "there is no '", name, "' in ", to_text(object));
  return *found;
}

}  // namespace rill
