#include "rill/serve/rest/rest_path.h"

#include <cctype>

#include "rill/base/error.h"

namespace rill::serve {
namespace {

// Takes the text off the front, whatever its case.
bool take(std::string_view* path, std::string_view text) {
  if (lower(path->substr(0, text.size())) != text) return false;
  path->remove_prefix(text.size());
  return true;
}

// Takes what stands before the next slash or colon.
std::string_view take_name(std::string_view* path) {
  const std::string_view name = path->substr(0, path->find_first_of("/:"));
  path->remove_prefix(name.size());
  return name;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "/versions/7" or "/labels/x"; false when something else stands there.
bool take_version(std::string_view* path, tensorflow::serving::ModelSpec* spec) {
  if (take(path, "/versions/")) {
    const std::string_view digits = take_name(path);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
    long long version = 0;
    require(parse_int(digits, &version), "Failed to convert version: ", digits, " to numeric.");
    spec->mutable_version()->set_value(version);
  } else if (take(path, "/labels/")) {
    const std::string_view label = take_name(path);
    if (label.empty()) return false;
    spec->set_version_label(percent_decoded(label));
  }
  return true;
}

RestPath::Kind request_kind(std::string_view method, std::string_view rest) {
  struct Ending {
    const char* method;
    const char* text;
    RestPath::Kind kind;
  };
  constexpr Ending kEndings[] = {{"POST", ":predict", RestPath::Kind::kPredict},
                                 {"POST", ":classify", RestPath::Kind::kClassify},
                                 {"POST", ":regress", RestPath::Kind::kRegress},
                                 {"GET", "/metadata", RestPath::Kind::kMetadata},
                                 {"GET", "/openapi.json", RestPath::Kind::kOpenApi},
                                 {"GET", "", RestPath::Kind::kStatus}};
  for (const Ending& ending : kEndings)
    if (method == ending.method && lower(rest) == ending.text) return ending.kind;
  return RestPath::Kind::kOther;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 &&
        (std::isalnum(byte) || std::string_view("-._~").find(c) != std::string_view::npos))
      encoded += c;
    else
      encoded.append(1, '%').append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  }
  return encoded;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_two = text[i] == '%' && i + 2 < text.size();
    const int high = has_two ? hex_digit(text[i + 1]) : -1;
    const int low = has_two ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      decoded += text[i];
    } else {
      decoded += static_cast<char>(high << 4 | low);
      i += 2;
    }
  }
  return decoded;
}

std::string_view take_model(std::string_view path, tensorflow::serving::ModelSpec* spec) {
  const std::string_view whole = path;
  spec->set_name(percent_decoded(take_name(&path)));
  require(!spec->name().empty() && take_version(&path, spec), "Malformed request: ", whole);
  return path;
}

RestPath parse_rest_path(std::string_view method, std::string_view target) {
  RestPath parsed;
  std::string_view path = target.substr(0, target.find('?'));
  const std::string_view whole = path;
  if (!take(&path, "/v1/")) return parsed;
  const bool is_models = take(&path, "models");
  require(!is_models || !(method == "GET" && (path.empty() || path == "/")),
          "Missing model name in request.");
  if (is_models && take(&path, "/")) {
    parsed.spec.set_name(percent_decoded(take_name(&path)));
    if (!parsed.spec.name().empty() && take_version(&path, &parsed.spec))
      parsed.kind = request_kind(method, path);
  }
  require(parsed.kind != RestPath::Kind::kOther, "Malformed request: ", method, " ", whole);
  return parsed;
}

}  // namespace rill::serve
