#pragma once

namespace rill {

// Gives the system what the host's allocators keep for reuse, but for what threads keep for
// themselves: for who has just let go of a lot and does not expect to need it again.
void give_back_free_memory();

}  // namespace rill
