#pragma once

#include <string>
#include <vector>

namespace rill {

// What a compiler needs to build programs and custom ops against this very library, wherever it
// lies: in a checkout, below an installation prefix, or inside a Python package.
std::vector<std::string> include_folders();  // the first holds tensorflow/
std::string library_folder();
// "-I...", and -DRILL_CHECKED where the environment says RILL_CHECKED=1.
std::vector<std::string> compile_flags();
std::vector<std::string> link_flags();

}  // namespace rill
