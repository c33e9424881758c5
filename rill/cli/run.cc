#include "rill/cli/command.h"
#include "rill/cli/python.h"

namespace rill::cli {
namespace {

int run(std::span<const std::string> arguments) {
  if (arguments.empty()) throw UsageError("run needs a script");
  become_python(arguments);
}

}  // namespace

const Command kRun{
    "run", "run a Python program with `import tensorflow` meaning Rill",
    "run SCRIPT.py [ARGUMENT...]\n\n"
    "Also: rill run -m MODULE, rill run -c CODE. RILL_PYTHON names the Python to use.",
    run};

}  // namespace rill::cli
