#pragma once

#include <cstddef>
#include <functional>

namespace rill::stores {

constexpr int kRequestsAtOnce = 8;

// Calls work_on(i) for each i below `count`, some at once, this thread among them. Throws the first
// failure when all that had begun have ended; the others are left out.
void side_by_side(std::size_t count, std::function<void(std::size_t)> work_on);

}  // namespace rill::stores
