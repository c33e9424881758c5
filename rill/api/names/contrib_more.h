#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/api/data/type_specs.h"
#include "rill/api/lookup/initializers.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/names/contrib_columns.h"
#include "rill/api/names/small.h"
#include "rill/api/rnn/fused_adaptor.h"
#include "rill/api/saver/checkpoints_iterator.h"
#include "rill/api/seq2seq/decoder_outputs.h"
#include "rill/api/seq2seq/legacy_models.h"
#include "rill/api/training/create_train_op.h"

// Further names of tf.contrib.
namespace rill::contrib {

namespace framework {
using rill::TensorSpec;
// case_of() where it must be; the results of a function where its predicate is known.
std::vector<Output> smart_case(const std::vector<std::pair<Output, BranchFn>>& pred_fn_pairs,
                               const BranchFn& otherwise = {}, const CaseOptions& options = {},
                               std::source_location at = std::source_location::current());
// The graph that all of them belong to; of none the default one. Throws InvalidArgument where they
// are of several.
Graph& get_graph_from_inputs(const std::vector<Output>& op_input_list);
}  // namespace framework

namespace slim {
using framework::assert_or_get_global_step;
}  // namespace slim

namespace lookup {
struct TextFileTableOptions {
  std::optional<std::int64_t> key_column_index = {}, value_column_index = {};
  std::optional<std::int64_t> vocab_size = {};
  std::string delimiter = "\t";
  std::string name = {};
  DType key_dtype = DType::string;
};
// Words of a file to line numbers, and back.
rill::lookup::TextFileInitializer TextFileIdTableInitializer(
    const Input& filename, const TextFileTableOptions& options = {},
    std::source_location at = std::source_location::current());
rill::lookup::TextFileInitializer TextFileStringTableInitializer(
    const Input& filename, const TextFileTableOptions& options = {},
    std::source_location at = std::source_location::current());
}  // namespace lookup

namespace metrics {
struct AggregatedMetrics {
  std::vector<Output> values = {}, updates = {};
};
// The values and the updates of several metrics. Throws InvalidArgument where there is none.
AggregatedMetrics aggregate_metrics(const std::vector<rill::metrics::Metric>& value_update_tuples);
struct NamedMetrics {
  std::map<std::string, Output> values = {}, updates = {};
};
NamedMetrics aggregate_metric_map(
    const std::map<std::string, rill::metrics::Metric>& names_to_tuples);
}  // namespace metrics

namespace training {
using rill::train::checkpoints_iterator;
// What transform_grads_fn may be.
inline auto clip_gradient_norms_fn(double max_norm) {
  return [max_norm](Gradients gradients) {
    return clip_gradient_norms(std::move(gradients), max_norm);
  };
}
}  // namespace training

}  // namespace rill::contrib
