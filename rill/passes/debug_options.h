#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rill {

// An output of a node that a step publishes: what each debug op makes of it goes to each URL
// ("file://DIRECTORY", "grpc://HOST:PORT/PATH", "memcbk://KEY").
struct TensorWatch {
  std::string node = {};  // "*" (with slot -1): every output that no other watch names
  int slot = 0;
  // "DebugIdentity", "DebugNanCount" or "DebugNumericSummary", with attributes in parentheses:
  // "DebugNumericSummary(lower_bound=-10;mute_if_healthy=true)".
  std::vector<std::string> ops = {"DebugIdentity"};
  std::vector<std::string> urls = {};
  // Leaves out a debug op that does not exist or does not take the output's type.
  bool tolerates_failures = false;
};

// What one run watches. A watch without ops or URLs is left out, and where no watch names an
// output, those of "*" are too, as in TensorFlow.
struct DebugOptions {
  std::vector<TensorWatch> watches = {};
  std::int64_t global_step = -1;   // goes into the dump as it is
  bool resets_disk_usage = false;  // the bytes that dumps may take are counted anew

  bool is_empty() const { return watches.empty(); }
};

}  // namespace rill
