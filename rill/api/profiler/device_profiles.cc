#include "rill/api/profiler/device_profiles.h"

#include <algorithm>
#include <ctime>

#include "rill/base/clock.h"
#include "rill/base/files.h"
#include "rill/inspect/profiler/pprof_writer.h"

namespace rill::profiler {
namespace {

// "Add" of "y = Add(x, c)".
std::string op_of_label(const std::string& label) {
  const auto equals = label.find(" = ");
  const auto open = equals == label.npos ? equals : label.find('(', equals);
  return open == label.npos ? "" : label.substr(equals + 3, open - equals - 3);
}

void add_node(const tensorflow::NodeExecStats& stats, const Graph& graph, PprofWriter& writer) {
  constexpr std::int64_t kNanos = 1000;  // of a microsecond, for statistics without them
  auto& sample = writer.add_sample();
  const Node* const node = graph.find(stats.node_name());
  if (node != nullptr && node->origin() != nullptr)
    for (const auto& frame : node->origin()->frames)
      sample.add_location_id(writer.location(frame.file, frame.line, frame.function));
  const std::int64_t op_nanos = stats.op_end_rel_nanos() - stats.op_start_rel_nanos();
  const std::int64_t op_micros = stats.op_end_rel_micros() - stats.op_start_rel_micros();
  sample.add_value(1);
  sample.add_value(std::max(stats.all_end_rel_nanos(), stats.all_end_rel_micros() * kNanos));
  sample.add_value(stats.op_end_rel_nanos() > 0 ? op_nanos : op_micros * kNanos);
  writer.add_label(sample, "node_name", stats.node_name());
  writer.add_label(
      sample, "op_type",
      node != nullptr ? std::string(node->op().name) : op_of_label(stats.timeline_label()));
}

std::string file_name_of(std::string device) {
  while (device.starts_with('/')) device.erase(0, 1);
  while (device.ends_with('/')) device.pop_back();
  for (char& c : device)
    if (c == '/' || c == ':') c = '_';
  const std::time_t now = wall_micros() / 1'000'000;
  std::tm local{};
  ::localtime_r(&now, &local);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y%m%d%H%M%S", &local);
  return str_cat(device, "_", std::string_view(text, size), ".pb.gz");
}

std::map<std::string, PprofWriter> writers(const Graph& graph,
                                           const tensorflow::RunMetadata& metadata) {
  std::map<std::string, PprofWriter> made;
  const auto& devices = metadata.step_stats().dev_stats();
  int number = 0;
  for (const auto& device : devices) {
    PprofWriter& writer = made[device.device()];
    writer.add_type("count", "count");
    writer.add_type("all_time", "nanoseconds");
    writer.add_type("op_time", "nanoseconds");
    writer.add_comment(str_cat("Device ", ++number, " of ", devices.size(), ": ", device.device()));
    for (const auto& stats : device.node_stats()) add_node(stats, graph, writer);
  }
  return made;
}

}  // namespace

std::map<std::string, tensorflow::tfprof::pprof::Profile> device_profiles(
    const Graph& graph, const tensorflow::RunMetadata& metadata) {
  std::map<std::string, tensorflow::tfprof::pprof::Profile> profiles;
  for (const auto& [device, writer] : writers(graph, metadata)) profiles[device] = writer.profile();
  return profiles;
}

std::vector<std::string> write_device_profiles(const Graph& graph,
                                               const tensorflow::RunMetadata& metadata,
                                               const std::string& directory) {
  make_directories(directory);
  std::vector<std::string> paths;
  for (const auto& [device, writer] : writers(graph, metadata)) {
    paths.push_back(join_path(directory, file_name_of(device)));
    writer.write(paths.back());
  }
  return paths;
}

}  // namespace rill::profiler
