#pragma once

#include <filesystem>
#include <optional>

namespace rill::cli {

// Where this program was started from, links resolved.
std::filesystem::path program_path();
// The file that librill was loaded from.
std::filesystem::path library_path();
// The checkout that this program was built in; nothing when it is installed.
std::optional<std::filesystem::path> checkout();

}  // namespace rill::cli
