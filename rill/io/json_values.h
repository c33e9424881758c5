#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/base/json.h"

namespace rill {

// JSON of values of a program, and back.
//
//   to_text(json_object({{"units", json_of(3)}, {"name", json_of("dense")}}))
//   // {"units": 3, "name": "dense"}
inline Json json_of(std::nullptr_t) { return {}; }
Json json_of(std::int64_t value);
Json json_of(double value);  // NaN and infinity as Python writes them
Json json_of(std::string value);
inline Json json_of(const char* value) { return json_of(std::string(value)); }
template <std::same_as<bool> T>
Json json_of(T value) {
  Json json;
  json.kind = Json::Kind::boolean;
  json.boolean = value;
  return json;
}
template <std::integral T>
requires(!std::same_as<T, bool> && !std::same_as<T, std::int64_t>) Json json_of(T value) {
  return json_of(static_cast<std::int64_t>(value));
}
Json json_array(std::vector<Json> items);
template <class T>
Json json_of(const std::vector<T>& values) {
  std::vector<Json> items;
  for (const T& value : values) items.push_back(json_of(value));
  return json_array(std::move(items));
}
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json();
}
using JsonMembers = std::vector<std::pair<std::string, Json>>;
Json json_object(JsonMembers members);

// As Python's json.dumps writes it.
std::string to_text(const Json& value);

inline bool is_null(const Json& value) { return value.kind == Json::Kind::null; }
// Throw InvalidArgument, with `what`, for values of another kind.
bool bool_of(const Json& value, const std::string& what);
std::int64_t int_of(const Json& value, const std::string& what);
double number_of(const Json& value, const std::string& what);
const std::string& text_of(const Json& value, const std::string& what);
const Json& member(const Json& object, const std::string& name);

}  // namespace rill
