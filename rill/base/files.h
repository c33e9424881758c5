#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rill {

// What can be done with files wherever they are (file_system.h). Errors name the path.

bool file_exists(const std::string& path);  // or a directory; false too for what may not be seen
bool is_directory(const std::string& path);

// The part before the last slash ("" when there is none, "/" for the root), and the part after it.
std::string parent_path(std::string_view path);
std::string_view base_name(std::string_view path);
std::string join_path(std::string_view directory, std::string_view name);

// The whole file, read piece by piece: its size is not believed.
std::string read_file(const std::string& path);
// The whole file; whoever reads it sees the old or the new one, never half.
void write_file(const std::string& path, std::string_view bytes);
// In pieces, also from one file system to another. AlreadyExists unless `overwrite`.
void copy_file(const std::string& from, const std::string& to, bool overwrite = false);
// A file, or a directory with all below it; what is there already is replaced.
void copy_tree(const std::string& from, const std::string& to);
// Within one file system. AlreadyExists unless `overwrite`.
void rename_file(const std::string& from, const std::string& to, bool overwrite = false);

void make_directories(const std::string& path);  // parents too; fine when they are there
void remove_tree(const std::string& path);       // a file, or a directory with all below it

// What fits the pattern, sorted; wildcards (glob.h) may stand in every part but do not reach over a
// slash. Below the current directory paths begin with "./" when the first part has a wildcard, as
// in TensorFlow. Directories that cannot be read hold nothing.
std::vector<std::string> matching_paths(const std::string& pattern);
// One pattern after the other.
std::vector<std::string> matching_paths(std::span<const std::string> patterns);

}  // namespace rill
