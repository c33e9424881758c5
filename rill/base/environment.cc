#include "rill/base/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "rill/base/text.h"

namespace rill {

int environment_number(const char* name) {
  const char* text = std::getenv(name);
  long long value = 0;
  const bool ok = text != nullptr && parse_int(text, &value) && value > 0 &&
                  value <= std::numeric_limits<int>::max();
  return ok ? static_cast<int>(value) : 0;
}

std::set<std::string, std::less<>> environment_names(const char* name) {
  const char* listed = std::getenv(name);
  std::set<std::string, std::less<>> names;
  for (const std::string_view one : split(listed == nullptr ? "" : listed, ','))
    if (!one.empty()) names.emplace(one);
  return names;
}

std::string host_name() {
  char name[256] = {};
  const bool ok = ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0';
  return ok ? name : "localhost";
}

}  // namespace rill
