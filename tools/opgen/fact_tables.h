#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace rill::opgen {

// The lines of a table of the repository, which is the working directory, split at tabs. Throws
// InvalidArgument when it cannot be read.
std::vector<std::vector<std::string>> table_rows(const std::filesystem::path& path);

// The names of TensorFlow 1.15's ops, those of tf.contrib included. Newer ones that Rill reads in
// graphs, and Rill's own, are not among them.
std::set<std::string, std::less<>> tensorflow_op_names();

}  // namespace rill::opgen
