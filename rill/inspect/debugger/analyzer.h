#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/inspect/debugger/dump_dir.h"
#include "rill/inspect/debugger/shell.h"
#include "rill/inspect/debugger/shell_config.h"

namespace rill::debugger {

// What a program's run brought besides its dumps.
struct RunFacts {
  std::shared_ptr<const Graph> graph;   // as the program built it; null where only dumps are left
  std::map<std::string, Tensor> feeds;  // by "x:0"
};

// Gives the value of an expression in which tensors stand in back-ticks, as lines; throws Error.
using Evaluate = std::function<RichText(const std::string& expression, const Arguments& given)>;

// The commands that look at what one run dumped: list_tensors, print_tensor, node_info,
// list_inputs, list_outputs, list_source, print_source, eval.
class Analyzer {
 public:
  Analyzer(std::shared_ptr<const DumpDir> dumps, RunFacts facts,
           std::shared_ptr<ShellConfig> config);

  void add_filter(const std::string& name, TensorFilter filter) {
    filters_[name] = std::move(filter);
  }
  void evaluate_with(Evaluate evaluate) { evaluate_ = std::move(evaluate); }
  void add_commands(Shell& shell);

  RichText list_tensors(const Arguments& given) const;
  RichText print_tensor(const Arguments& given) const;
  RichText print_feed(const Arguments& given) const;
  RichText node_info(const Arguments& given) const;
  RichText list_relatives(const Arguments& given, bool inputs) const;
  RichText list_source(const Arguments& given) const;
  RichText print_source(const Arguments& given) const;

  const DumpDir& dumps() const { return *dumps_; }

 private:
  double milliseconds(const DumpDatum& datum) const;
  std::vector<const DumpDatum*> wanted_tensors(const Arguments& given) const;
  void sort_tensors(const Arguments& given, std::vector<const DumpDatum*>* data) const;
  std::string op_of(const DumpDatum& datum) const;
  RichText several_dumps(const std::vector<const DumpDatum*>& dumps, const std::string& name) const;
  std::vector<std::string> tensor_names() const;
  std::vector<std::string> node_names() const;

  std::shared_ptr<const DumpDir> dumps_;
  RunFacts facts_;
  std::shared_ptr<ShellConfig> config_;
  std::map<std::string, TensorFilter> filters_;
  Evaluate evaluate_;
};

// A tensor as print_tensor shows it: `label`, type, shape, elements; a summary of the numbers where
// that is asked for, or `with_summary`.
RichText tensor_text(const DumpedValue& value, const std::string& label, const std::string& slicing,
                     const Arguments& given, bool with_summary = false);

}  // namespace rill::debugger
