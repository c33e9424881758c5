#include "rill/cli/command.h"
#include "rill/cli/python.h"

namespace rill::cli {
namespace {

int check(std::span<const std::string> arguments) {
  if (arguments.empty()) throw UsageError("check needs a program");
  become_tool("rill._check", arguments);
}

}  // namespace

const Command kCheck{"check", "say what a program uses that Rill lacks, before it runs",
                     "check [--all] [--json] PROGRAM.py...\n\n"
                     "Every name of TensorFlow that the programs use and that is missing or "
                     "differs, with its line.\n"
                     "Ends with 0 when there is none and with 1 otherwise.\n\n"
                     "  --all   also the names that are there\n"
                     "  --json  the same for programs",
                     check};

}  // namespace rill::cli
