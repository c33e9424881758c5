#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rill::cli {

// Programs that TensorFlow installs are this one under other names: what `program` called with
// `words` means to it. A tool that is written in Python takes the place of this process.
std::vector<std::string> words_for(std::string_view program, std::vector<std::string> words);

}  // namespace rill::cli
