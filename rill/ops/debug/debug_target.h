#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rill/ops/debug/dump.h"

namespace rill {

// Where what a run watches goes.
class DebugTarget {
 public:
  virtual ~DebugTarget() = default;
  virtual void run(const DebuggedRun& run) = 0;
  virtual void graph(const std::string& device, const std::string& graph_def,
                     std::int64_t micros) = 0;
  virtual void tensor(const Watched& watched, const Tensor& value) = 0;
  // Whether anybody wants this tensor, where it is published only to those who asked.
  virtual bool is_open(const Watched&) { return true; }
  // The run is over.
  virtual void end() {}
};

// Of a URL: "file://DIRECTORY", "memcbk://KEY" or "grpc://HOST:PORT/PATH"; one object for one URL
// while somebody holds it. Throws Unavailable for other URLs and for keys that nobody waits for.
std::shared_ptr<DebugTarget> debug_target(const std::string& url);

// Gets the tensors that are published to "memcbk://KEY" on the threads of the step; an empty
// callback ends that.
using DebugCallback = std::function<void(const Watched& watched, const Tensor& value)>;
void set_debug_callback(const std::string& key, DebugCallback callback);

}  // namespace rill
