#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tensorflow {
class StepStats;
}  // namespace tensorflow

namespace rill::train {

struct ChromeTraceOptions {
  bool show_dataflow = true;  // arrows from who makes a tensor to who reads it
  bool show_memory = false;   // tensors from their making to their last use, and their bytes
};
// The statistics of a step as a page of Chrome's trace viewer (JSON).
std::string chrome_trace(const tensorflow::StepStats& stats,
                         const ChromeTraceOptions& options = {});

// When the tensors of an allocator took the most memory, and the nodes that had made them.
struct AllocationMaximum {
  std::int64_t timestamp = 0, num_bytes = 0;  // microseconds since the Unix epoch
  std::vector<std::string> tensors = {};
};
std::map<std::string, AllocationMaximum> allocator_maximums(const tensorflow::StepStats& stats);

}  // namespace rill::train
