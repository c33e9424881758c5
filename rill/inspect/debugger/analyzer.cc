#include "rill/inspect/debugger/analyzer.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill::debugger {
namespace {

using Kind = ArgumentParser::Kind;

ArgumentParser tensor_parser(const char* description, const char* name_help) {
  return ArgumentParser(description)
      .argument("tensor_name", name_help)
      .option("-n", "number", Kind::number,
              "Which dump of a tensor that was dumped several times, counted from 0.")
      .option("-r", "ranges", Kind::text,
              "Highlight the elements in these ranges: -r [-0.1,0.1], or -r "
              "\"[[-inf, -0.1], [0.1, inf]]\".")
      .option("-a", "all", Kind::flag, "Print every element, however many there are.")
      .option("-s", "numeric_summary", Kind::flag,
              "Say first what kinds of numbers there are, the least, the greatest, mean and "
              "deviation.")
      .option("-w", "write_path", Kind::text,
              "Also write the tensor to this file, as numpy.save does.");
}

ArgumentParser relatives_parser(const char* description) {
  return ArgumentParser(description)
      .argument("node_name", "A node, or one of its outputs: hidden1/MatMul, hidden1/MatMul:0.")
      .option("-c", "control", Kind::flag, "With what is connected by control edges.")
      .option("-d", "depth", Kind::number, "How deep the tree may be with -r.")
      .option("-r", "recursive", Kind::flag, "The whole tree, not the next nodes alone.")
      .option("-t", "op_type", Kind::flag, "With the op of each node.");
}

ArgumentParser list_tensors_parser() {
  return ArgumentParser("List the tensors that were dumped.")
      .option("-f", "tensor_filter", Kind::text, "Those that pass this filter.")
      .option("-fenn", "filter_exclude_node_names", Kind::text,
              "With -f: not of nodes whose names match this regular expression.")
      .option("-n", "node_name_filter", Kind::text,
              "Of nodes whose names match this regular expression.")
      .option("-t", "op_type_filter", Kind::text,
              "Of nodes whose ops match this regular expression.")
      .option("-s", "sort_by", Kind::text,
              "In the order of: timestamp, dump_size, op_type or tensor_name.")
      .option("-r", "reverse", Kind::flag, "The other way round.");
}

}  // namespace

Analyzer::Analyzer(std::shared_ptr<const DumpDir> dumps, RunFacts facts,
                   std::shared_ptr<ShellConfig> config)
    : dumps_(std::move(dumps)), facts_(std::move(facts)), config_(std::move(config)) {
  filters_["has_inf_or_nan"] = has_inf_or_nan;
}

std::vector<std::string> Analyzer::tensor_names() const {
  std::vector<std::string> names;
  for (const std::string& key : dumps_->watch_keys(""))
    names.push_back(key.substr(0, key.rfind(':')));
  return names;
}

std::vector<std::string> Analyzer::node_names() const {
  std::vector<std::string> names;
  for (const auto& graph : dumps_->graphs())
    names.insert(names.end(), graph->names().begin(), graph->names().end());
  return names;
}

void Analyzer::add_commands(Shell& shell) {
  shell.add({"list_tensors", {"lt"}, list_tensors_parser(), [this](const Arguments& given) {
               return list_tensors(given);
             }});
  shell.add(
      {"print_tensor",
       {"pt"},
       tensor_parser("Print a tensor that was dumped.",
                     "The tensor, perhaps with a slice: hidden1/MatMul:0, hidden1/MatMul:0[1, :]."),
       [this](const Arguments& given) { return print_tensor(given); }});
  shell.add({"print_feed",
             {"pf"},
             tensor_parser("Print a value that the run was fed.",
                           "The tensor, perhaps with a slice: x:0, x:0[1, :]."),
             [this](const Arguments& given) { return print_feed(given); }});
  shell.add({"node_info",
             {"ni"},
             ArgumentParser("Tell about a node.")
                 .argument("node_name", "A node, or one of its outputs.")
                 .option("-a", "attributes", Kind::flag, "Also its attributes.")
                 .option("-d", "dumps", Kind::flag, "Also what was dumped of it.")
                 .option("-t", "traceback", Kind::flag, "Also where the program made it."),
             [this](const Arguments& given) { return node_info(given); }});
  shell.add({"list_inputs",
             {"li"},
             relatives_parser("List what a node reads."),
             [this](const Arguments& given) { return list_relatives(given, true); }});
  shell.add({"list_outputs",
             {"lo"},
             relatives_parser("List who reads what a node makes."),
             [this](const Arguments& given) { return list_relatives(given, false); }});
  shell.add({"list_source",
             {"ls"},
             ArgumentParser("List the source files that made the nodes of the graph.")
                 .option("-p", "path_filter", Kind::text,
                         "Files whose paths match this regular expression.")
                 .option("-n", "node_name_filter", Kind::text,
                         "Count nodes whose names match this regular expression."),
             [this](const Arguments& given) { return list_source(given); }});
  shell.add(
      {"print_source",
       {"ps"},
       ArgumentParser("Print a source file with the nodes that each line made.")
           .argument("source_file_path", "The file.")
           .option("-t", "tensors", Kind::flag, "The tensors that were dumped, not the nodes.")
           .option("-m", "max_elements_per_line", Kind::number,
                   "How many nodes or tensors are named below a line.")
           .option("-b", "line_begin", Kind::number, "The line to begin with, counted from 1."),
       [this](const Arguments& given) { return print_source(given); }});
  shell.add({"eval",
             {"ev"},
             ArgumentParser("Compute with tensors, whose names stand in back-ticks: "
                            "eval \"np.sum(`Softmax:0`, axis=1)\". With blanks in it an expression "
                            "stands between quotation marks.")
                 .argument("expression",
                           "A Python expression of `node:slot`, `node:slot:debug_op`, "
                           "`node:slot[which dump]`, and of np.")
                 .option("-a", "all", Kind::flag, "Print every element, however many there are.")
                 .option("-w", "write_path", Kind::text, "Also write the result to this file."),
             [this](const Arguments& given) {
               if (evaluate_ == nullptr)
                 raise(Code::kUnimplemented, "expressions are Python's: eval works where a Python ",
                       "program is debugged");
               return evaluate_(given.text("expression"), given);
             }});
  shell.complete_with({"print_tensor"}, [this] { return tensor_names(); });
  shell.complete_with({"node_info", "list_inputs", "list_outputs"},
                      [this] { return node_names(); });
  shell.complete_with({"print_feed"}, [this] {
    std::vector<std::string> names;
    for (const auto& [name, value] : facts_.feeds) names.push_back(name);
    return names;
  });
}

}  // namespace rill::debugger
