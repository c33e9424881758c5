#include "rill/api/training/timeline.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "rill/base/json.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/step_stats.pb.h"

namespace rill::train {
namespace {

using tensorflow::NodeExecStats;

constexpr const char* kReceived = "RecvTensor";  // whose label is of another kind

// What "name = Op(input, input)" says behind the name.
struct Label {
  std::string op = "unknown";
  std::vector<std::string> inputs;
};

Label parsed(std::string_view label) {
  for (auto equals = label.rfind(" = "); equals != label.npos && equals + 3 <= label.size();
       equals = equals == 0 ? label.npos : label.rfind(" = ", equals - 1)) {
    const std::string_view call = label.substr(equals + 3);
    const auto close = call.rfind(')');
    const auto open = close == call.npos ? close : call.rfind('(', close);
    if (open == call.npos) continue;
    Label found{std::string(call.substr(0, open)), {}};
    std::string_view inputs = call.substr(open + 1, close - open - 1);
    while (!inputs.empty()) {
      const auto comma = std::min(inputs.find(", "), inputs.size());
      found.inputs.emplace_back(inputs.substr(0, comma));
      inputs.remove_prefix(std::min(comma + 2, inputs.size()));
    }
    return found;
  }
  return {};
}

// An object of JSON, as Python's json prints it with an indent of four.
class JsonObject {
 public:
  explicit JsonObject(int depth) : indent_(static_cast<std::size_t>(depth) * 4, ' ') {}
  JsonObject& text(std::string_view key, std::string_view value) {
    return raw(key, json_quoted(value));
  }
  JsonObject& number(std::string_view key, std::int64_t value) { return raw(key, str_cat(value)); }
  JsonObject& raw(std::string_view key, std::string_view value) {
    lines_ +=
        str_cat(lines_.empty() ? "" : ",", "\n", indent_, "    ", json_quoted(key), ": ", value);
    return *this;
  }
  std::string done() const { return str_cat("{", lines_, "\n", indent_, "}"); }

 private:
  const std::string indent_;
  std::string lines_;
};

constexpr int kEventDepth = 2, kArgsDepth = 3, kSnapshotDepth = 4;

// What a node made, from then to its last use.
struct MadeTensor {
  std::string name, allocator;
  int id = 0, process = 0;  // that shows tensors
  std::int64_t bytes = 0, created = 0, last_use = 0;
  // Where and when it was made, for arrows.
  int maker_process = 0, maker_row = 0;
  std::int64_t made = 0;
};

class Page {
 public:
  Page(const tensorflow::StepStats& stats, const ChromeTraceOptions& options)
      : stats_(stats), options_(options) {
    name_process("Allocators");
    for (const auto& device : stats.dev_stats()) {
      name_process(device.device() + " Compute");
      name_process(device.device() + " Tensors");
      rows_.push_back(rows_of(device));
    }
    for (int i = 0; i < stats.dev_stats_size(); ++i) make_tensors(i);
    for (int i = 0; i < stats.dev_stats_size(); ++i) show_nodes(i);
    if (options.show_memory) show_memory();
  }

  std::string text() const {
    std::string all = "{\n    \"traceEvents\": [";
    const char* between = "\n        ";
    for (const auto* part : {&metadata_, &events_})
      for (const std::string& event : *part) {
        all.append(between).append(event);
        between = ",\n        ";
      }
    return all + "\n    ]\n}";
  }
  std::map<std::string, AllocationMaximum> maximums() const { return maximums_; }

 private:
  static int nodes_process(int device) { return 1 + 2 * device; }
  static int tensors_process(int device) { return 2 + 2 * device; }
  static bool is_stream(const std::string& device) {
    return device.find("/stream:") != device.npos || device.find("/memcpy") != device.npos;
  }

  void name_process(const std::string& name) {
    JsonObject event(kEventDepth);
    event.text("name", "process_name").text("ph", "M");
    event.number("pid", static_cast<std::int64_t>(metadata_.size()));
    event.raw("args", JsonObject(kArgsDepth).text("name", name).done());
    metadata_.push_back(event.done());
  }

  static JsonObject event(const char* phase, const char* category, const std::string& name,
                          int process, int row, std::int64_t time) {
    JsonObject made(kEventDepth);
    made.text("ph", phase).text("cat", category).text("name", name);
    made.number("pid", process).number("tid", row).number("ts", time);
    return made;
  }
  void add(const JsonObject& event) { events_.push_back(event.done()); }

  // Rows in which no two nodes overlap.
  static std::vector<int> rows_of(const tensorflow::DeviceStepStats& device) {
    std::vector<std::int64_t> ends{0};
    std::vector<int> rows;
    for (const NodeExecStats& node : device.node_stats()) {
      auto row = std::ranges::find_if(
          ends, [&](std::int64_t end) { return end < node.all_start_micros(); });
      if (row == ends.end()) row = ends.insert(row, 0);
      *row = node.all_start_micros() + node.all_end_rel_micros();
      rows.push_back(static_cast<int>(row - ends.begin()));
    }
    return rows;
  }

  void make_tensors(int number) {
    const auto& device = stats_.dev_stats(number);
    for (int i = 0; i < device.node_stats_size(); ++i) {
      const NodeExecStats& node = device.node_stats(i);
      const int row = rows_[static_cast<std::size_t>(number)][static_cast<std::size_t>(i)];
      const std::int64_t begin = node.all_start_micros(), end = begin + node.all_end_rel_micros();
      for (int k = 0; k < node.output_size(); ++k) {
        const auto& description = node.output(k).tensor_description();
        const auto& memory = description.allocation_description();
        MadeTensor made{.name = k == 0 ? node.node_name() : str_cat(node.node_name(), ":", k),
                        .allocator = memory.allocator_name(),
                        .id = static_cast<int>(tensors_.size()),
                        .process = tensors_process(number),
                        .bytes = memory.requested_bytes(),
                        .created = begin,
                        .last_use = end,
                        .maker_process = nodes_process(number),
                        .maker_row = row,
                        .made = end};
        if (options_.show_memory) show_life(made, row, end, description);
        const auto [known, is_new] = place_of_.try_emplace(made.name, tensors_.size());
        if (is_new)
          tensors_.push_back(std::move(made));
        else
          tensors_[known->second] = std::move(made);
      }
    }
  }

  void show_life(const MadeTensor& made, int row, std::int64_t end,
                 const tensorflow::TensorDescription& description) {
    add(event("N", "Tensor", made.name, made.process, row, made.created).number("id", made.id));
    std::string text;
    google::protobuf::TextFormat::PrintToString(description, &text);
    std::erase(text, '"');  // as TensorFlow's pages have it
    const std::string shot = JsonObject(kSnapshotDepth).text("tensor_description", text).done();
    add(event("O", "Tensor", made.name, made.process, row, end - 1)
            .number("id", made.id)
            .raw("args", JsonObject(kArgsDepth).raw("snapshot", shot).done()));
  }

  void show_nodes(int number) {
    const auto& device = stats_.dev_stats(number);
    for (int i = 0; i < device.node_stats_size(); ++i)
      show_node(device.node_stats(i), number,
                rows_[static_cast<std::size_t>(number)][static_cast<std::size_t>(i)],
                is_stream(device.device()));
  }

  void show_node(const NodeExecStats& node, int device, int row, bool is_kernel) {
    std::string name = node.node_name();
    Label label;
    if (is_kernel) {  // "name:op" on a stream
      const auto parts = split(node.node_name(), ':');
      name = parts[0];
      if (parts.size() > 1) label.op = parts[1];
    } else if (name == kReceived) {
      label.op = kReceived;
    } else {
      label = parsed(node.timeline_label());
    }
    JsonObject args(kArgsDepth);
    args.text("name", name).text("op", label.op);
    for (std::size_t i = 0; i < label.inputs.size(); ++i)
      args.text(str_cat("input", i), label.inputs[i]);
    add(event("X", "Op", label.op, nodes_process(device), row, node.all_start_micros())
            .number("dur", node.all_end_rel_micros())
            .raw("args", args.done()));
    for (const std::string& input : label.inputs) use(input, node, device, row);
  }

  // What is received from another device is called "node/_1" after who made it.
  std::optional<std::size_t> made_as(std::string& input) const {
    auto found = place_of_.find(input);
    if (const auto end = input.rfind("/_");
        found == place_of_.end() && end != input.npos && end > 0) {
      input.resize(end);
      found = place_of_.find(input);
    }
    return found == place_of_.end() ? std::nullopt : std::optional(found->second);
  }

  void use(std::string input, const NodeExecStats& node, int device, int row) {
    const auto place = made_as(input);
    if (!place) return;
    MadeTensor& tensor = tensors_[*place];
    const std::int64_t begin = node.all_start_micros();
    tensor.last_use = std::max(tensor.last_use, begin + node.all_end_rel_micros() - 1);
    // Arrows within a row would hide what is in it.
    const bool is_near = tensor.maker_process == nodes_process(device) && tensor.maker_row == row;
    if (!options_.show_dataflow || is_near) return;
    add(event("s", "DataFlow", input, tensor.maker_process, tensor.maker_row, tensor.made)
            .number("id", arrows_));
    add(event("t", "DataFlow", input, nodes_process(device), row, begin).number("id", arrows_++));
  }

  void show_memory() {
    struct Change {
      std::int64_t time, bytes;
      std::string name;
      auto operator<=>(const Change&) const = default;
    };
    std::vector<std::pair<std::string, std::vector<Change>>> changes;  // by allocator
    for (const MadeTensor& tensor : tensors_) {
      add(event("D", "Tensor", tensor.name, tensor.process, 0, tensor.last_use)
              .number("id", tensor.id));
      auto own = std::ranges::find(changes, tensor.allocator,
                                   &std::pair<std::string, std::vector<Change>>::first);
      if (own == changes.end()) own = changes.insert(own, {tensor.allocator, {}});
      own->second.push_back({tensor.created, tensor.bytes, tensor.name});
      own->second.push_back({tensor.last_use, -tensor.bytes, tensor.name});
    }
    for (auto& [allocator, all] : changes) {
      std::ranges::sort(all);
      AllocationMaximum& most = maximums_[allocator];
      std::int64_t total = 0;
      std::set<std::string> live;
      for (const Change& change : all) {
        total += change.bytes;
        if (change.bytes < 0)
          live.erase(change.name);
        else
          live.insert(change.name);
        if (total > most.num_bytes) most = {change.time, total, {live.begin(), live.end()}};
        add(event("C", "Memory", allocator, 0, 0, change.time)
                .raw("args", JsonObject(kArgsDepth).number(allocator, total).done()));
      }
    }
  }

  const tensorflow::StepStats& stats_;
  const ChromeTraceOptions options_;
  std::vector<std::string> metadata_, events_;
  std::vector<std::vector<int>> rows_;  // by device, of its nodes
  std::vector<MadeTensor> tensors_;
  std::unordered_map<std::string, std::size_t> place_of_;
  std::map<std::string, AllocationMaximum> maximums_;
  std::int64_t arrows_ = 0;
};

}  // namespace

std::string chrome_trace(const tensorflow::StepStats& stats, const ChromeTraceOptions& options) {
  return Page(stats, options).text();
}

std::map<std::string, AllocationMaximum> allocator_maximums(const tensorflow::StepStats& stats) {
  return Page(stats, {.show_dataflow = false, .show_memory = true}).maximums();
}

}  // namespace rill::train
