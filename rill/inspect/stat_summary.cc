#include "rill/inspect/stat_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <vector>

#include "rill/base/text.h"
#include "tensorflow/core/framework/step_stats.pb.h"

namespace rill::inspect {
namespace {

// Cells stand to the right, each behind a tab.
std::string tab_cell(const std::string& text, std::size_t width) {
  return "\t" + std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}
std::string tab_cell(double number, std::size_t width, const char* unit = "") {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", number);
  const std::size_t room = width - std::min(width, std::string_view(unit).size());
  return tab_cell(std::string(text), room) + unit;
}
std::string head(const std::string& title) {
  const std::string rule(30, '=');
  return str_cat(rule, " ", title, " ", rule, "\n");
}

std::string short_number(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// "Conv2D" of "y = Conv2D(x, w)".
std::string op_in(const std::string& label) {
  const std::size_t equals = label.find(" = "), open = label.find('(', equals);
  if (equals == label.npos || open == label.npos) return "<>";
  return label.substr(equals + 3, open - equals - 3);
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Sample::add(std::int64_t value) {
  if (count_++ == 0) {
    first_ = min_ = max_ = value;
  }
  latest_ = value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += value;
  squares_ += static_cast<double>(value) * static_cast<double>(value);
}

double Sample::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::string Sample::text() const {
  if (count_ == 0) return "count=0";
  if (min_ == max_)
    return str_cat("count=", count_, " curr=", latest_, count_ > 1 ? "(all same)" : "");
  const double variance = squares_ / static_cast<double>(count_) - mean() * mean();
  return str_cat("count=", count_, " first=", first_, " curr=", latest_, " min=", min_,
                 " max=", max_, " avg=", short_number(mean()),
                 " std=", static_cast<std::int64_t>(std::sqrt(std::max(0.0, variance))));
}

void StatSummary::add(const tensorflow::StepStats& step) {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max(), micros = 0, bytes = 0;
  for (const auto& device : step.dev_stats())
    for (const auto& node : device.node_stats()) begin = std::min(begin, node.all_start_micros());
  for (const auto& device : step.dev_stats()) {
    for (const auto& run : device.node_stats()) {
      std::string name = run.node_name();
      std::int64_t allocated = 0;
      for (const auto& memory : run.memory()) allocated += memory.total_bytes();
      const auto order = static_cast<std::int64_t>(nodes_.size());
      const auto [it, is_new] = nodes_.try_emplace(name);
      NodeDetail& node = it->second;
      if (is_new) {
        node.name = std::move(name);
        node.op = op_in(run.timeline_label());
        node.order = order;
      }
      ++node.calls;
      node.start_micros.add(run.all_start_micros() - begin);
      node.micros.add(run.all_end_rel_micros());
      node.bytes.add(allocated);
      micros += run.all_end_rel_micros();
      bytes += allocated;
    }
  }
  total_micros_.add(micros);
  total_bytes_.add(bytes);
}

std::string StatSummary::row(const NodeDetail& node, std::int64_t micros_so_far) const {
  const std::int64_t steps = std::max<std::int64_t>(1, total_micros_.count());
  return str_cat(tab_cell(node.op, 24), tab_cell(node.start_micros.mean() / 1000, 9),
                 tab_cell(static_cast<double>(node.micros.first()) / 1000, 9),
                 tab_cell(node.micros.mean() / 1000, 9),
                 tab_cell(percent(node.micros.sum(), total_micros_.sum()), 8, "%"),
                 tab_cell(percent(micros_so_far, total_micros_.sum()), 8, "%"),
                 tab_cell(static_cast<double>(node.bytes.latest()) / 1000, 10),
                 tab_cell(str_cat(node.calls / steps), 9), "\t", node.name, "\n");
}

std::string StatSummary::table(const std::string& title, std::int64_t (*key)(const NodeDetail&),
                               int limit) const {
  std::string text = str_cat(head(title), tab_cell("[node type]", 24), tab_cell("[start]", 9),
                             tab_cell("[first]", 9), tab_cell("[avg ms]", 9), tab_cell("[%]", 8),
                             tab_cell("[cdf%]", 8), tab_cell("[mem KB]", 10),
                             tab_cell("[times called]", 9), "\t[Name]\n");
  std::vector<const NodeDetail*> order;
  for (const auto& [name, node] : nodes_) order.push_back(&node);
  std::ranges::stable_sort(
      order, [&](const NodeDetail* a, const NodeDetail* b) { return key(*a) < key(*b); });
  if (limit > 0 && order.size() > static_cast<std::size_t>(limit))
    order.resize(static_cast<std::size_t>(limit));
  std::int64_t so_far = 0;
  for (const NodeDetail* node : order) text += row(*node, so_far += node->micros.sum());
  return text + "\n";
}

std::string StatSummary::by_type() const {
  struct OfOp {
    std::int64_t nodes = 0, micros = 0, bytes = 0, calls = 0;
  };
  std::map<std::string, OfOp> ops;
  std::int64_t all_calls = 0, all_micros = 0;
  const std::int64_t steps = std::max<std::int64_t>(1, total_micros_.count());
  for (const auto& [name, node] : nodes_) {
    OfOp& op = ops[node.op];
    ++op.nodes;
    op.micros += node.micros.sum() / steps;
    op.bytes += node.bytes.latest();
    op.calls += node.calls / steps;
    all_calls += node.calls / steps;
    all_micros += node.micros.sum() / steps;
  }
  std::vector<std::pair<std::string, OfOp>> order(ops.begin(), ops.end());
  std::ranges::stable_sort(order, std::greater(), [](const auto& op) { return op.second.micros; });
  std::string text =
      str_cat("Number of nodes executed: ", all_calls, "\n", head("Summary by node type"),
              tab_cell("[Node type]", 24), tab_cell("[count]", 9), tab_cell("[avg ms]", 10),
              tab_cell("[avg %]", 11), tab_cell("[cdf %]", 11), tab_cell("[mem KB]", 10),
              tab_cell("[times called]", 10), "\n");
  std::int64_t so_far = 0;
  for (const auto& [name, op] : order) {
    so_far += op.micros;
    text += str_cat(tab_cell(name, 24), tab_cell(str_cat(op.nodes), 9),
                    tab_cell(static_cast<double>(op.micros) / 1000, 10),
                    tab_cell(percent(op.micros, all_micros), 11, "%"),
                    tab_cell(percent(so_far, all_micros), 11, "%"),
                    tab_cell(static_cast<double>(op.bytes) / 1000, 10),
                    tab_cell(str_cat(op.calls), 10), "\n");
  }
  return text + "\n";
}

std::string StatSummary::in_short() const {
  return str_cat("Timings (microseconds): ", total_micros_.text(),
                 "\nMemory (bytes): ", total_bytes_.text(), "\n", nodes_.size(),
                 " nodes observed\n");
}

std::string StatSummary::text() const {
  std::string text;
  if (options_.show_run_order)
    text += table(
        "Run Order", [](const NodeDetail& node) { return node.order; }, options_.run_order_limit);
  if (options_.show_time)
    text += table(
        "Top by Computation Time", [](const NodeDetail& node) { return -node.micros.sum(); },
        options_.time_limit);
  if (options_.show_memory)
    text += table(
        "Top by Memory Use", [](const NodeDetail& node) { return -node.bytes.latest(); },
        options_.memory_limit);
  if (options_.show_type) text += by_type();
  if (options_.show_summary) text += in_short() + "\n";
  return text;
}

}  // namespace rill::inspect
