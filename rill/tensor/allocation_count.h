#pragma once

#include <cstdint>

namespace rill {

// Figures of cpu_allocator() that cost next to nothing to read, for whoever reads them before and
// after every kernel.
std::int64_t cpu_live_bytes();       // as far as other threads have told
std::int64_t cpu_bytes_of_thread();  // handed out to this thread since it began
// What it hands out for a tensor's elements, and for blocks of this size.
std::int64_t cpu_bytes_for_elements(std::int64_t bytes);
std::int64_t cpu_block_bytes(std::int64_t bytes);

}  // namespace rill
