// The screens that show nodes and what they read.
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/inspect/debugger/analyzer.h"
#include "rill/inspect/debugger/source_lines.h"

namespace rill::debugger {
namespace {

// What moves values in and out of a step, which no program has written.
bool is_hidden(const std::string& op) {
  static const std::set<std::string> hidden{"_Send", "_Recv", "_HostSend", "_HostRecv", "_Retval"};
  return hidden.contains(op);
}

std::vector<std::string> shown(const DebugGraph& graph, std::vector<std::string> names) {
  std::erase_if(names, [&](const std::string& name) {
    const auto* node = graph.find(NodeOrTensor(name).node);
    return node == nullptr || is_hidden(node->op);
  });
  return names;
}

std::vector<std::string> unique(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  return once;
}

void add_neighbours(const DebugGraph& graph, const std::string& kind,
                    const std::vector<std::string>& names, RichText* text) {
  text->add(str_cat("    ", names.size(), " ", kind, "(s):"));
  for (const std::string& name : names) {
    const auto* node = graph.find(NodeOrTensor(name).node);
    const std::string line = str_cat("      [", node == nullptr ? "" : node->op, "] ", name);
    text->add(line, {.begin = line.size() - name.size(),
                     .end = line.size(),
                     .style = "bold",
                     .command = "ni -a -d -t " + NodeOrTensor(name).node});
  }
}

void add_section(const DebugGraph& graph, const std::string& kind,
                 const std::vector<std::string>& data, const std::vector<std::string>& controls,
                 RichText* text) {
  text->add("").add(
      str_cat("  ", data.size(), " ", kind, "(s) + ", controls.size(), " control ", kind, "(s):"));
  add_neighbours(graph, kind, data, text);
  if (controls.empty()) return;
  text->add("");
  add_neighbours(graph, "control " + kind, controls, text);
}

void add_attributes(const DebugGraph::Node& node, RichText* text) {
  text->add("").add("Node attributes:");
  std::vector<std::string> keys;
  for (const auto& [key, value] : node.attrs) keys.push_back(key);
  std::ranges::sort(keys);
  for (const std::string& key : keys) {
    std::string value;
    google::protobuf::TextFormat::PrintToString(node.attrs.at(key), &value);
    std::ranges::replace(value, '\n', ' ');
    text->add(str_cat("  ", key, ":")).add("    " + std::string(strip(value))).add("");
  }
}

std::string milliseconds_text(double ms) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f ms", ms);
  return text;
}

void add_traceback(const RunFacts& facts, const std::string& name, RichText* text) {
  text->add("").add("").add("Traceback of node construction:");
  const Node* const node = facts.graph == nullptr ? nullptr : facts.graph->find(name);
  if (node == nullptr || node->origin() == nullptr) {
    text->add("(Unavailable because no Python graph has been loaded)");
    return;
  }
  const std::vector<Frame> frames = frames_of(*node);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[frames.size() - 1 - i];  // the outermost first
    text->add(str_cat(i, ": ", frame.file),
              {.begin = 0,
               .end = 0,
               .style = "",
               .command = str_cat("ps ", frame.file, " -b ", frame.line)});
    text->add(str_cat("  Line:     ", frame.line));
    text->add("  Function: " + frame.function);
    text->add("  Text:     " + source_line(frame.file, frame.line));
    text->add("");
  }
}

// A tree of what a node reads, or of who reads it.
class Tree {
 public:
  Tree(const DebugGraph& graph, bool inputs, bool controls, bool ops, int depth)
      : graph_(graph), inputs_(inputs), controls_(controls), ops_(ops), depth_(depth) {}

  RichText text(const std::string& root) {
    grow(root, 1);
    if (text_.lines.empty()) text_.add("  [None]");
    return std::move(text_);
  }

 private:
  struct Branch {
    std::string name;
    bool is_control;
  };

  std::vector<Branch> branches(const std::string& name) const {
    const auto* node = graph_.find(NodeOrTensor(name).node);
    std::vector<Branch> all;
    if (node == nullptr) return all;
    for (const std::string& n : shown(graph_, unique(inputs_ ? node->inputs : node->readers)))
      all.push_back({n, false});
    if (!controls_) return all;
    for (const std::string& n :
         shown(graph_, unique(inputs_ ? node->controls : node->control_readers)))
      all.push_back({n, true});
    return all;
  }

  void grow(const std::string& name, int depth) {
    const std::vector<Branch> all = branches(name);
    for (std::size_t i = 0; i < all.size(); ++i) {
      add_line(all[i], depth);
      const bool is_last = i + 1 == all.size();
      if (branches(all[i].name).empty()) continue;
      open_.push_back(is_last ? "   " : "|  ");
      if (depth >= depth_)
        text_.add(join(open_, "") + "|- ...");
      else if (text_.lines.size() < kLongest)
        grow(all[i].name, depth + 1);
      open_.pop_back();
    }
  }

  void add_line(const Branch& branch, int depth) {
    const auto* node = graph_.find(NodeOrTensor(branch.name).node);
    std::string line = join(open_, "") + str_cat("|- (", depth, ") ");
    if (branch.is_control) line += "(Ctrl) ";
    if (ops_ && node != nullptr) line += str_cat("[", node->op, "] ");
    text_.add(line + branch.name, {.begin = line.size(),
                                   .end = line.size() + branch.name.size(),
                                   .style = "bold",
                                   .command = "ni -a -d -t " + NodeOrTensor(branch.name).node});
  }

  static constexpr std::size_t kLongest = 100'000;  // lines: paths through a graph are many

  const DebugGraph& graph_;
  const bool inputs_, controls_, ops_;
  const int depth_;
  std::vector<std::string> open_;
  RichText text_;
};

}  // namespace

RichText Analyzer::node_info(const Arguments& given) const {
  const NodeOrTensor wanted(given.text("node_name"));
  if (!dumps_->has_node(wanted.node))
    return error_text(
        str_cat("There is no node named \"", wanted.node, "\" in the partition graphs"));
  const DebugGraph& graph = dumps_->graph_of(wanted.node);
  const DebugGraph::Node& node = *graph.find(wanted.node);
  RichText text({"Node " + wanted.node, "", "  Op: " + node.op, "  Device: " + graph.device()});
  add_section(graph, "input", shown(graph, node.inputs), shown(graph, node.controls), &text);
  add_section(graph, "recipient", shown(graph, unique(node.readers)),
              shown(graph, unique(node.control_readers)), &text);
  if (given.has("attributes")) add_attributes(node, &text);
  if (given.has("dumps")) {
    std::vector<std::string> lines;
    for (const std::string& key : dumps_->watch_keys(wanted.node))
      for (const DumpDatum* dump : dumps_->dumps_of(key))
        lines.push_back(str_cat("  Slot ", dump->slot, " @ ", dump->op, " @ ",
                                milliseconds_text(milliseconds(*dump))));
    if (!given.has("attributes")) text.add("");
    text.add(str_cat(lines.size(), " dumped tensor(s):")).add("");
    for (const std::string& line : lines) text.add(line);
  }
  if (given.has("traceback")) add_traceback(facts_, wanted.node, &text);
  return text;
}

RichText Analyzer::list_relatives(const Arguments& given, bool inputs) const {
  const std::string name = NodeOrTensor(given.text("node_name")).node;
  if (!dumps_->has_node(name))
    return error_text(str_cat("There is no node named \"", name, "\" in the partition graphs"));
  const bool controls = given.has("control"), ops = given.has("op_type");
  const int depth = given.has("recursive")
                        ? static_cast<int>(given.number("depth", config_->graph_recursion_depth))
                        : 1;
  RichText text({str_cat(inputs ? "Inputs to node \"" : "Recipients of node \"", name,
                         "\" (Depth limit = ", depth,
                         !controls ? ""
                         : inputs  ? ", control inputs included"
                                   : ", control recipients included",
                         "):")});
  text.add(Tree(dumps_->graph_of(name), inputs, controls, ops, depth).text(name));
  text.add("").add("Legend:").add("  (d): recursion depth = d.");
  if (controls) text.add("  (Ctrl): Control input.");
  if (ops) text.add("  [Op]: Input node has op type Op.");
  return text;
}

}  // namespace rill::debugger
