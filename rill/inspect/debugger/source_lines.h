#pragma once

#include <string>
#include <vector>

#include "rill/graph/node.h"

namespace rill::debugger {

// Where the program made a node, the innermost first; of programs in C++ the one place that is
// known.
std::vector<Frame> frames_of(const Node& node);

// A line of a file without the blanks at its ends; "None" where it cannot be read.
std::string source_line(const std::string& path, int line);

}  // namespace rill::debugger
