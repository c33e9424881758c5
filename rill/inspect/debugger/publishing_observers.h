#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/inspect/debugger/watch.h"
#include "rill/runtime/session/run_observer.h"

namespace rill::debugger {

// What a run is asked of, by name: "x:0", or the name of an operation.
struct RunDescription {
  explicit RunDescription(const ObservedRun& run);
  std::vector<std::string> fetches, feeds;
};
std::string fetch_text(const RunDescription& run);  // "1 fetch (c:0); 0 feeds"

// Says what of a run is watched.
using WatchFunction = std::function<WatchOptions(const RunDescription&)>;

// Dumps every run below `root`, each to a directory of its own. Throws InvalidArgument where `root`
// holds anything.
RunObserverRef dumping_observer(const std::string& root, WatchFunction watch = {});

// Streams every run to servers at "HOST:PORT", with or without "grpc://". Where `sends_sources`,
// the graph's lines and the program's files go there too, before the first run and whenever the
// graph has grown.
RunObserverRef grpc_observer(const std::vector<std::string>& addresses, WatchFunction watch = {},
                             bool sends_sources = false);

}  // namespace rill::debugger
