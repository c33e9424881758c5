#include "rill/inspect/debugger/dump_dir.h"

#include <re2/re2.h>

#include <algorithm>
#include <deque>
#include <set>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/causality.h"
#include "rill/inspect/debugger/name_pattern.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::debugger {
namespace {

constexpr std::string_view kDevice = "_tfdbg_device_", kGraph = "_tfdbg_graph_",
                           kMetadata = "_tfdbg_core_metadata_";

std::vector<std::string> names_in(const std::string& directory) {
  return file_system_of(directory).list(directory);
}

// All files below `directory`, as paths relative to `root`.
void add_files(const std::string& root, const std::string& directory,
               std::vector<std::string>* files) {
  for (const std::string& name : names_in(join_path(root, directory))) {
    const std::string path = join_path(directory, name);
    if (is_directory(join_path(root, path)))
      add_files(root, path, files);
    else
      files->push_back(path);
  }
}

std::int64_t number_in(const std::string& json, const char* key) {
  std::int64_t number = 0;
  re2::RE2::PartialMatch(json, str_cat("\"", key, "\":\\s*(-?\\d+)"), &number);
  return number;
}

std::vector<std::string> texts_in(const std::string& json, const char* key) {
  std::vector<std::string> texts;
  std::string list, text;
  if (!re2::RE2::PartialMatch(json, str_cat("\"", key, "\":\\s*\\[([^\\]]*)\\]"), &list))
    return texts;
  re2::StringPiece rest(list);
  while (re2::RE2::FindAndConsume(&rest, "\"([^\"]*)\"", &text)) texts.push_back(text);
  return texts;
}

CoreMetadata metadata_of(const std::string& json) {
  return {.global_step = number_in(json, "global_step"),
          .session_run_index = number_in(json, "session_run_index"),
          .executor_step_index = number_in(json, "executor_step_index"),
          .input_names = texts_in(json, "input_names"),
          .output_names = texts_in(json, "output_names"),
          .target_nodes = texts_in(json, "target_nodes")};
}

}  // namespace

DumpDir::DumpDir(const std::string& root, std::vector<tensorflow::GraphDef> graphs, bool validate)
    : root_(root) {
  if (!is_directory(root)) raise(Code::kNotFound, "Dump root directory ", root, " does not exist");
  load_metadata();
  load_tensors();
  load_graphs(std::move(graphs));
  if (!validate || graphs_.empty()) return;
  for (const auto& graph : graphs_) check_causality(*graph);
}

void DumpDir::load_metadata() {
  for (const std::string& name : names_in(root_)) {
    const std::string path = join_path(root_, name);
    if (name.starts_with(kDevice) && is_directory(path)) device_directories_.push_back(name);
    const auto message = [&] { return read_event(path).log_message().message(); };
    if (name.starts_with(kMetadata)) core_metadata_.push_back(metadata_of(message()));
    if (name.starts_with("_tfdbg_fetches_info_")) fetches_.push_back(message());
    if (name.starts_with("_tfdbg_feed_keys_info_")) feed_keys_.push_back(message());
  }
}

void DumpDir::load_tensors() {
  for (const std::string& device : device_directories_) {
    std::vector<std::string> files;
    add_files(root_, device, &files);
    const auto begin = static_cast<std::ptrdiff_t>(data_.size());
    for (const std::string& file : files)
      if (!base_name(file).starts_with(kGraph)) data_.emplace_back(root_, file);
    std::stable_sort(data_.begin() + begin, data_.end(), [](const auto& a, const auto& b) {
      return a.extended_timestamp < b.extended_timestamp;
    });
  }
  std::ranges::stable_sort(data_, {}, &DumpDatum::timestamp);
  t0_ = data_.empty() ? 0 : data_.front().timestamp;
}

void DumpDir::load_graphs(std::vector<tensorflow::GraphDef> graphs) {
  std::vector<tensorflow::GraphDef> found;
  for (const std::string& device : device_directories_) {
    std::string latest;  // a directory that was dumped to again and again has several
    for (const std::string& name : names_in(join_path(root_, device)))
      if (name.starts_with(kGraph)) latest = name;
    if (!latest.empty())
      graphs_.push_back(std::make_shared<DebugGraph>(
          read_graph(join_path(join_path(root_, device), latest)), device_of_directory(device)));
  }
  for (const tensorflow::GraphDef& graph : graphs) {
    if (graph.node_size() == 0) continue;
    const std::string& device = graph.node(0).device();
    if (std::ranges::none_of(graphs_, [&](const auto& g) { return g->device() == device; }))
      graphs_.push_back(std::make_shared<DebugGraph>(graph, device));
  }
}

std::vector<std::string> DumpDir::devices() const {
  std::vector<std::string> names;
  for (const std::string& directory : device_directories_)
    names.push_back(device_of_directory(directory));
  for (const auto& graph : graphs_)
    if (std::ranges::find(names, graph->device()) == names.end()) names.push_back(graph->device());
  return names;
}

bool DumpDir::has_node(const std::string& name, const std::string& device) const {
  return std::ranges::any_of(graphs_, [&](const auto& graph) {
    return (device.empty() || graph->device() == device) && graph->find(name) != nullptr;
  });
}

const DebugGraph& DumpDir::graph_of(const std::string& node, const std::string& device) const {
  const DebugGraph* found = nullptr;
  int count = 0;
  for (const auto& graph : graphs_) {
    if (graph->find(node) == nullptr || (!device.empty() && graph->device() != device)) continue;
    found = graph.get();
    ++count;
  }
  require(count > 0, "None of the ", devices().size(), " device(s) has a node named '", node, "'.");
  require(count == 1, "There are multiple (", count, ") devices with nodes named '", node,
          "' but device_name is not specified.");
  return *found;
}

const DebugGraph::Node& DumpDir::node(const std::string& name, const std::string& device) const {
  return *graph_of(name, device).find(name);
}

std::vector<std::string> DumpDir::transitive_inputs(const std::string& node, bool controls,
                                                    const std::string& device) const {
  const DebugGraph& graph = graph_of(node, device);
  std::vector<std::string> found, waiting{node};
  std::set<std::string> seen{node};
  while (!waiting.empty()) {
    const std::string next = waiting.back();
    waiting.pop_back();
    const DebugGraph::Node* here = graph.find(next);
    if (next != node) found.push_back(next);
    if (here == nullptr) continue;
    std::vector<std::string> inputs = here->inputs;
    if (controls) inputs.insert(inputs.end(), here->controls.begin(), here->controls.end());
    for (const std::string& input : inputs)
      if (const std::string name = NodeOrTensor(input).node; seen.insert(name).second)
        waiting.push_back(name);
  }
  return found;
}

std::optional<std::vector<std::string>> DumpDir::find_path(const std::string& from,
                                                           const std::string& to,
                                                           bool controls) const {
  const DebugGraph& graph = graph_of(from);
  std::map<std::string, std::string> before{{from, ""}};
  std::deque<std::string> waiting{from};
  while (!waiting.empty()) {
    const std::string next = waiting.front();
    waiting.pop_front();
    if (next == to) break;
    const DebugGraph::Node* here = graph.find(next);
    if (here == nullptr) continue;
    std::vector<std::string> readers = here->readers;
    if (controls)
      readers.insert(readers.end(), here->control_readers.begin(), here->control_readers.end());
    for (const std::string& reader : readers)
      if (before.emplace(reader, next).second) waiting.push_back(reader);
  }
  if (!before.contains(to)) return {};
  std::vector<std::string> path;
  for (std::string at = to; !at.empty(); at = before[at]) path.push_back(at);
  std::ranges::reverse(path);
  return path;
}

std::vector<std::string> DumpDir::watch_keys(const std::string& node,
                                             const std::string& device) const {
  std::vector<std::string> keys;
  for (const DumpDatum& datum : data_) {
    if ((!node.empty() && datum.node != node) || (!device.empty() && datum.device != device))
      continue;
    if (std::ranges::find(keys, datum.watch_key()) == keys.end()) keys.push_back(datum.watch_key());
  }
  return keys;
}

std::vector<const DumpDatum*> DumpDir::dumps_of(const std::string& watch_key,
                                                const std::string& device) const {
  std::vector<const DumpDatum*> dumps;
  for (const DumpDatum& datum : data_)
    if (datum.watch_key() == watch_key && (device.empty() || datum.device == device))
      dumps.push_back(&datum);
  return dumps;
}

std::vector<const DumpDatum*> DumpDir::find(const TensorFilter& filter, int first_n,
                                            const std::string& device,
                                            const std::string& exclude) const {
  const NamePattern left_out(exclude);
  std::vector<const DumpDatum*> found;
  for (const DumpDatum& datum : data_) {
    if (!device.empty() && datum.device != device) continue;
    if (left_out.is_given() && left_out.matches(datum.node)) continue;
    if (!filter(datum, datum.read())) continue;
    found.push_back(&datum);
    if (first_n > 0 && static_cast<int>(found.size()) >= first_n) break;
  }
  return found;
}

void DumpDir::check_causality(const DebugGraph& graph) const {
  std::vector<const DumpDatum*> dumps;
  for (const DumpDatum& datum : data_)
    if (datum.device == graph.device()) dumps.push_back(&datum);
  check_order(graph, dumps);
}

}  // namespace rill::debugger
