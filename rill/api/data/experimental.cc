#include "rill/api/data/experimental.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/core/static_value.h"
#include "rill/api/data/function_stage.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/parsing/raw_features.h"
#include "rill/base/error.h"
#include "rill/graph/device_name.h"

namespace rill::data::experimental {
namespace {

Dataset unchanged(const Dataset& dataset, Stage& stage) {
  return {stage.element(dataset.element()).made(), dataset.element(), dataset.options()};
}

// `given`, or twice `other`.
Stage& value_or_twice(Stage& stage, const OptionalInput& given, const Input& other,
                      const char* name) {
  if (given) return stage.value(*given, name);
  if (!other.is_output())
    return stage.value(2 * other.value(DType::i64).scalar_value<std::int64_t>(), name);
  return stage.in(raw::Mul(2, other));
}

// The features of a batch, by the order of their names.
Components parsed(Output serialized, const Features& features) {
  Components parts;
  for (const auto& [name, value] : io::parse_example(serialized, features))
    parts.push_back(std::visit([](const auto& tensor) { return Component(tensor); }, value));
  return parts;
}

}  // namespace

Dataset ignore_errors(const Dataset& dataset) {
  return unchanged(dataset, Stage("IgnoreErrorsDataset").in(dataset.variant()));
}

Dataset unique(const Dataset& dataset) {
  const std::vector<DType> types = dataset.element().types();
  const bool can_compare = types.size() == 1 && (types[0] == DType::i32 || types[0] == DType::i64 ||
                                                 types[0] == DType::string);
  require_type(can_compare,
               "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, "
               "`tf.int64`, or `tf.string` component.");
  return unchanged(dataset, Stage("UniqueDataset").in(dataset.variant()));
}

Dataset shuffle_and_repeat(const Dataset& dataset, const Input& buffer_size, const Input& count,
                           const OptionalInput& seed) {
  const Output size = as_tensor(buffer_size, "buffer_size", DType::i64);
  const Output times = as_tensor(count, "count", DType::i64);
  const SeedTensors seeds = seed_tensors(seed);
  return unchanged(dataset, Stage("ShuffleAndRepeatDataset")
                                .in(dataset.variant())
                                .in(size)
                                .in(seeds.seed)
                                .in(seeds.seed2)
                                .in(times));
}

Dataset dense_to_sparse_batch(const Dataset& dataset, const Input& batch_size,
                              const PartialShape& row_shape) {
  const std::vector<ComponentSpec>& parts = dataset.element().parts;
  require_type(parts.size() == 1 && parts[0].kind == ComponentKind::kTensor,
               "DenseToSparseDataset requires an input whose elements have a single component, "
               "whereas the input has ",
               parts.size(), " components.");
  require(row_shape.has_rank(), "row_shape must have a known rank");
  PartialShape shape{-1};
  for (const std::int64_t dim : row_shape.dims()) shape.add_dim(dim);
  const ElementSpec element{ComponentSpec::sparse(parts[0].dtype, shape)};
  std::vector<std::int64_t> dims(row_shape.dims().begin(), row_shape.dims().end());
  return {
      Stage("DenseToSparseBatchDataset")
          .in(dataset.variant())
          .value(batch_size, "batch_size")
          .value(Tensor::of<std::int64_t>({row_shape.rank()}, std::span<const std::int64_t>(dims)),
                 "row_shape")
          .element(element)
          .made(),
      element, dataset.options()};
}

Dataset sliding_window_batch(const Dataset& dataset, const Input& window_size,
                             const Input& window_shift, const Input& window_stride) {
  ElementSpec element = batched(dataset.element(), -1);
  const Output made = Stage("SlidingWindowDataset")
                          .in(dataset.variant())
                          .value(window_size, "window_size")
                          .value(window_shift, "window_shift")
                          .value(window_stride, "window_stride")
                          .element(element)
                          .made();
  return {made, std::move(element), dataset.options()};
}

Dataset latency_stats(const Dataset& dataset, const Input& tag) {
  return unchanged(
      dataset, Stage("LatencyStatsDataset").in(dataset.variant()).value(tag, "tag", DType::string));
}

Dataset bytes_produced_stats(const Dataset& dataset, const Input& tag) {
  return unchanged(
      dataset,
      Stage("BytesProducedStatsDataset").in(dataset.variant()).value(tag, "tag", DType::string));
}

Dataset assert_element_shape(const Dataset& dataset, const std::vector<PartialShape>& shapes) {
  require(shapes.size() == dataset.element().parts.size(), "there are ", shapes.size(),
          " shapes for elements of ", dataset.element().parts.size(), " parts");
  const ElementFunction checked{
      "_check_shape", [shapes](const Components& parts) {
        ElementFunction::Result result;
        for (std::size_t i = 0; i < parts.size(); ++i)
          result.parts.push_back(raw::EnsureShape(parts[i].tensor(), shapes[i]));
        return result;
      }};
  ElementSpec element = dataset.map(checked).element();
  element.form = dataset.element().form;
  return dataset.map(checked).with_element(std::move(element));
}

namespace {
bool is_cpu(const std::string& device) {
  return DeviceName::parse(device).type.value_or("CPU") == "CPU";
}
}  // namespace

Dataset copy_to_device(const Dataset& dataset, const std::string& target_device,
                       const std::string& source_device) {
  require(is_cpu(source_device), "copy_to_device: elements are made on the CPU, not on ",
          source_device);
  if (is_cpu(target_device)) return dataset;  // CPUs share one memory
  const DeviceScope on(target_device);
  return dataset.prefetch(1);  // which brings them there
}

Dataset prefetch_to_device(const Dataset& dataset, const std::string& device,
                           const OptionalInput& buffer_size) {
  const DeviceScope on(device);
  return dataset.prefetch(buffer_size.value_or(kAutotune));
}

Dataset take_while(const Dataset& dataset, const ElementFunction& predicate) {
  const TracedFunction traced =
      trace("tf_data_experimental_take_while", predicate, dataset.element());
  const std::vector<ComponentSpec>& result = traced.result.parts;
  require(result.size() == 1 && result[0].dtype == DType::boolean &&
              result[0].shape.is_compatible(PartialShape::scalar()),
          "`predicate` return type must be convertible to a scalar boolean tensor.");
  return unchanged(dataset, Stage("TakeWhileDataset")
                                .in(dataset.variant())
                                .in(traced.captured)
                                .attr("predicate", traced.name));
}

Dataset scan(const Dataset& dataset, const Components& initial_state, const ElementFunction& f) {
  const Components initial = normalized(initial_state);
  ElementSpec state = spec_of(initial);
  const TracedFunction traced =
      trace_with_state("tf_data_experimental_scan", f, state, dataset.element());
  const auto first_output = traced.result.parts.begin() + static_cast<long>(state.parts.size());
  const ElementSpec element({first_output, traced.result.parts.end()}, traced.result.form);
  require_type(!element.parts.empty(),
               "The scan function must return a pair comprising the new "
               "state and the output value.");
  const std::vector<Output> first = carriers(initial);
  return {Stage("ScanDataset")
              .in(dataset.variant())
              .in(std::vector<Input>(first.begin(), first.end()))
              .in(traced.captured)
              .attr("f", traced.name)
              .attr("preserve_cardinality", true)
              .element(element)
              .made(),
          element, dataset.options()};
}

Dataset map_and_batch(const Dataset& dataset, const ElementFunction& f, const Input& batch_size,
                      const MapAndBatchOptions& options) {
  require(!options.num_parallel_batches || !options.num_parallel_calls,
          "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.");
  const TracedFunction traced =
      trace("tf_data_experimental_map_and_batch", f, dataset.element(), options.legacy);
  const Output size = as_tensor(batch_size, "batch_size", DType::i64);
  Output calls;
  if (options.num_parallel_batches) {
    calls = raw::Mul(size, *options.num_parallel_batches);
  } else if (options.num_parallel_calls) {
    calls = as_tensor(*options.num_parallel_calls, "num_parallel_calls", DType::i64);
  } else {
    calls = raw::Mul(size, 1);
  }
  const Output drop = as_tensor(options.drop_remainder, "drop_remainder", DType::boolean);
  ElementSpec element = batched(traced.result, rows_of_batches(size, drop));
  const Output made = Stage("MapAndBatchDataset")
                          .in(dataset.variant())
                          .in(traced.captured)
                          .in(size)
                          .in(calls)
                          .in(drop)
                          .attr("f", traced.name)
                          .attr("preserve_cardinality", true)
                          .element(element)
                          .made();
  return {made, std::move(element), dataset.options()};
}

Dataset parallel_interleave(const Dataset& dataset, const ElementFunction& f,
                            const Input& cycle_length, const ParallelInterleaveOptions& options) {
  const TracedFunction traced =
      trace("tf_data_experimental_parallel_interleave", f, dataset.element());
  const ElementSpec& element = inner_element(traced);
  Stage stage("ParallelInterleaveDataset");
  stage.in(dataset.variant()).in(traced.captured);
  stage.value(cycle_length, "cycle_length").value(options.block_length, "block_length");
  stage.value(options.sloppy, "sloppy", DType::boolean);
  value_or_twice(stage, options.buffer_output_elements, options.block_length,
                 "buffer_output_elements");
  value_or_twice(stage, options.prefetch_input_elements, cycle_length, "prefetch_input_elements");
  return {stage.attr("f", traced.name).element(element).made(), element, dataset.options()};
}

Dataset parse_example_dataset(const Dataset& dataset, const Features& features,
                              const Input& num_parallel_calls) {
  const std::vector<ComponentSpec>& parts = dataset.element().parts;
  require_type(parts.size() == 1 && parts[0].dtype == DType::string &&
                   parts[0].shape.is_compatible(PartialShape{-1}),
               "Input dataset should be a dataset of vectors of strings");
  require(!features.empty(), "Missing `features` argument.");
  // The op knows nothing of sparse tensors that are made of several features.
  for (const auto& [name, feature] : features)
    if (std::holds_alternative<SparseFeature>(feature))
      return dataset.map([features](Output serialized) { return parsed(serialized, features); },
                         {.num_parallel_calls = num_parallel_calls});
  const RawFeatures raw = raw_features(features);
  const std::int64_t count = parts[0].shape.has_rank() ? parts[0].shape[0] : kUnknownDim;
  std::map<std::string, ComponentSpec> by_name;
  for (const RawFeatures::Sparse& sparse : raw.sparse)
    by_name.emplace(sparse.key, ComponentSpec::sparse(sparse.dtype, PartialShape{count, -1}));
  for (const RawFeatures::Dense& dense : raw.dense) {
    PartialShape shape{count};
    for (const std::int64_t dim : dense.shape.dims()) shape.add_dim(dim);
    by_name.emplace(dense.key, ComponentSpec::tensor(dense.dtype, shape));
  }
  ElementSpec element;
  for (const auto& [name, part] : by_name) element.parts.push_back(part);
  return {Stage("ParseExampleDataset")
              .in(dataset.variant())
              .value(num_parallel_calls, "num_parallel_calls")
              .in(raw.dense_defaults())
              .attr("sparse_keys", raw.sparse_keys())
              .attr("dense_keys", raw.dense_keys())
              .attr("sparse_types", raw.sparse_types())
              .attr("dense_shapes", raw.dense_shapes())
              .element(element)
              .made(),
          element, dataset.options()};
}

Node& write_tf_record(const Dataset& dataset, const Input& filename,
                      const std::string& compression_type) {
  const std::vector<ComponentSpec>& parts = dataset.element().parts;
  require_type(parts.size() == 1 && parts[0].dtype == DType::string &&
                   parts[0].shape.is_compatible(PartialShape::scalar()),
               "dataset must produce scalar `DT_STRING` tensors");
  return Stage("DatasetToTFRecord")
      .in(dataset.variant())
      .value(filename, "filename", DType::string)
      .value(compression_type, "compression_type", DType::string)
      .add();
}

}  // namespace rill::data::experimental
