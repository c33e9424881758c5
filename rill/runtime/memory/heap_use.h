#pragma once

#include <cstdint>

namespace rill {

// What this thread has asked of `operator new` so far; for tests, whose binary counts.
struct HeapUse {
  std::int64_t count = 0, bytes = 0;
};
HeapUse heap_use();

}  // namespace rill
