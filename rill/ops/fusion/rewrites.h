#pragma once

#include <span>

#include "rill/passes/rewrite.h"

namespace rill {

// Every rewrite there is, in the order in which they are applied.
std::span<const Rewrite* const> standard_rewrites();

}  // namespace rill
