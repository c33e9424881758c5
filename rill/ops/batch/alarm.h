#pragma once

#include <cstdint>
#include <functional>

namespace rill {

// Calls `ring` on a thread of its own once `nanos` have passed. What it refers to must be able to
// go away before: hold it weakly. Must neither block nor throw.
void ring_after(std::int64_t nanos, std::function<void()> ring);

}  // namespace rill
