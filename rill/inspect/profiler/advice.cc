#include "rill/inspect/profiler/advice.h"

#include <algorithm>
#include <cstdio>

#include "rill/base/error.h"
#include "rill/inspect/profiler/number_text.h"
#include "rill/inspect/profiler/view.h"

namespace rill::profiler {
namespace {

constexpr std::size_t kMostRows = 3;                           // of each table
constexpr int kMostLevels = 4;                                 // of the program's lines
constexpr std::int64_t kLineMicros = 1000, kNodeMicros = 100;  // below these nothing is dear

using Reports = std::vector<std::string>;

bool is_accelerator(const std::string& device) { return device.find("gpu") != device.npos; }

// How much of a step's time the kernels of each accelerator ran, from when the first of its nodes
// was begun on the host.
Reports accelerator_utilization(const ProfiledModel& model) {
  struct Use {
    std::int64_t begin = 0, end = 0, busy = 0;
  };
  std::map<std::string, Use> uses;
  if (model.steps().empty()) return {};
  const std::int64_t last = *model.steps().rbegin();
  for (const auto& [name, node] : model.nodes()) {
    const auto found = node.steps.find(last);
    if (found == node.steps.end() || !is_accelerator(node.device)) continue;
    const NodeStep& step = found->second;
    Use& use = uses[node.device];
    if (use.end == 0 || step.start_micros < use.begin) use.begin = step.start_micros;
    use.end = std::max(use.end, step.end_micros);
    for (const auto& [device, spans] : step.accelerator)
      for (const auto& [start, duration] : spans) use.busy += duration;
  }
  Reports reports;
  for (const auto& [device, use] : uses) {
    if (use.end <= use.begin) continue;
    const double share = static_cast<double>(use.busy) / static_cast<double>(use.end - use.begin);
    char text[32];
    std::snprintf(text, sizeof text, "utilization: %.2f", share);
    reports.push_back("device: " + device + (share < 0.5 ? " low " : " ") + text);
  }
  return reports;
}

Reports operations(const ProfiledModel& model) {
  bool by_hand = false, fused = false, slow_layout = false;
  for (const auto& [name, node] : model.nodes()) {
    if (name.find("BatchNorm") != name.npos) by_hand = true;
    if (node.op == "FusedBatchNorm") fused = true;
    if (node.is_nhwc && is_accelerator(node.device)) slow_layout = true;
  }
  Reports reports;
  if (by_hand && !fused) reports.push_back("Maybe use faster FusedBatchNorm instead of BatchNorm");
  if (slow_layout)
    reports.push_back("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.");
  return reports;
}

std::string times(const Figures& figures) {
  return str_cat(", cpu: ", micros_text(figures.cpu_micros),
                 ", accelerator: ", micros_text(figures.accelerator_micros),
                 ", total: ", micros_text(figures.micros()));
}

std::string lines(const Reports& reports) { return join(reports, "\n"); }

ProfileOptions by_time(std::int64_t least_micros) {
  ProfileOptions options;
  options.max_depth = 10000;
  options.order_by = "micros";
  options.min_micros = least_micros;
  return options;
}

std::string dearest_ops(const ProfiledModel& model) {
  const RowPtr root = op_view(model, by_time(0));
  Reports rows;
  for (const RowPtr& row : root->children) {
    if (rows.size() == kMostRows) break;
    char share[24] = "";
    if (root->total.micros() > 0)
      std::snprintf(share, sizeof share, " (%.2f%%)",
                    100.0 * static_cast<double>(row->own.micros()) /
                        static_cast<double>(root->total.micros()));
    rows.push_back(
        str_cat("top ", rows.size() + 1, " operation type: ", row->name, times(row->own), share));
  }
  return lines(rows);
}

std::string dearest_nodes(const ProfiledModel& model) {
  const RowPtr root = scope_view(model, by_time(kNodeMicros));
  Reports rows;
  for (const RowPtr& row : root->children) {
    if (rows.size() == kMostRows) break;
    rows.push_back(str_cat("top ", rows.size() + 1, " graph node: ", row->name, times(row->own)));
  }
  return lines(rows);
}

// The dearest lines below a row where its calls part.
void add_lines(const Row& row, int level, Reports* reports) {
  if (level >= kMostLevels || row.children.size() < 2) return;
  for (std::size_t i = 0; i < std::min(kMostRows, row.children.size()); ++i) {
    const Row& child = *row.children[i];
    if (child.total.micros() < kLineMicros) return;
    reports->push_back(std::string(static_cast<std::size_t>(2 * level), ' ') + child.name +
                       times(child.total));
    add_lines(child, level + 1, reports);
  }
}

std::string dearest_lines(const ProfiledModel& model) {
  const RowPtr root = code_view(model, by_time(0));
  const Row* fork = root.get();
  while (fork->children.size() == 1) fork = fork->children[0].get();
  Reports rows;
  add_lines(*fork, 0, &rows);
  return lines(rows);
}

Reports expensive_operations(const ProfiledModel& model) {
  Reports reports = {dearest_ops(model), dearest_nodes(model)};
  if (model.has_traces()) reports.push_back(dearest_lines(model));
  return reports;
}

struct Checker {
  const char* name;
  Reports (*check)(const ProfiledModel&);
};
constexpr Checker kCheckers[] = {{"AcceleratorUtilizationChecker", accelerator_utilization},
                                 {"ExpensiveOperationChecker", expensive_operations},
                                 {"JobChecker", nullptr},  // TensorFlow's never says anything
                                 {"OperationChecker", operations}};

}  // namespace

Advice advise(const ProfiledModel& model, const std::set<std::string>& checkers) {
  Advice advice;
  std::set<std::string> wanted = checkers;
  for (const auto& [name, check] : kCheckers)
    if ((wanted.erase(name) || checkers.empty()) && check) advice[name] = check(model);
  require(wanted.empty(), "There is no checker ", wanted.empty() ? "" : *wanted.begin());
  return advice;
}

std::string advice_text(const Advice& advice) {
  std::string text;
  for (const auto& [checker, reports] : advice) {
    text += str_cat("\n", checker, ":\n");
    for (const auto& report : reports) text += report + "\n";
  }
  return text;
}

}  // namespace rill::profiler
