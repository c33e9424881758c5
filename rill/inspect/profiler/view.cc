#include "rill/inspect/profiler/view.h"

#include <algorithm>

namespace rill::profiler {
namespace {

std::int64_t figure(const std::string& order, const Row& row) {
  const Figures& figures = row.total;
  if (order == "bytes") return figures.requested;
  if (order == "peak_bytes") return figures.peak;
  if (order == "residual_bytes") return figures.residual;
  if (order == "output_bytes") return figures.output;
  if (order == "micros") return figures.micros();
  if (order == "accelerator_micros") return figures.accelerator_micros;
  if (order == "cpu_micros") return figures.cpu_micros;
  if (order == "params") return figures.params;
  if (order == "float_ops") return figures.float_ops;
  if (order == "occurrence" && row.has_many_nodes)
    return static_cast<std::int64_t>(row.nodes.size());
  return 0;
}

}  // namespace

Filter::Filter(const ProfileOptions& options)
    : options_(options),
      account_(options.account_type_regexes),
      start_(options.start_name_regexes),
      trim_(options.trim_name_regexes),
      show_(options.show_name_regexes),
      hide_(options.hide_name_regexes) {}

bool Filter::accounts(const std::set<std::string>& types) const {
  return account_.matches_all() || std::any_of(types.begin(), types.end(), [&](const auto& type) {
           return account_.match(type);
         });
}

bool Filter::shows_name(const std::string& name) const {
  return show_.match(name) && !hide_.match(name);
}

bool Filter::reaches_totals(const Figures& total) const {
  return total.requested >= options_.min_bytes && total.peak >= options_.min_peak_bytes &&
         total.residual >= options_.min_residual_bytes &&
         total.output >= options_.min_output_bytes && total.micros() >= options_.min_micros &&
         total.accelerator_micros >= options_.min_accelerator_micros &&
         total.cpu_micros >= options_.min_cpu_micros;
}

void sort_rows(const ProfileOptions& options, std::vector<RowPtr>* rows) {
  std::sort(rows->begin(), rows->end(), [&](const RowPtr& a, const RowPtr& b) {
    const auto left = figure(options.order_by, *a), right = figure(options.order_by, *b);
    return left != right ? left > right : a->name < b->name;
  });
}

}  // namespace rill::profiler
