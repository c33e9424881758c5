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

std::string host_name() {
  char name[256] = {};
  const bool ok = ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0';
  return ok ? name : "localhost";
}

}  // namespace rill
