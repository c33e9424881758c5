// What is done to the elements of a dataset without looking into them.
#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/static_value.h"
#include "rill/api/core/texts.h"
#include "rill/api/data/dataset.h"
#include "rill/api/data/function_stage.h"
#include "rill/base/error.h"
#include "rill/graph/shape_ctx.h"

namespace rill::data {
namespace {

bool can_be_padded(const PartialShape& padded, const PartialShape& part) {
  if (!padded.has_rank() || !part.has_rank()) return true;
  if (padded.rank() != part.rank()) return false;
  for (int i = 0; i < part.rank(); ++i)
    if (padded.dim(i) >= 0 && part.dim(i) >= 0 && padded.dim(i) < part.dim(i)) return false;
  return true;
}

Output padded_shape(const ShapeInput& given, const PartialShape& part) {
  const Output shape = as_tensor(given, "Const", DType::i64);
  require(!shape.shape().has_rank() || shape.shape().rank() == 1, "Padded shape ", shape,
          " must be a 1-D tensor of tf.int64 values, but its shape was ", shape_text(shape.shape()),
          ".");
  const PartialShape known = constant_shape_value(shape);
  require(can_be_padded(known, part), "The padded shape ", shape_text(known),
          " is not compatible with the corresponding input component shape ", shape_text(part),
          ".");
  return shape;
}

Output padding_value(const OptionalInput& given, DType type) {
  require_type(given || type != DType::variant,
               "Unable to create default padding value for a component of type 'variant'.");
  const Output value = as_tensor(given.value_or(Tensor::zeros(type, {})), "padding_value", type);
  require(!value.shape().has_rank() || value.shape().rank() == 0,
          "Invalid `padding_values`. `padding_values` values should be scalars, but got ",
          value.shape(), ".");
  return value;
}

void check_can_be_padded(const ComponentSpec& part) {
  require_type(part.kind != ComponentKind::kDataset,
               "`padded_batch` is not supported for datasets of datasets");
  require_type(
      part.kind == ComponentKind::kTensor,
      "`padded_batch` is only supported for datasets that produce tensor elements, not for ",
      to_text(part));
}

}  // namespace

std::int64_t rows_of_batches(Output batch_size, Output drop_remainder) {
  const std::optional<Tensor> drop = static_value(drop_remainder);
  if (!drop || !drop->scalar_value<bool>()) return -1;
  const std::optional<Tensor> size = static_value(batch_size);
  return size ? size->scalar_value<std::int64_t>() : -1;
}

Dataset Dataset::concatenate(const Dataset& other, std::source_location at) const {
  const MadeAt line(at);
  for (std::size_t i = 0; i < element_.parts.size() && i < other.element_.parts.size(); ++i)
    require_type(element_.parts[i].dtype == other.element_.parts[i].dtype,
                 "Incompatible types of input datasets: ", element_.parts[i].dtype, " vs. ",
                 other.element_.parts[i].dtype);
  ElementSpec element = most_specific_compatible(element_, other.element_);
  const Output joined =
      Stage("ConcatenateDataset").in(variant_).in(other.variant_).element(element).made();
  return {joined, std::move(element), options_.merged(other.options_)};
}

Dataset Dataset::repeat(const Input& count, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("RepeatDataset").in(variant_).value(count, "count").element(element_).made(),
          element_, options_};
}

Dataset Dataset::take(const Input& count, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("TakeDataset").in(variant_).value(count, "count").element(element_).made(),
          element_, options_};
}

Dataset Dataset::skip(const Input& count, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("SkipDataset").in(variant_).value(count, "count").element(element_).made(),
          element_, options_};
}

Dataset Dataset::shard(const Input& num_shards, const Input& index, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("ShardDataset")
              .in(variant_)
              .value(num_shards, "num_shards")
              .value(index, "index")
              .element(element_)
              .made(),
          element_, options_};
}

Dataset Dataset::batch(const Input& batch_size, const BatchOptions& options,
                       std::source_location at) const {
  const MadeAt line(at);
  const Output size = as_tensor(batch_size, "batch_size", DType::i64);
  const Output drop = as_tensor(options.drop_remainder, "drop_remainder", DType::boolean);
  ElementSpec element = batched(element_, rows_of_batches(size, drop));
  const Output made =
      Stage("BatchDatasetV2").in(variant_).in(size).in(drop).element(element).made();
  return {made, std::move(element), options_};
}

Dataset Dataset::padded_batch(const Input& batch_size, const std::vector<ShapeInput>& padded_shapes,
                              const PaddedBatchOptions& options, std::source_location at) const {
  const MadeAt line(at);
  const std::size_t count = element_.parts.size();
  require(padded_shapes.size() == count, "padded_batch got ", padded_shapes.size(),
          " shapes for elements of ", count, " parts");
  for (const ComponentSpec& part : element_.parts) check_can_be_padded(part);
  const Output size = as_tensor(batch_size, "batch_size", DType::i64);
  std::vector<Input> shapes, values;
  for (std::size_t i = 0; i < count; ++i)
    shapes.emplace_back(padded_shape(padded_shapes[i], element_.parts[i].shape));
  for (std::size_t i = 0; i < count; ++i)
    values.emplace_back(
        padding_value(i < options.padding_values.size() ? options.padding_values[i] : std::nullopt,
                      element_.parts[i].dtype));
  const Output drop = as_tensor(options.drop_remainder, "drop_remainder", DType::boolean);
  ElementSpec padded = element_;
  for (std::size_t i = 0; i < count; ++i)
    padded.parts[i].shape = constant_shape_value(shapes[i].output());
  ElementSpec element = batched(padded, rows_of_batches(size, drop));
  const Output made = Stage("PaddedBatchDatasetV2")
                          .in(variant_)
                          .in(size)
                          .in(shapes)
                          .in(values)
                          .in(drop)
                          .attr("output_shapes", element.shapes())
                          .made();
  return {made, std::move(element), options_};
}

Dataset Dataset::unbatch(std::source_location at) const {
  const MadeAt line(at);
  std::int64_t rows = kUnknownDim;
  for (const ComponentSpec& part : element_.parts) {
    if (part.kind != ComponentKind::kTensor || part.shape.rank() < 1) continue;
    require(rill::compatible(rows, part.shape[0]),
            "`unbatch()` is only supported for datasets of elements whose components have a "
            "matching leading dimension, but these are ",
            rows, " and ", part.shape[0]);
    rows = merge_dim(rows, part.shape[0]);
  }
  ElementSpec element = unbatched(element_);
  const bool has_rows = std::ranges::all_of(element_.parts, [](const ComponentSpec& part) {
    return part.kind == ComponentKind::kTensor || part.kind == ComponentKind::kDataset;
  });
  const ElementFunction as_rows{"normalize_to_dense", [](const Components& parts) {
                                  ElementFunction::Result rows;
                                  for (const Component& part : parts)
                                    rows.parts.emplace_back(part.rows_carrier());
                                  return rows;
                                }};
  const Output input = has_rows ? variant_ : map(as_rows).variant();
  const Output made = Stage("UnbatchDataset").in(input).element(element).made();
  return {made, std::move(element), options_};
}

Dataset Dataset::shuffle(const Input& buffer_size, const ShuffleOptions& options,
                         std::source_location at) const {
  const MadeAt line(at);
  const Output size = as_tensor(buffer_size, "buffer_size", DType::i64);
  const SeedTensors seeds = seed_tensors(options.seed);
  return {Stage("ShuffleDataset")
              .in(variant_)
              .in(size)
              .in(seeds.seed)
              .in(seeds.seed2)
              .attr("reshuffle_each_iteration", options.reshuffle_each_iteration)
              .element(element_)
              .made(),
          element_, options_};
}

Dataset Dataset::cache(const Input& filename, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("CacheDataset")
              .in(variant_)
              .value(filename, "filename", DType::string)
              .element(element_)
              .made(),
          element_, options_};
}

Dataset Dataset::prefetch(const Input& buffer_size, std::source_location at) const {
  const MadeAt line(at);
  return {Stage("PrefetchDataset")
              .in(variant_)
              .value(buffer_size, "buffer_size")
              .element(element_)
              .made(),
          element_, options_};
}

Dataset Dataset::window(const Input& size, const WindowOptions& options,
                        std::source_location at) const {
  const MadeAt line(at);
  ElementSpec element{{}, element_.form};
  for (const ComponentSpec& part : element_.parts)
    element.parts.push_back({.kind = ComponentKind::kDataset,
                             .dtype = DType::variant,
                             .shape = PartialShape::scalar(),
                             .element = std::make_shared<const ElementSpec>(ElementSpec{part})});
  const Output rows = as_tensor(size, "size", DType::i64);
  const Output made = Stage("WindowDataset")
                          .in(variant_)
                          .in(rows)
                          .value(options.shift.value_or(rows), "shift")
                          .value(options.stride, "stride")
                          .value(options.drop_remainder, "drop_remainder", DType::boolean)
                          .element(element)
                          .made();
  return {made, std::move(element), options_};
}

Dataset Dataset::enumerate(const Input& start, std::source_location at) const {
  const MadeAt line(at);
  return zip({range(start, std::numeric_limits<std::int64_t>::max()), *this});
}

Dataset Dataset::with_options(const Options& options) const {
  return {variant_, element_, options_.merged(options)};
}

Dataset Dataset::with_options_applied(std::source_location at) const {
  const MadeAt line(at);
  Output made = variant_;
  const auto& threading = options_.threading;
  if (threading.max_intra_op_parallelism)
    made = Stage("MaxIntraOpParallelismDataset")
               .in(made)
               .value(*threading.max_intra_op_parallelism, "max_intra_op_parallelism")
               .element(element_)
               .made();
  if (threading.private_threadpool_size)
    made = Stage("PrivateThreadPoolDataset")
               .in(made)
               .value(*threading.private_threadpool_size, "num_threads")
               .element(element_)
               .made();
  if (const std::vector<std::string> rewrites = options_.rewrites(); !rewrites.empty())
    made = Stage("OptimizeDataset")
               .in(made)
               .value(Tensor::of<std::string>({static_cast<std::int64_t>(rewrites.size())},
                                              std::span<const std::string>(rewrites)),
                      "optimizations", DType::string)
               .attr("optimization_configs", options_.rewrite_configs())
               .element(element_)
               .made();
  if (options_.optimization.autotune.value_or(true))
    made = Stage("ModelDataset")
               .in(made)
               .attr("algorithm", options_.optimization.autotune_algorithm.value_or(0))
               .attr("cpu_budget", options_.optimization.autotune_cpu_budget.value_or(0))
               .element(element_)
               .made();
  if (options_.stats.aggregator)
    made = Stage("SetStatsAggregatorDataset")
               .in(made)
               .in(*options_.stats.aggregator)
               .value(options_.stats.prefix, "tag", DType::string)
               .value(options_.stats.counter_prefix, "counter_prefix", DType::string)
               .element(element_)
               .made();
  return {made, element_, options_};
}

}  // namespace rill::data
