#include <algorithm>
#include <map>
#include <unordered_set>

#include "rill/api/describe/describe.h"
#include "rill/base/text.h"

namespace rill::describe {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

std::string node_of(std::string_view input) {
  if (input.starts_with('^')) input.remove_prefix(1);
  return std::string(input.substr(0, input.find(':')));
}

std::string dtype_of(const NodeDef& node) {
  for (const char* name : {"dtype", "T"})
    if (const auto found = node.attr().find(name); found != node.attr().end())
      return tensorflow::DataType_Name(found->second.type());
  return "";
}

std::string shape_of(const NodeDef& node) {
  const auto found = node.attr().find("shape");
  if (found == node.attr().end() || found->second.shape().unknown_rank()) return "";
  std::vector<std::string> sizes;
  for (const auto& dim : found->second.shape().dim())
    sizes.push_back(dim.size() < 0 ? "?" : str_cat(dim.size()));
  return " [" + join(sizes, ", ") + "]";
}

// The lines, of which only the first so many are shown.
void add_list(std::string& text, const char* title, const std::vector<std::string>& lines,
              const Options& options) {
  if (lines.empty()) return;
  text += str_cat(title, " (", lines.size(), "):\n");
  const std::size_t shown =
      options.all ? lines.size()
                  : std::min(lines.size(),
                             static_cast<std::size_t>(std::max<std::int64_t>(options.most, 0)));
  for (std::size_t i = 0; i < shown; ++i) text += str_cat("  ", lines[i], "\n");
  if (shown < lines.size()) text += str_cat("  and ", lines.size() - shown, " more\n");
}

}  // namespace

std::string graph(const GraphDef& graph, const Options& options) {
  std::map<std::string, int> ops;
  std::unordered_set<std::string> read;
  std::vector<std::string> inputs, variables, outputs;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input()) read.insert(node_of(input));
  for (const NodeDef& node : graph.node()) {
    ++ops[node.op()];
    const std::string line = str_cat(node.name(), "  ", dtype_of(node), shape_of(node));
    if (node.op() == "Placeholder" || node.op() == "PlaceholderWithDefault")
      inputs.push_back(line);
    else if (node.op().starts_with("Variable") || node.op() == "VarHandleOp")
      variables.push_back(line);
    else if (!read.contains(node.name()))
      outputs.push_back(str_cat(node.name(), "  ", node.op()));
  }
  std::vector<std::pair<int, std::string>> counts;
  for (const auto& [op, count] : ops) counts.emplace_back(-count, op);
  std::sort(counts.begin(), counts.end());
  std::vector<std::string> lines;
  for (const auto& [count, op] : counts) lines.push_back(str_cat(-count, "  ", op));
  std::string text = str_cat("A graph of ", graph.node_size(), " nodes, ",
                             graph.library().function_size(), " functions, ", graph.ByteSizeLong(),
                             " bytes; producer ", graph.versions().producer(), "\n");
  add_list(text, "Inputs", inputs, options);
  add_list(text, "Variables", variables, options);
  add_list(text, "What nothing reads", outputs, options);
  add_list(text, "Ops", lines, options);
  return text;
}

}  // namespace rill::describe
