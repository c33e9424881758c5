#include <cstdio>

#include "rill/api/train/server.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

int cluster(std::span<const std::string> arguments) {
  const std::vector<std::string> words = Options(arguments).positional();
  if (words.size() != 2 || words[0] != "status") throw UsageError("cluster is: status HOST:PORT");
  std::fputs(train::cluster_status(words[1]).c_str(), stdout);
  return 0;
}

}  // namespace

const Command kCluster{
    "cluster", "what the tasks of a cluster do and wait for",
    "cluster status HOST:PORT\n\n"
    "Asks that task, and those that it knows of: how long they are up, when they last heard of "
    "each\n"
    "other, which sessions and steps there are, and who waits for what of whom, since when. What\n"
    "the tasks need to let it in is said as RILL_CLUSTER_TOKEN and the like, or behind the\n"
    "address: HOST:PORT?token=TEXT&authority=FILE.",
    cluster};

}  // namespace rill::cli
