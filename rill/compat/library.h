#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/graph/op.h"

namespace rill {

// A loaded library of custom ops and kernels. It stays loaded.
struct OpLibrary {
  std::string path;
  std::vector<const Op*> ops;  // those that its REGISTER_OPs declare, in order
};

// Loads `path`; a second call gives the same object. Throws NotFound with the system's words when
// it cannot be loaded, and InvalidArgument or AlreadyExists when a registration in it is wrong.
// An op that was registered before by somebody else stays as it was.
const OpLibrary& load_op_library(const std::string& path);

// Registers an op while a library is loaded, or at once; never throws. What is wrong is raised by
// load_op_library, and logged when no library is being loaded.
void note_registration(const std::string& what, const std::function<const Op*()>& add);

}  // namespace rill
