#pragma once

#include "rill/ops/data/core/pipeline.h"

namespace rill {

// The number that a function gives; `what` names it in errors.
std::int64_t int_result(const DataFunction& function, Element arguments, const char* what);

inline std::int64_t group_key(const DataFunction& key, const Element& element) {
  return int_result(key, element, "`key_func`");
}

}  // namespace rill
