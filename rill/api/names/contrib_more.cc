#include "rill/api/names/contrib_more.h"

#include "rill/base/error.h"

namespace rill::contrib {

std::vector<Output> framework::smart_case(
    const std::vector<std::pair<Output, BranchFn>>& pred_fn_pairs, const BranchFn& otherwise,
    const CaseOptions& options, std::source_location at) {
  std::vector<std::pair<Output, BranchFn>> open;
  BranchFn last = otherwise;
  for (const auto& [pred, fn] : pred_fn_pairs) {
    const std::optional<bool> known = smart_constant_value(pred);
    if (known && !*known) continue;
    if (known) {
      last = fn;
      break;
    }
    open.emplace_back(pred, fn);
  }
  if (!open.empty()) return case_of(open, last, options, at);
  require(bool(last), "no predicate is true, and there is no default");
  return last();
}

Graph& framework::get_graph_from_inputs(const std::vector<Output>& op_input_list) {
  Graph* found = nullptr;
  for (const Output& input : op_input_list) {
    Graph* const own = &input.node->graph();
    require(found == nullptr || found == own, input.name(), " is not from the same graph as ",
            op_input_list[0].name());
    found = own;
  }
  return found == nullptr ? *default_graph() : *found;
}

namespace {

using rill::lookup::TextFileIndex;
using rill::lookup::TextFileInitializer;

TextFileInitializer lines_of(const Input& filename, DType key, std::int64_t key_index, DType value,
                             std::int64_t value_index, const lookup::TextFileTableOptions& o,
                             const char* name, std::source_location at) {
  return {filename,
          key,
          o.key_column_index.value_or(key_index),
          value,
          o.value_column_index.value_or(value_index),
          {.vocab_size = o.vocab_size,
           .delimiter = o.delimiter,
           .name = o.name.empty() ? name : o.name},
          at};
}

}  // namespace

TextFileInitializer lookup::TextFileIdTableInitializer(const Input& filename,
                                                       const TextFileTableOptions& options,
                                                       std::source_location at) {
  return lines_of(filename, options.key_dtype, TextFileIndex::WHOLE_LINE, DType::i64,
                  TextFileIndex::LINE_NUMBER, options, "text_file_id_table_init", at);
}
TextFileInitializer lookup::TextFileStringTableInitializer(const Input& filename,
                                                           const TextFileTableOptions& options,
                                                           std::source_location at) {
  return lines_of(filename, DType::i64, TextFileIndex::LINE_NUMBER, DType::string,
                  TextFileIndex::WHOLE_LINE, options, "text_file_string_table_init", at);
}

metrics::AggregatedMetrics metrics::aggregate_metrics(
    const std::vector<rill::metrics::Metric>& value_update_tuples) {
  require(!value_update_tuples.empty(), "Expected at least one value_tensor/update_op pair");
  AggregatedMetrics all;
  for (const rill::metrics::Metric& metric : value_update_tuples) {
    all.values.push_back(metric.value);
    all.updates.push_back(metric.update_op);
  }
  return all;
}

metrics::NamedMetrics metrics::aggregate_metric_map(
    const std::map<std::string, rill::metrics::Metric>& names_to_tuples) {
  NamedMetrics all;
  for (const auto& [name, metric] : names_to_tuples) {
    all.values.emplace(name, metric.value);
    all.updates.emplace(name, metric.update_op);
  }
  return all;
}

}  // namespace rill::contrib
