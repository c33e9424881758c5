#pragma once

#include <cstddef>

namespace rill {

// Bytes of memory this process may hope for: the machine's, or the container's limit when that is
// less. Systems promise more than they have, and end the process that takes them at their word.
std::size_t memory_capacity();

// What of it could be had now without pushing others out; asked anew each time, in some ten
// microseconds.
std::size_t available_memory();

// Memory in pages of this size needs fewer look-ups of addresses, which large steps through a large
// block would otherwise wait for.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Asks for such pages in a block, as far as it holds whole ones; nothing happens where the system
// has none.
void prefer_huge_pages(void* block, std::size_t bytes);

}  // namespace rill
