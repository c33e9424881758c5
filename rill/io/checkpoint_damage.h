#pragma once

#include <string>

namespace rill {

// What is wrong with a checkpoint, with file and tensor; "" when every tensor can be read and has
// its checksum. Reads everything, and holds one tensor at a time.
std::string checkpoint_damage(const std::string& prefix);

}  // namespace rill
