#include "rill/cli/command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "rill/base/text.h"

namespace rill::cli {
namespace {

bool shows_colours() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

bool Options::flag(std::string_view name) { return std::erase(rest_, name) > 0; }

std::optional<std::string> Options::value(std::string_view name) {
  for (auto it = rest_.begin(); it != rest_.end(); ++it) {
    if (it->starts_with(str_cat(name, "="))) {
      std::string value = it->substr(name.size() + 1);
      rest_.erase(it);
      return value;
    }
    if (*it != name) continue;
    const auto next = it + 1;
    if (next == rest_.end()) throw UsageError(str_cat(name, " needs a value"));
    std::string value = *next;
    rest_.erase(it, next + 1);
    return value;
  }
  return std::nullopt;
}

std::optional<std::string> Options::value_or_true(std::string_view name) {
  const auto it = std::ranges::find(rest_, name);
  if (it == rest_.end() || (it + 1 != rest_.end() && !(it + 1)->starts_with("--")))
    return value(name);
  rest_.erase(it);
  return "true";
}

std::vector<std::string> Options::positional() const {
  for (const std::string& argument : rest_)
    if (argument.size() > 1 && argument[0] == '-')
      throw UsageError(str_cat("no such option: ", argument));
  return rest_;
}

std::vector<std::string> comma_list(const std::optional<std::string>& text) {
  std::vector<std::string> items;
  if (text)
    for (const std::string_view item : split(*text, ','))
      if (!item.empty()) items.emplace_back(item);
  return items;
}

std::string styled(std::string_view text, std::string_view style) {
  static const bool colours = shows_colours();
  return colours ? str_cat("\033[", style, "m", text, "\033[0m") : std::string(text);
}

}  // namespace rill::cli
