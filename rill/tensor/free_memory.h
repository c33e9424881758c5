#pragma once

namespace rill {

// Gives the system what the host's allocators keep for reuse, but for what threads keep for
// themselves: for who has just let go of a lot and does not expect to need it again. What the C
// library keeps is asked for every few seconds at most.
void give_back_free_memory();

// From now on large blocks of the C library go back to the system when they are freed: for programs
// that run long and now and then need much. Otherwise it keeps more and more of them, for each
// thread.
void give_back_large_blocks_at_once();

}  // namespace rill
