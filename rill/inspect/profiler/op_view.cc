#include "rill/inspect/profiler/view.h"

namespace rill::profiler {
namespace {

// A row for each op, of the nodes that count.
std::map<std::string, RowPtr> rows_by_op(const ProfiledModel& model, const Filter& filter) {
  std::map<std::string, RowPtr> rows;
  for (const auto& [name, node] : model.nodes()) {
    if (!filter.accounts(node.types)) continue;
    RowPtr& row = rows[node.op];
    if (!row) row = std::make_unique<Row>();
    row->name = node.op;
    row->nodes.push_back(&node);
    row->types.insert(node.types.begin(), node.types.end());
    row->own += node.figures(filter.options().step);
    row->is_accounted = row->has_many_nodes = true;
  }
  return rows;
}

bool shows(const Row& row, const Filter& filter) {
  const ProfileOptions& options = filter.options();
  return filter.shows_name(row.name) && filter.reaches_totals(row.total) &&
         row.total.params >= options.min_params && row.total.float_ops >= options.min_float_ops &&
         static_cast<std::int64_t>(row.nodes.size()) >= options.min_occurrence;
}

// What a row and those below it come to. Whoever is not shown may be left out of it.
void add_up(std::vector<RowPtr>& rows, Row& root) {
  root.total = {};
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    root.total += (*row)->own;
    (*row)->total = root.total;
  }
}

// The list begins at the first op that may begin it and ends at one that is trimmed.
std::vector<RowPtr> in_range(std::vector<RowPtr> rows, const Filter& filter) {
  std::vector<RowPtr> result;
  for (RowPtr& row : rows) {
    if (result.empty() && !filter.starts(row->name)) continue;
    if (filter.trims(row->name)) break;
    if (static_cast<std::int64_t>(result.size()) > filter.options().max_depth) break;
    result.push_back(std::move(row));
  }
  return result;
}

}  // namespace

RowPtr op_view(const ProfiledModel& model, const ProfileOptions& options) {
  const Filter filter(options);
  auto root = std::make_unique<Row>();
  root->name = kRootName;
  std::vector<RowPtr> rows;
  for (auto& [op, row] : rows_by_op(model, filter)) {
    row->total = row->own;
    rows.push_back(std::move(row));
  }
  sort_rows(options, &rows);
  add_up(rows, *root);
  rows = in_range(std::move(rows), filter);
  std::erase_if(rows, [&](const RowPtr& row) { return !shows(*row, filter); });
  if (options.account_displayed_op_only) add_up(rows, *root);
  root->children = std::move(rows);
  return root;
}

}  // namespace rill::profiler
