#pragma once

namespace rill {

// Whether this process may use the processor's tile registers (Intel AMX) for products of bfloat16
// and of bytes. Asks the system for them, and tries them in a child process first: some virtual
// machines announce what they do not have. Asked once; false if the environment says RILL_TILES=0.
bool may_use_tiles();

}  // namespace rill
