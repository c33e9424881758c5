#include "rill/ops/debug/dump.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <limits>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

constexpr std::int64_t kDefaultAllowance = std::int64_t{100} << 30;

void use_allowance(std::int64_t bytes, const std::string& tensor) {
  static std::atomic<std::int64_t> used = 0;
  static const std::int64_t limit = [] {
    const char* const text = std::getenv("TFDBG_DISK_BYTES_LIMIT");
    const long long given = text == nullptr ? 0 : std::atoll(text);
    return given > 0 ? given : kDefaultAllowance;
  }();
  if (bytes == 0) return;
  if (used.fetch_add(bytes) + bytes < limit) return;
  used -= bytes;
  raise(Code::kResourceExhausted, "TFDBG has exhausted file-system byte-size allowance (", limit,
        "), therefore it cannot dump an additional ", bytes, " byte(s) of tensor data for ", tensor,
        ". You may use the environment variable TFDBG_DISK_BYTES_LIMIT to set a higher limit.");
}

std::string directory_of(const std::string& device) {
  std::string name = device;
  std::ranges::replace(name, ':', '_');
  std::ranges::replace(name, '/', ',');
  return "_tfdbg_device_" + name;
}

std::string event_bytes(const Watched& watched, const Tensor& value) {
  tensorflow::Event event;
  event.set_wall_time(static_cast<double>(watched.micros));
  auto& item = *event.mutable_summary()->add_value();
  item.set_tag(watched.tensor.node);
  item.set_node_name(str_cat(watched.tensor.node, ":", watched.tensor.slot, ":", watched.debug_op));
  if (value.has_value()) to_proto(value, item.mutable_tensor());
  auto& plugin = *item.mutable_metadata()->mutable_plugin_data();
  plugin.set_plugin_name("debugger");
  plugin.set_content(str_cat("{\"device\":\"", watched.device, "\",\"outputSlot\":",
                             watched.tensor.slot, ",\"numChunks\":1,\"chunkIndex\":0}"));
  return event.SerializeAsString();
}

// "path", or "path-1", "path-2", ... when there are dumps of that moment already.
std::string unused_path(const std::string& path) {
  std::string candidate = path;
  for (int i = 1; file_exists(candidate); ++i) candidate = str_cat(path, "-", i);
  return candidate;
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

void dump_tensor(const std::string& url, const Watched& watched, const Tensor& value) {
  constexpr std::string_view kScheme = "file://";
  const bool is_file = url.size() > kScheme.size() &&
                       std::ranges::equal(std::string_view(url).substr(0, kScheme.size()), kScheme,
                                          [](char a, char b) { return std::tolower(a) == b; });
  require(is_file, "the debug URL '", url, "' is not one of a directory, file://...");
  use_allowance(value.has_value() ? static_cast<std::int64_t>(value.byte_size()) : 0,
                watched.tensor.node);
  const std::string path =
      str_cat(join_path(join_path(url.substr(kScheme.size()), directory_of(watched.device)),
                        watched.tensor.node),
              "_", watched.tensor.slot, "_", watched.debug_op, "_", watched.micros);
  make_directories(parent_path(path));
  write_file(unused_path(path), event_bytes(watched, value));
}

}  // namespace rill
