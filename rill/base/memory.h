#pragma once

#include <cstddef>

namespace rill {

// Bytes of memory this process may hope for: the machine's, or the container's limit when that is
// less. Systems promise more than they have, and end the process that takes them at their word.
std::size_t memory_capacity();

// What of it could be had now without pushing others out; asked anew each time, in some ten
// microseconds.
std::size_t available_memory();

}  // namespace rill
