#include "rill/cli/command.h"
#include "rill/cli/python.h"

namespace rill::cli {

const Command kApi{
    "api", "compare the interface with TensorFlow's",
    "api [--coverage | --cpp] [--missing] [--json | --markdown] [MODULE...]\n\n"
    "  --coverage  module by module, what there is of TensorFlow 1.15's interface (the default)\n"
    "  --cpp       the same of functions and classes in C++, as a compiler finds them\n"
    "  --missing   and what is missing or differs\n"
    "  --json      the same for programs\n"
    "  --markdown  the same as a page\n"
    "  MODULE      only these, as tf.nn",
    [](std::span<const std::string> arguments) -> int {
      become_tool("rill._api_coverage", arguments);
    }};

}  // namespace rill::cli
