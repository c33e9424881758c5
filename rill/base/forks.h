#pragma once

namespace rill {

// How often fork has made a child on the way to this process. What a thread of the parent was to do
// never happens in a child, and locks that it held stay locked: whoever owns threads remembers this
// number, and where it has changed waits for none of them.
int fork_count();

}  // namespace rill
