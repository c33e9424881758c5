#pragma once

#include <functional>
#include <set>
#include <string>

namespace rill {

// The number that an environment variable holds; 0 when it is not set or is no number above 0.
int environment_number(const char* name);

// The names that an environment variable lists with commas between them.
std::set<std::string, std::less<>> environment_names(const char* name);

std::string host_name();  // of this machine, "localhost" if it has none

}  // namespace rill
