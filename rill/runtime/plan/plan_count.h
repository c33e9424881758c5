#pragma once

#include <cstdint>

namespace rill {

// How many plans the sessions of this process have compiled so far; steady steps compile none.
std::int64_t compiled_plan_count();

}  // namespace rill
