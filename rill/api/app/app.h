#pragma once

#include <functional>
#include <span>
#include <string>

#include "rill/api/app/flags.h"

namespace rill::app {

namespace flags = rill::flags;

// Reads the flags that are defined and calls `main` with the program's name and the words that are
// left; returns what it returns. Wrong flags are said on standard error and give 1, so do --help
// and --helpfull, after the help was printed; so does an exception of `main`.
int run(const std::function<int(std::span<const std::string> words)>& main, int argc, char** argv);

}  // namespace rill::app
