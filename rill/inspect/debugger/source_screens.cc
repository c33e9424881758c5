// The screens that show a program's files with what their lines made.
#include <algorithm>
#include <map>
#include <set>
#include <shared_mutex>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/function_ref.h"
#include "rill/inspect/debugger/analyzer.h"
#include "rill/inspect/debugger/name_pattern.h"
#include "rill/inspect/debugger/source_lines.h"

namespace rill::debugger {
namespace {

struct FileCounts {
  int nodes = 0, tensors = 0, dumps = 0;
};

std::set<std::string> files_of(const Node& node) {
  std::set<std::string> files;
  for (const Frame& frame : frames_of(node)) files.insert(frame.file);
  return files;
}

void add_table(const std::map<std::string, FileCounts>& files, RichText* text) {
  const std::string head = "Source file path";
  std::size_t width = head.size() + 1;
  for (const auto& [path, counts] : files) width = std::max(width, path.size() + 1);
  text->add(padded(head, width) + "#(nodes) #(tensors) #(tensor dumps)");
  for (const auto& [path, counts] : files)
    text->add(padded(path, width) + padded(str_cat(counts.nodes), 9) +
                  padded(str_cat(counts.tensors), 11) + str_cat(counts.dumps),
              {.begin = 0, .end = path.size(), .style = "bold", .command = "ps " + path + " -b 1"});
}

void for_each_node(const Graph& graph, FunctionRef<void(const Node&)> call) {
  const std::shared_lock lock(graph.mutex());
  for (int i = 0; i < graph.node_count(); ++i) call(graph.node(i));
}

const Graph& program_graph(const RunFacts& facts) {
  require(facts.graph != nullptr, "The program's graph is not there: source files are known while ",
          "the program runs, not from its dumps alone.");
  return *facts.graph;
}

}  // namespace

RichText Analyzer::list_source(const Arguments& given) const {
  std::map<std::string, int> dumps;
  for (const DumpDatum& datum : dumps_->data()) ++dumps[datum.node];
  std::map<std::string, FileCounts> files;
  for_each_node(program_graph(facts_), [&](const Node& node) {
    if (given.has("node_name_filter") &&
        !NamePattern(given.text("node_name_filter")).matches(node.name()))
      return;
    for (const std::string& file : files_of(node)) {
      if (given.has("path_filter") && !NamePattern(given.text("path_filter")).matches(file))
        continue;
      FileCounts& counts = files[file];
      ++counts.nodes;
      counts.tensors += node.output_count();
      if (const auto it = dumps.find(node.name()); it != dumps.end()) counts.dumps += it->second;
    }
  });
  RichText text({"List of source files that created nodes in this run"});
  if (given.has("path_filter"))
    text.add(str_cat("File path regex filter: \"", given.text("path_filter"), "\""));
  if (given.has("node_name_filter"))
    text.add(str_cat("Node name regex filter: \"", given.text("node_name_filter"), "\""));
  text.add("");
  if (files.empty()) return text.add("[No source file information.]");
  text.add("File(s) outside TensorFlow Python library:");
  add_table(files, &text);
  return text;
}

RichText Analyzer::print_source(const Arguments& given) const {
  const std::string path = given.text("source_file_path");
  const bool tensors = given.has("tensors");
  require(file_exists(path) && !is_directory(path), "There is no source file ", path);
  std::map<int, std::set<std::string>> made;  // by line
  const auto add = [&](const Node& node) {
    for (const Frame& frame : frames_of(node)) {
      if (frame.file != path && !frame.file.ends_with("/" + path)) continue;
      if (!tensors) made[frame.line].insert(node.name());
      for (const std::string& key :
           tensors ? dumps_->watch_keys(node.name()) : std::vector<std::string>())
        made[frame.line].insert(key.substr(0, key.rfind(':')));
      return;  // the innermost line alone
    }
  };
  for_each_node(program_graph(facts_), add);
  const std::string source = read_file(path);
  const std::vector<std::string_view> lines = split(source, '\n');
  const std::size_t width = str_cat("L", lines.size()).size() + 1;
  const auto most = static_cast<std::size_t>(given.number("max_elements_per_line", 10));
  const auto begin = static_cast<std::size_t>(std::max(1LL, given.number("line_begin", 1)));
  RichText text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 == begin) text.first_shown = text.lines.size();
    text.add(padded(str_cat("L", i + 1), width) + std::string(lines[i]));
    const auto it = made.find(static_cast<int>(i + 1));
    if (it == made.end()) continue;
    std::size_t shown = 0;
    for (const std::string& name : it->second) {
      if (shown++ == most) {
        text.add(str_cat("    (... Omitted ", it->second.size() - most, " of ", it->second.size(),
                         tensors ? " tensor(s) ...) +5" : " op(s) ...) +5"));
        break;
      }
      text.add("    " + name, {.begin = 4,
                               .end = 4 + name.size(),
                               .style = "bold",
                               .command = (tensors ? "pt " : "ni -a -d -t ") + name});
    }
  }
  return text;
}

}  // namespace rill::debugger
