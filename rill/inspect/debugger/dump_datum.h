#pragma once

#include <cstdint>
#include <string>

#include "rill/base/text.h"
#include "rill/tensor/tensor.h"

namespace tensorflow {
class Event;
class GraphDef;
}  // namespace tensorflow

namespace rill::debugger {

// What a dump holds: a tensor, or why there is none.
struct DumpedValue {
  Tensor tensor;               // without a value where there is none
  bool is_initialized = true;  // false: a variable that nothing was assigned to yet
  std::string proto_text;      // where there is no tensor: the message in words

  bool has_value() const { return tensor.has_value(); }
};
// Throws DataLoss for an event without a tensor.
DumpedValue value_of(const tensorflow::Event& event);

// Reads the one event of a file. Throws DataLoss, naming the file, for what is no event.
tensorflow::Event read_event(const std::string& path);
// The graph of a graph file.
tensorflow::GraphDef read_graph(const std::string& path);

// One dump of a tensor, known by its file. The tensor is read when it is asked for.
struct DumpDatum {
  // `relative_path` leads from the root to the file: "_tfdbg_device_.../scope/node_0_OP_TIME".
  // Throws InvalidArgument for another name.
  DumpDatum(const std::string& root, const std::string& relative_path);

  std::string device, node, op, file_path;
  int slot = 0;
  std::string extended_timestamp;  // "1480734393835964-1"
  std::int64_t timestamp = 0;      // in microseconds
  std::int64_t file_size = 0;

  std::string tensor_name() const { return str_cat(node, ":", slot); }
  std::string watch_key() const { return str_cat(node, ":", slot, ":", op); }
  DumpedValue read() const;
};
std::string to_text(const DumpDatum& datum);  // "{DebugTensorDatum (DEVICE) x:0 @ OP @ TIME}"

// "/job:localhost/.../device:CPU:0" from "_tfdbg_device_,job_localhost,...".
std::string device_of_directory(const std::string& directory);

// True if the value holds NaN or an infinity; false where there is none.
bool has_inf_or_nan(const DumpDatum& datum, const DumpedValue& value);

}  // namespace rill::debugger
