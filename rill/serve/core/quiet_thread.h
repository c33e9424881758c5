#pragma once

namespace rill::serve {

// From now on, for good, this thread gets the processor and the disk when others leave them. For
// work such as loading that must not hold up requests. Threads that it makes are quiet too.
void make_this_thread_quiet();

}  // namespace rill::serve
