// What functions make of the elements of a dataset.
#include "rill/api/core/default_graph.h"
#include "rill/api/data/dataset.h"
#include "rill/api/data/function_stage.h"
#include "rill/base/error.h"

namespace rill::data {
const ElementSpec& inner_element(const TracedFunction& traced) {
  require_type(
      traced.result.parts.size() == 1 && traced.result.parts[0].kind == ComponentKind::kDataset,
      "`map_func` must return a `Dataset` object.");
  return *traced.result.parts[0].element;
}

Dataset Dataset::map(const ElementFunction& f, const MapOptions& options,
                     std::source_location at) const {
  const MadeAt line(at);
  const TracedFunction traced = trace("Dataset_map", f, element_, options.legacy);
  Stage stage(options.num_parallel_calls ? "ParallelMapDataset" : "MapDataset");
  stage.in(variant_).in(traced.captured);
  if (options.num_parallel_calls)
    stage.value(*options.num_parallel_calls, "num_parallel_calls", DType::i32);
  stage.attr("f", traced.name).attr("use_inter_op_parallelism", true);
  stage.attr("preserve_cardinality", options.preserve_cardinality);
  return {stage.element(traced.result).made(), traced.result, options_};
}

Dataset Dataset::flat_map(const ElementFunction& f, std::source_location at) const {
  const MadeAt line(at);
  const TracedFunction traced = trace("Dataset_flat_map", f, element_);
  const ElementSpec& element = inner_element(traced);
  return {Stage("FlatMapDataset")
              .in(variant_)
              .in(traced.captured)
              .attr("f", traced.name)
              .element(element)
              .made(),
          element, options_};
}

Dataset Dataset::interleave(const ElementFunction& f, const InterleaveOptions& options,
                            std::source_location at) const {
  const MadeAt line(at);
  const TracedFunction traced = trace("Dataset_interleave", f, element_);
  const ElementSpec& element = inner_element(traced);
  Stage stage(options.num_parallel_calls ? "ParallelInterleaveDatasetV2" : "InterleaveDataset");
  stage.in(variant_).in(traced.captured);
  stage.value(options.cycle_length, "cycle_length").value(options.block_length, "block_length");
  if (options.num_parallel_calls) stage.value(*options.num_parallel_calls, "num_parallel_calls");
  return {stage.attr("f", traced.name).element(element).made(), element, options_};
}

Dataset Dataset::filter(const ElementFunction& predicate, bool legacy,
                        std::source_location at) const {
  const MadeAt line(at);
  const TracedFunction traced = trace("Dataset_filter", predicate, element_, legacy);
  const std::vector<ComponentSpec>& result = traced.result.parts;
  require(result.size() == 1 && result[0].kind == ComponentKind::kTensor &&
              result[0].dtype == DType::boolean &&
              result[0].shape.is_compatible(PartialShape::scalar()),
          "`predicate` return type must be convertible to a scalar boolean tensor.");
  return {Stage("FilterDataset")
              .in(variant_)
              .in(traced.captured)
              .attr("predicate", traced.name)
              .element(element_)
              .made(),
          element_, options_};
}

TracedFunction trace_with_state(std::string_view transformation, const ElementFunction& f,
                                ElementSpec& state, const ElementSpec& element) {
  for (;;) {
    ElementSpec arguments = state;
    arguments.parts.insert(arguments.parts.end(), element.parts.begin(), element.parts.end());
    TracedFunction traced = trace(transformation, f, arguments);
    require_type(traced.result.parts.size() >= state.parts.size(),
                 "the function must return the new state, which has ", state.parts.size(),
                 " parts");
    bool changed = false;
    for (std::size_t i = 0; i < state.parts.size(); ++i) {
      ComponentSpec& part = state.parts[i];
      const ComponentSpec& made = traced.result.parts[i];
      require_type(part.kind == made.kind,
                   "The element classes for the new state must match the initial state. Expected ",
                   to_text(part), "; got ", to_text(made), ".");
      require_type(part.dtype == made.dtype,
                   "The element types for the new state must match the initial state. Expected ",
                   part.dtype, "; got ", made.dtype, ".");
      const PartialShape relaxed = most_specific_compatible(part.shape, made.shape);
      changed |= !(relaxed == part.shape);
      part.shape = relaxed;
    }
    if (!changed) return traced;
  }
}

Components Dataset::reduce(const Components& initial_state, const ElementFunction& f,
                           std::source_location at) const {
  const MadeAt line(at);
  Components initial;
  {
    const Block in("", "initial_state", std::source_location::current());
    initial = normalized(initial_state);
  }
  ElementSpec state = spec_of(initial);
  const TracedFunction traced = trace_with_state("Dataset_reduce", f, state, element_);
  const std::vector<Output> first = carriers(initial);
  Node& node = Stage("ReduceDataset")
                   .in(variant_)
                   .in(std::vector<Input>(first.begin(), first.end()))
                   .in(traced.captured)
                   .attr("f", traced.name)
                   .element(state)
                   .add();
  return parts_of(state, all_outputs(node));
}

Output Dataset::cardinality(std::source_location at) const {
  const MadeAt line(at);
  return Stage("DatasetCardinality").in(variant_).made();
}

Components Dataset::get_single_element(std::source_location at) const {
  const MadeAt line(at);
  return parts_of(
      element_, all_outputs(Stage("DatasetToSingleElement").in(variant_).element(element_).add()));
}

}  // namespace rill::data
