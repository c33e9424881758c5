#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rill {

// A value of a JSON text.
struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  // of a string; of a number its digits
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;  // in the order of the text

  const Json* find(std::string_view name) const;  // nullptr when there is no such member
  // Whether it is a whole number that is not negative; `value` gets it.
  bool is_count(long long* value) const;
};

// Throws InvalidArgument, with the place, when the text is no JSON, names a member twice, or nests
// deeper than a hundred levels.
Json parse_json(std::string_view text);

// A string as JSON writes it, quotes included.
std::string json_quoted(std::string_view text);
std::string json_list(std::span<const std::string> texts);

}  // namespace rill
