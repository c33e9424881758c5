#include "rill/api/training/timeline.h"

#include <algorithm>
#include <map>
#include <vector>

#include "rill/base/json.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/step_stats.pb.h"

namespace rill::train {
namespace {

using tensorflow::NodeExecStats;

// "name = Op(input, input)" taken apart.
struct Label {
  std::string name, op;
  std::vector<std::string> inputs;
};

Label parsed(std::string_view label) {
  const auto equals = label.find(" = ");
  const auto open = equals == label.npos ? label.npos : label.find('(', equals);
  if (open == label.npos || !label.ends_with(')')) {
    const auto colon = label.find(':');
    return {
        std::string(label), std::string(colon == label.npos ? label : label.substr(colon + 1)), {}};
  }
  Label parts{std::string(label.substr(0, equals)),
              std::string(label.substr(equals + 3, open - equals - 3)),
              {}};
  for (std::string_view input : split(label.substr(open + 1, label.size() - open - 2), ','))
    if (!strip(input).empty()) parts.inputs.emplace_back(strip(input));
  return parts;
}

// Where and when a node ran, as the page shows it.
struct Region {
  Label label;
  std::string name;
  int process = 0, row = 0;
  std::int64_t begin = 0, end = 0;
  std::vector<std::int64_t> output_bytes;
  std::string allocator;
};

class Page {
 public:
  Page(const tensorflow::StepStats& stats) {
    for (int device = 0; device < stats.dev_stats_size(); ++device) {
      name_process(device, stats.dev_stats(device).device() + " Compute");
      place(device, stats.dev_stats(device));
    }
    memory_process_ = stats.dev_stats_size();
    for (const Region& region : regions_) made_by_.emplace(region.name, &region);
  }

  std::string text(const ChromeTraceOptions& options) {
    for (const Region& region : regions_) show(region);
    if (options.show_dataflow) show_arrows();
    if (options.show_memory) show_memory();
    return str_cat("{\n    \"traceEvents\": [\n", join(events_, ",\n"), "\n    ]\n}");
  }

  std::map<std::string, AllocationMaximum> maximums() const {
    const std::map<const Region*, std::int64_t> freed = ends_of_life();
    std::map<std::string, AllocationMaximum> found;
    for (const auto& [allocator, by_time] : memory_changes(freed)) {
      AllocationMaximum& largest = found[allocator];
      std::int64_t total = 0;
      for (const auto& [time, change] : by_time) {
        total += change;
        if (total > largest.num_bytes) largest = {time, total};
      }
      for (const auto& [region, end] : freed)
        if (region->allocator == allocator && region->begin <= largest.timestamp &&
            largest.timestamp < end)
          largest.tensors.push_back(region->name);
    }
    return found;
  }

 private:
  template <class... Part>
  void add(const Part&... part) {
    events_.push_back(str_cat("        {", part..., "}"));
  }
  void name_process(int process, const std::string& name) {
    add(R"("name": "process_name", "ph": "M", "pid": )", process, R"(, "args": {"name": )",
        json_quoted(name), "}");
  }

  // Rows in which no two nodes overlap.
  void place(int device, const tensorflow::DeviceStepStats& stats) {
    std::vector<const NodeExecStats*> nodes;
    for (const NodeExecStats& node : stats.node_stats()) nodes.push_back(&node);
    std::ranges::stable_sort(nodes, {}, &NodeExecStats::all_start_micros);
    std::vector<std::int64_t> free_from;
    for (const NodeExecStats* node : nodes) {
      Region region;
      region.begin = node->all_start_micros();
      region.end = region.begin + std::max<std::int64_t>(node->all_end_rel_micros(), 1);
      auto row = std::ranges::find_if(free_from, [&](auto end) { return end <= region.begin; });
      if (row == free_from.end()) row = free_from.insert(row, 0);
      *row = region.end;
      region.process = device;
      region.row = static_cast<int>(row - free_from.begin());
      region.label =
          parsed(node->timeline_label().empty() ? node->node_name() : node->timeline_label());
      region.name = node->node_name().empty() ? region.label.name : node->node_name();
      for (const auto& output : node->output()) {
        const auto& memory = output.tensor_description().allocation_description();
        region.output_bytes.push_back(memory.requested_bytes());
        region.allocator = memory.allocator_name();
      }
      regions_.push_back(std::move(region));
    }
  }

  void show(const Region& region) {
    std::string args = str_cat(R"("name": )", json_quoted(region.name), R"(, "op": )",
                               json_quoted(region.label.op));
    for (std::size_t i = 0; i < region.label.inputs.size(); ++i)
      args += str_cat(", \"input", i, "\": ", json_quoted(region.label.inputs[i]));
    add(R"("ph": "X", "cat": "Op", "name": )", json_quoted(region.label.op), R"(, "pid": )",
        region.process, R"(, "tid": )", region.row, R"(, "ts": )", region.begin, R"(, "dur": )",
        region.end - region.begin, R"(, "args": {)", args, "}");
  }

  // The node that an input of another comes from; null for what was not recorded.
  const Region* maker(std::string_view input) const {
    if (input.starts_with('^')) input.remove_prefix(1);
    auto found = made_by_.find(std::string(input.substr(0, input.find(':'))));
    // What brings a value from another device is called "node/_1" after who made it.
    if (found == made_by_.end() && input.rfind("/_") != input.npos)
      found = made_by_.find(std::string(input.substr(0, input.rfind("/_"))));
    return found == made_by_.end() ? nullptr : found->second;
  }

  void show_arrows() {
    int number = 0;
    const auto end_of_arrow = [&](const char* phase, const std::string& name, const Region& at,
                                  std::int64_t time) {
      add(R"("ph": ")", phase, R"(", "cat": "DataFlow", "name": )", json_quoted(name),
          R"(, "id": )", number, R"(, "pid": )", at.process, R"(, "tid": )", at.row, R"(, "ts": )",
          time);
    };
    for (const Region& reader : regions_) {
      for (const std::string& input : reader.label.inputs) {
        if (const Region* const from = maker(input)) {
          end_of_arrow("s", from->name, *from, from->end);
          end_of_arrow("t", from->name, reader, reader.begin);
        }
        ++number;
      }
    }
  }

  // What is computed lives until its last reader ends.
  std::map<const Region*, std::int64_t> ends_of_life() const {
    std::map<const Region*, std::int64_t> freed;
    for (const Region& region : regions_) {
      if (!region.output_bytes.empty()) freed.emplace(&region, region.end);
      for (const std::string& input : region.label.inputs)
        if (const Region* const from = maker(input)) {
          std::int64_t& last = freed.emplace(from, from->end).first->second;
          last = std::max(last, region.end);
        }
    }
    return freed;
  }

  static std::int64_t bytes_of(const Region& region) {
    std::int64_t bytes = 0;
    for (const std::int64_t size : region.output_bytes) bytes += size;
    return bytes;
  }

  // How the bytes of all that live change: by allocator and time.
  using Changes = std::map<std::string, std::map<std::int64_t, std::int64_t>>;
  Changes memory_changes(const std::map<const Region*, std::int64_t>& freed) const {
    Changes changes;
    for (const auto& [region, end] : freed) {
      changes[region->allocator][region->begin] += bytes_of(*region);
      changes[region->allocator][end] -= bytes_of(*region);
    }
    return changes;
  }

  void show_memory() {
    const std::map<const Region*, std::int64_t> freed = ends_of_life();
    int object = 0;
    for (const auto& [region, end] : freed) {
      for (const auto& [phase, time] : {std::pair("N", region->begin), std::pair("D", end)})
        add(R"("ph": ")", phase, R"(", "cat": "Tensor", "name": )", json_quoted(region->name),
            R"(, "id": )", object, R"(, "pid": )", memory_process_, R"(, "tid": 0, "ts": )", time);
      ++object;
    }
    name_process(memory_process_, "Allocators");
    for (const auto& [allocator, by_time] : memory_changes(freed)) {
      std::int64_t total = 0;
      for (const auto& [time, change] : by_time) {
        total += change;
        add(R"("ph": "C", "cat": "Memory", "name": )", json_quoted(allocator), R"(, "pid": )",
            memory_process_, R"(, "ts": )", time, R"(, "args": {)", json_quoted(allocator), ": ",
            total, "}");
      }
    }
  }

  std::vector<std::string> events_;
  std::vector<Region> regions_;
  std::map<std::string, const Region*> made_by_;
  int memory_process_ = 0;
};

}  // namespace

std::string chrome_trace(const tensorflow::StepStats& stats, const ChromeTraceOptions& options) {
  return Page(stats).text(options);
}

std::map<std::string, AllocationMaximum> allocator_maximums(const tensorflow::StepStats& stats) {
  return Page(stats).maximums();
}

}  // namespace rill::train
