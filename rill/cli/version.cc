#include <cstdio>

#include "rill/cli/command.h"
#include "rill/graph/graph.h"

namespace rill::cli {
namespace {

int version(std::span<const std::string> arguments) {
  if (!Options(arguments).positional().empty()) throw UsageError("version takes no arguments");
  std::printf("rill %s (GraphDef version %d)\n", RILL_VERSION, kGraphDefVersion);
  return 0;
}

}  // namespace

const Command kVersion{"version", "print the version", "version", version};

}  // namespace rill::cli
