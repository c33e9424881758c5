#pragma once

#include <string>
#include <string_view>

#include "rill/base/text.h"

namespace rill {

// Names in messages of a part of a graph: relative to the scope of that part.

// "a/b/c" without "a/b/"; what begins otherwise stays.
inline std::string without_scope(std::string_view name, std::string_view scope) {
  if (!scope.empty() && name.starts_with(scope) && name.substr(scope.size()).starts_with("/"))
    return std::string(name.substr(scope.size() + 1));
  return std::string(name);
}

inline std::string with_scope(std::string_view name, std::string_view scope) {
  return scope.empty() || name.empty() ? std::string(name) : str_cat(scope, "/", name);
}

}  // namespace rill
