#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

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

// Asks for such pages at the beginning of a fresh block, as far as they come quickly; nothing
// happens where the system has none. A virtual machine may have to get each huge page from its
// host, which takes ten times as long as small ones that it has already: each is written to and
// timed, and after a slow one there are no more requests for ten seconds. Larger blocks end in
// small pages, which several threads fill sooner than one.
void prefer_huge_pages(void* block, std::size_t bytes);

struct HugePages {
  std::size_t asked = 0;  // pages written to
  bool given_up = false;  // because a page was slow
};
// Writes to a page for the first time; returns the nanoseconds that took.
using TimeFault = std::function<std::int64_t(char* page)>;
// The same with a clock of the caller's.
HugePages ask_for_huge_pages(void* block, std::size_t bytes, const TimeFault& time_fault);

}  // namespace rill
