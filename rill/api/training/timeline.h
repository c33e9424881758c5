#pragma once

#include <string>

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

}  // namespace rill::train
