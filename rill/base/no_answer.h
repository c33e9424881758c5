#pragma once

#include <string>

#include "rill/base/error.h"

namespace rill {

// Whether an error tells that the file system of `path` gave no answer (it cannot be reached, or
// lets nobody look), rather than what is there. Whoever takes other errors for "there is none" lets
// these pass: a training must not begin anew because a network was down.
bool is_no_answer(const Error& error, const std::string& path);

}  // namespace rill
