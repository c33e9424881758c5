#include "rill/base/stores/settings.h"

#include <curl/curl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/stores/retries.h"

namespace rill::stores {
namespace {

constexpr long kMostMillis = 24L * 3600 * 1000;

}  // namespace

std::string environment_text(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : text;
}

bool environment_flag(const char* name, bool otherwise) {
  const std::string text = lower(environment_text(name));
  if (text.empty()) return otherwise;
  return text != "0" && text != "false" && text != "no" && text != "off";
}

long environment_millis(const char* name, long otherwise, long unit) {
  long long value = 0;
  const bool ok = parse_int(environment_text(name), &value) && value > 0;
  return ok ? static_cast<long>(std::min<long long>(value, kMostMillis / unit)) * unit : otherwise;
}

std::optional<std::string> small_file(const std::string& path) {
  if (path.empty()) return std::nullopt;
  try {
    return read_file(path);
  } catch (const Error&) {  // not there, or not ours to read
    return std::nullopt;
  }
}

std::string home_path(const std::string& below) {
  const std::string home = environment_text("HOME");
  return home.empty() ? "" : join_path(home, below);
}

Sections parse_sections(std::string_view text) {
  Sections sections;
  std::string section;
  for (const std::string_view whole : split(text, '\n')) {
    const std::string_view line = strip(whole);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const auto equals = line.find('=');
    if (line.front() == '[' && line.back() == ']')
      section = strip(line.substr(1, line.size() - 2));
    else if (equals != line.npos)
      sections[section][std::string(strip(line.substr(0, equals)))] =
          strip(line.substr(equals + 1));
  }
  return sections;
}

std::optional<std::string> small_answer(const HttpRequest& request, const HttpLimits& limits,
                                        int tries) {
  for (Retries retries; tries > 0; --tries) {
    try {
      HttpAnswer answer = http_exchange(request, limits);
      if (answer.is_good()) return std::move(answer.body);
      if (!is_passing(answer.status)) return std::nullopt;
    } catch (const Error&) {  // nobody there
    }
    if (tries == 1 || !retries.again()) break;
  }
  return std::nullopt;
}

std::int64_t nanos_of_date(const std::string& text) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::tm utc{};
  double seconds = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
                  &utc.tm_hour, &utc.tm_min, &seconds) == 6) {
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    return std::int64_t{::timegm(&utc)} * kSecond +
           static_cast<std::int64_t>(seconds * 1000) * (kSecond / 1000);
  }
  const std::time_t time = curl_getdate(text.c_str(), nullptr);
  return time < 0 ? 0 : std::int64_t{time} * kSecond;
}

std::string without_secrets(std::string text, std::initializer_list<std::string_view> secrets) {
  for (const std::string_view secret : secrets)
    for (std::size_t at; !secret.empty() && (at = text.find(secret)) != text.npos;)
      text.replace(at, secret.size(), "***");
  return text;
}

}  // namespace rill::stores
