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
// The tables of what TensorFlow 1.15 has. Throws NotFound when they are not installed.
std::filesystem::path fact_tables();

}  // namespace rill::cli
