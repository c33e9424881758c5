#include "rill/cli/command.h"
#include "rill/cli/python.h"

namespace rill::cli {
namespace {

int upgrade(std::span<const std::string> arguments) {
  if (arguments.empty()) throw UsageError("upgrade needs a program");
  become_tool("rill._upgrade", arguments);
}

}  // namespace

const Command kUpgrade{
    "upgrade", "rewrite a program for TensorFlow 0.x or Python 2 to 1.15 and Python 3",
    "upgrade [--in-place | --diff] PROGRAM.py...\n\n"
    "Names that TensorFlow 1.0 changed (tf.pack is tf.stack), arguments in another order\n"
    "(tf.concat(0, xs)) or under other names (reduction_indices), and the syntax of Python 2. The\n"
    "new text goes to standard output, what was changed and where a person should look to "
    "standard\n"
    "error.\n\n"
    "  --in-place  replace the files\n"
    "  --diff      print what would change",
    upgrade};

}  // namespace rill::cli
