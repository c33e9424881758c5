#pragma once

#include <string>

#include "rill/graph/graph.h"

namespace tensorflow {
class FunctionDefLibrary;
}

namespace rill {

// Makes the functions of `library` known to the edited graph and returns what its serialised
// library becomes. Functions that are there already must be the same; throws InvalidArgument
// otherwise.
std::string import_library(GraphEdit& edit, const tensorflow::FunctionDefLibrary& library);

}  // namespace rill
