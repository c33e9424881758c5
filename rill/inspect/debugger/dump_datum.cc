#include "rill/inspect/debugger/dump_datum.h"

#include <google/protobuf/text_format.h>

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/runtime/compile/bad_values.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::debugger {
namespace {

constexpr std::string_view kDevicePrefix = "_tfdbg_device_";

bool is_empty(const tensorflow::TensorProto& proto) {
  return std::ranges::any_of(proto.tensor_shape().dim(),
                             [](const auto& dim) { return dim.size() == 0; });
}

bool has_elements(const tensorflow::TensorProto& proto) {
  return !proto.tensor_content().empty() || proto.string_val_size() > 0 ||
         proto.resource_handle_val_size() > 0;
}

bool is_written_only(const tensorflow::TensorProto& proto) {
  return proto.dtype() == tensorflow::DT_RESOURCE || proto.dtype() == tensorflow::DT_VARIANT;
}

std::string words(const tensorflow::TensorProto& proto) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(proto, &text);
  return text;
}

}  // namespace

tensorflow::Event read_event(const std::string& path) {
  tensorflow::Event event;
  if (!event.ParseFromString(read_file(path)))
    raise(Code::kDataLoss, path, " holds no event of a debugger");
  return event;
}

tensorflow::GraphDef read_graph(const std::string& path) {
  tensorflow::GraphDef graph;
  if (!graph.ParseFromString(read_event(path).graph_def()))
    raise(Code::kDataLoss, path, " holds no graph");
  return graph;
}

DumpedValue value_of(const tensorflow::Event& event) {
  if (event.summary().value_size() == 0) raise(Code::kDataLoss, "the event has no tensor");
  const tensorflow::TensorProto& proto = event.summary().value(0).tensor();
  DumpedValue value;
  if (is_written_only(proto) || (!has_elements(proto) && !is_empty(proto))) {
    value.is_initialized = is_written_only(proto) && has_elements(proto);
    value.proto_text = words(proto);
  } else {
    value.tensor = from_proto(proto);
  }
  return value;
}

std::string device_of_directory(const std::string& directory) {
  require(directory.starts_with(kDevicePrefix), "\"", directory, "\" is no directory of a device");
  std::vector<std::string> parts;
  const std::string_view name = std::string_view(directory).substr(kDevicePrefix.size());
  for (const std::string_view piece : split(name, ',')) {
    std::string part(piece);
    if (part.starts_with("device_")) part[6] = ':';
    if (const auto first = part.find('_'); first != std::string::npos) part[first] = ':';
    parts.push_back(std::move(part));
  }
  return join(parts, "/");
}

DumpDatum::DumpDatum(const std::string& root, const std::string& relative_path)
    : file_path(join_path(root, relative_path)) {
  const auto first = relative_path.find('/'), last = relative_path.rfind('/');
  require(first != std::string::npos, "the dump ", relative_path, " is in no device's directory");
  device = device_of_directory(relative_path.substr(0, first));
  std::string base = relative_path.substr(last + 1);
  const auto take = [&] {
    const auto at = base.rfind('_');
    require(at != std::string::npos && at > 0, "\"", relative_path,
            "\" does not conform to the naming pattern of dumps");
    std::string piece = base.substr(at + 1);
    base.resize(at);
    return piece;
  };
  extended_timestamp = take();
  op = take();
  long long number = 0, micros = 0;
  require(parse_int(take(), &number) &&
              parse_int(extended_timestamp.substr(0, extended_timestamp.find('-')), &micros),
          "\"", relative_path, "\" does not conform to the naming pattern of dumps");
  slot = static_cast<int>(number);
  timestamp = micros;
  node = last > first ? relative_path.substr(first + 1, last - first) + base : base;
  file_size = static_cast<std::int64_t>(file_system_of(file_path).facts(file_path).size);
}

DumpedValue DumpDatum::read() const { return value_of(read_event(file_path)); }

std::string to_text(const DumpDatum& datum) {
  return str_cat("{DebugTensorDatum (", datum.device, ") ", datum.tensor_name(), " @ ", datum.op,
                 " @ ", datum.timestamp, "}");
}

bool has_inf_or_nan(const DumpDatum&, const DumpedValue& value) {
  return value.has_value() && finiteness(value.tensor) != Finiteness::finite;
}

}  // namespace rill::debugger
