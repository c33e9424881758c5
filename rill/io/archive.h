#pragma once

#include <string>

namespace rill {

// Unpacks a .tar, .tar.gz or .zip file below a directory: files and directories, not links or
// devices. False for a file that is no such archive. Throws InvalidArgument for an entry that
// would lie outside of the directory, DataLoss for a damaged archive; files that were unpacked
// before stay.
bool extract_archive(const std::string& path, const std::string& directory);

}  // namespace rill
