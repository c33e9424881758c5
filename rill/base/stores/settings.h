#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rill/base/stores/http_exchange.h"

namespace rill::stores {

// Variables of the environment, and files of settings.
std::string environment_text(const char* name, const char* otherwise = "");
bool environment_flag(const char* name, bool otherwise);  // 0, false, no, off: false
long environment_millis(const char* name, long otherwise, long unit = 1);

// The text of a local file; none where it cannot be read.
std::optional<std::string> small_file(const std::string& path);
std::string home_path(const std::string& below);  // "" without $HOME

// Sections of an INI file: name, then keys and values. Lines that make no sense are left out.
using Sections = std::map<std::string, std::map<std::string, std::string>, std::less<>>;
Sections parse_sections(std::string_view text);

// A request to a service beside a store (tokens, metadata), tried a few times within its limits.
// Nothing where no good answer came.
std::optional<std::string> small_answer(const HttpRequest& request, const HttpLimits& limits,
                                        int tries = 3);

// "2009-10-12T17:50:30.000Z" or a date of HTTP as nanoseconds since the epoch; 0 for others.
std::int64_t nanos_of_date(const std::string& text);
// Replaces what must not be seen.
std::string without_secrets(std::string text, std::initializer_list<std::string_view> secrets);

}  // namespace rill::stores
