#include "rill/ops/debug/dump.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/hash64.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

constexpr std::int64_t kDefaultAllowance = std::int64_t{100} << 30;

std::atomic<std::int64_t>& disk_usage() {
  static std::atomic<std::int64_t> used = 0;
  return used;
}

void use_allowance(std::int64_t bytes, const std::string& tensor) {
  static const std::int64_t limit = [] {
    const char* const text = std::getenv("TFDBG_DISK_BYTES_LIMIT");
    const long long given = text == nullptr ? 0 : std::atoll(text);
    return given > 0 ? given : kDefaultAllowance;
  }();
  if (bytes == 0) return;
  if (disk_usage().fetch_add(bytes) + bytes < limit) return;
  disk_usage() -= bytes;
  raise(Code::kResourceExhausted, "TFDBG has exhausted file-system byte-size allowance (", limit,
        "), therefore it cannot dump an additional ", bytes, " byte(s) of tensor data for ", tensor,
        ". You may use the environment variable TFDBG_DISK_BYTES_LIMIT to set a higher limit.");
}

// "path", or "path-1", "path-2", ... when there are dumps of that moment already.
std::string unused_path(const std::string& path) {
  std::string candidate = path;
  for (int i = 1; file_exists(candidate); ++i) candidate = str_cat(path, "-", i);
  return candidate;
}

void write_event_file(const std::string& path, const tensorflow::Event& event) {
  make_directories(parent_path(path));
  write_file(unused_path(path), event.SerializeAsString());
}

// Handles and variants have no bytes to show: their type and shape alone are.
void write_value(const Tensor& value, tensorflow::TensorProto* proto) {
  if (!value.has_value()) return;
  if (value.dtype() == DType::resource || value.dtype() == DType::variant) {
    proto->set_dtype(static_cast<tensorflow::DataType>(value.dtype()));
    to_proto(PartialShape(value.shape()), proto->mutable_tensor_shape());
    proto->set_tensor_content(print(value));
    return;
  }
  to_proto(value, proto, ProtoForm::content);
}

std::string text_list(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back("\"" + item + "\"");
  return "[" + join(quoted, ",") + "]";
}

}  // namespace

TensorName::TensorName(const std::string& text) {
  const auto colon = text.rfind(':');
  long long number = 0;
  const bool fits = colon != std::string::npos && colon > 0 &&
                    parse_int(text.substr(colon + 1), &number) && number >= 0 &&
                    number <= std::numeric_limits<int>::max();
  require(fits, "Failed to parse tensor name: \"", text, "\"");
  node = text.substr(0, colon);
  slot = static_cast<int>(number);
}

std::string Watched::key() const { return str_cat(tensor.node, ":", tensor.slot, ":", debug_op); }

std::string dump_directory_of(const std::string& device) {
  std::string name = device;
  std::ranges::replace(name, ':', '_');
  std::ranges::replace(name, '/', ',');
  return "_tfdbg_device_" + name;
}

std::string event_description(const Watched& watched, std::size_t chunks, std::size_t chunk) {
  return str_cat("{\"device\":\"", watched.device, "\",\"outputSlot\":", watched.tensor.slot,
                 ",\"numChunks\":", chunks, ",\"chunkIndex\":", chunk, "}");
}

void write_event(const Watched& watched, const Tensor& value, tensorflow::Event* event) {
  event->set_wall_time(static_cast<double>(watched.micros));
  auto& item = *event->mutable_summary()->add_value();
  item.set_tag(watched.tensor.node);
  item.set_node_name(watched.key());
  write_value(value, item.mutable_tensor());
  auto& plugin = *item.mutable_metadata()->mutable_plugin_data();
  plugin.set_plugin_name("debugger");
  plugin.set_content(event_description(watched, 1, 0));
}

std::string run_description(const DebuggedRun& run, const std::string& extra) {
  return str_cat("{\"global_step\":", run.global_step, ",\"session_run_index\":", run.session_run,
                 ",\"executor_step_index\":", run.executor_step,
                 ",\"input_names\":", text_list(run.inputs),
                 ",\"output_names\":", text_list(run.outputs),
                 ",\"target_nodes\":", text_list(run.targets), extra, "}");
}

void dump_tensor(const std::string& directory, const Watched& watched, const Tensor& value) {
  use_allowance(value.has_value() ? static_cast<std::int64_t>(value.byte_size()) : 0,
                watched.tensor.node);
  tensorflow::Event event;
  write_event(watched, value, &event);
  write_event_file(str_cat(join_path(join_path(directory, dump_directory_of(watched.device)),
                                     watched.tensor.node),
                           "_", watched.tensor.slot, "_", watched.debug_op, "_", watched.micros),
                   event);
}

void dump_graph(const std::string& directory, const std::string& device,
                const std::string& graph_def, std::int64_t micros) {
  tensorflow::Event event;
  event.set_wall_time(static_cast<double>(micros));
  event.set_graph_def(graph_def);
  write_event_file(join_path(join_path(directory, dump_directory_of(device)),
                             str_cat("_tfdbg_graph_hash", hash64(graph_def), "_", micros)),
                   event);
}

void dump_run(const std::string& directory, const DebuggedRun& run) {
  std::string index = str_cat(std::abs(run.session_run));
  if (index.size() < 14) index.insert(0, 14 - index.size(), '0');
  if (run.session_run < 0) index.insert(0, 1, '-');
  tensorflow::Event event;
  event.set_wall_time(static_cast<double>(run.micros));
  event.mutable_log_message()->set_message(run_description(run));
  write_event_file(
      join_path(directory, str_cat("_tfdbg_core_metadata_sessionrun", index, "_", run.micros)),
      event);
}

void dump_message(const std::string& directory, const std::string& name,
                  const std::string& message) {
  tensorflow::Event event;
  event.set_wall_time(static_cast<double>(wall_micros()));
  event.mutable_log_message()->set_message(message);
  make_directories(directory);
  write_file(join_path(directory, name), event.SerializeAsString());
}

void reset_disk_usage() { disk_usage() = 0; }

}  // namespace rill
