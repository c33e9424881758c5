#include "rill/inspect/profiler/tree_view.h"

namespace rill::profiler {
namespace {

class Shower {
 public:
  Shower(const Filter& filter, const TreeRules& rules)
      : filter_(filter), options_(filter.options()), rules_(rules) {}

  // The first rows on every branch where the view may begin.
  void find_starts(std::vector<RowPtr> rows, std::vector<RowPtr>* starts) const {
    for (RowPtr& row : rows) {
      if (filter_.starts(row->name))
        starts->push_back(std::move(row));
      else
        find_starts(std::move(row->children), starts);
    }
  }

  void sum(Row& row) const {
    std::vector<RowPtr> kept;
    for (RowPtr& child : row.children) {
      if (rules_.drops_trimmed && filter_.trims(child->name)) continue;
      sum(*child);
      if (child->is_accounted || (rules_.keeps_uncounted && !child->children.empty()))
        kept.push_back(std::move(child));
      else
        std::move(child->children.begin(), child->children.end(), std::back_inserter(kept));
    }
    row.children = std::move(kept);
    add_up(row);
  }

  // Rows that are not shown are replaced by those below them.
  std::vector<RowPtr> shown(std::vector<RowPtr> rows, std::int64_t depth) const {
    std::vector<RowPtr> result;
    if (depth >= options_.max_depth) return result;
    for (RowPtr& row : rows) {
      auto below = filter_.trims(row->name) ? std::vector<RowPtr>{}
                                            : shown(std::move(row->children), depth + 1);
      row->children.clear();
      if (shows(*row)) {
        row->children = std::move(below);
        if (sums_displayed()) add_up(*row);
        sort_rows(options_, &row->children);
        result.push_back(std::move(row));
      } else {
        std::move(below.begin(), below.end(), std::back_inserter(result));
      }
    }
    return result;
  }

  // A row that does not count itself is there all the same.
  void add_up(Row& row) const {
    row.total = {};
    for (const RowPtr& child : row.children) row.total += child->total;
    if (row.is_accounted)
      row.total += row.own;
    else
      ++row.total.definition_count;
  }

  // As in TensorFlow, the view whose least figures are totals does not leave out what is hidden.
  bool sums_displayed() const {
    return options_.account_displayed_op_only && !rules_.least_of_totals;
  }

 private:
  bool shows(const Row& row) const {
    if (!row.is_accounted) return true;
    const Figures& least = rules_.least_of_totals ? row.total : row.own;
    return filter_.shows_name(row.name) && filter_.reaches_totals(row.total) &&
           least.params >= options_.min_params && least.float_ops >= options_.min_float_ops &&
           (rules_.least_of_totals || row.own.run_count >= options_.min_occurrence);
  }

  const Filter& filter_;
  const ProfileOptions& options_;
  const TreeRules& rules_;
};

}  // namespace

RowPtr shown_tree(RowPtr root, const Filter& filter, const TreeRules& rules) {
  const Shower shower(filter, rules);
  shower.sum(*root);
  --root->total.definition_count;  // it is no part of the model
  std::vector<RowPtr> starts;
  shower.find_starts(std::move(root->children), &starts);
  root->children = shower.shown(std::move(starts), 1);
  if (shower.sums_displayed()) shower.add_up(*root);
  sort_rows(filter.options(), &root->children);
  return root;
}

}  // namespace rill::profiler
