#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/inspect/profiler/name_patterns.h"
#include "rill/inspect/profiler/profile_options.h"
#include "rill/inspect/profiler/profiled_model.h"

namespace rill::profiler {

inline constexpr const char* kRootName = "_TFProfRoot";

// Trees are walked by functions that call themselves, and a graph may be one long chain: what would
// be deeper stands at this depth.
inline constexpr std::size_t kDeepest = 1000;

// The options of a profile, ready to be asked for every node.
class Filter {
 public:
  explicit Filter(const ProfileOptions& options);

  bool accounts(const std::set<std::string>& types) const;
  bool starts(const std::string& name) const { return start_.match(name); }
  bool trims(const std::string& name) const { return trim_.match(name); }
  bool shows_name(const std::string& name) const;
  // Whether the sums of all below, and a node's own figures, reach the least that is shown.
  bool reaches_totals(const Figures& total) const;

  const ProfileOptions& options() const { return options_; }

 private:
  const ProfileOptions& options_;
  NamePatterns account_, start_, trim_, show_, hide_;
};

// A row of a view, with those below it. Views of names and graphs have one node in a row, those of
// ops and code many.
struct Row {
  std::string name;
  std::vector<const ProfiledNode*> nodes;
  std::set<std::string> types;  // of all its nodes
  std::vector<std::unique_ptr<Row>> children;
  Figures own, total;
  bool is_accounted = false;  // else its own figures are nobody's
  bool has_many_nodes = false;
};
using RowPtr = std::unique_ptr<Row>;

// Sorts by the options' order: names from a to z, figures from the largest. Rows of many nodes can
// also be sorted by how many there are.
void sort_rows(const ProfileOptions& options, std::vector<RowPtr>* rows);

// The views. What comes back is the root, with the rows that are shown below it.
RowPtr scope_view(const ProfiledModel& model, const ProfileOptions& options);
RowPtr graph_view(const ProfiledModel& model, const ProfileOptions& options);
RowPtr op_view(const ProfiledModel& model, const ProfileOptions& options);
RowPtr code_view(const ProfiledModel& model, const ProfileOptions& options);

}  // namespace rill::profiler
