#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace tensorflow {
class Event;
}

namespace rill {

// An output of a node, from "node:slot"; throws InvalidArgument for other texts.
struct TensorName {
  explicit TensorName(const std::string& text);
  std::string node;
  int slot = 0;
};

// A tensor that is watched: which, by which debug op, when.
struct Watched {
  std::string device;
  TensorName tensor;
  std::string debug_op;
  std::int64_t micros = 0;

  std::string key() const;  // "node:slot:debug_op"
};

// What a debugger is told of a run before it begins.
struct DebuggedRun {
  std::int64_t global_step = -1;
  std::int64_t session_run = 0;    // the session's count of steps
  std::int64_t executor_step = 0;  // of these feeds, fetches and watches
  std::vector<std::string> inputs = {}, outputs = {}, targets = {};
  std::int64_t micros = 0;
};

// The event that a tensor is published as.
void write_event(const Watched& watched, const Tensor& value, tensorflow::Event* event);
// "{"device":...}": what an event says of itself beside the tensor.
std::string event_description(const Watched& watched, std::size_t chunks, std::size_t chunk);
// "{"global_step":...}" with `extra` before the last brace.
std::string run_description(const DebuggedRun& run, const std::string& extra = "");

// TensorFlow's files below a directory, one event in each. They throw what writing throws, and
// dump_tensor ResourceExhausted when the process has written as much as the environment variable
// TFDBG_DISK_BYTES_LIMIT allows (100 GiB where it is not set).
void dump_tensor(const std::string& directory, const Watched& watched, const Tensor& value);
void dump_graph(const std::string& directory, const std::string& device,
                const std::string& graph_def, std::int64_t micros);
void dump_run(const std::string& directory, const DebuggedRun& run);
// A message of one's own, as "_tfdbg_fetches_info_".
void dump_message(const std::string& directory, const std::string& name,
                  const std::string& message);

// Counts what dumps have written anew.
void reset_disk_usage();

// The directory of a device's dumps: "_tfdbg_device_,job_localhost,...".
std::string dump_directory_of(const std::string& device);

}  // namespace rill
