#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/base/file_system.h"

namespace rill {

// Files of paths "SCHEME://..." are those of `files` from now on, everywhere in the process. Throws
// InvalidArgument when that is no scheme, AlreadyExists when it has a file system.
void register_file_system(const std::string& scheme, std::unique_ptr<FileSystem> files);

// Those that paths may begin with, sorted; "" for none.
std::vector<std::string> file_system_schemes();

}  // namespace rill
