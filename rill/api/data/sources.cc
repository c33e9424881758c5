// Where the elements of datasets come from.
#include <map>
#include <mutex>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/host_function.h"
#include "rill/api/data/dataset.h"
#include "rill/api/data/stage.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/io.h"
#include "rill/api/gen/logging.h"
#include "rill/api/gen/math.h"
#include "rill/api/strings/strings.h"
#include "rill/base/error.h"

namespace rill::data {
namespace {

Components normalized_in_scope(const Components& parts) {
  require(!parts.empty(), "an element must have at least one part");
  const Block in("", "normalize_element", std::source_location::current());
  return normalized(parts);
}

Dataset with_parts(std::string_view op, const std::vector<Output>& carriers,
                   const ElementSpec& element) {
  return {Stage(op).in(as_inputs(carriers)).attr("output_shapes", element.shapes()).made(),
          element};
}

// Generators of a C++ program, by the number that their iteration has.
struct RunningGenerators {
  std::mutex mutex;
  std::map<std::int64_t, Dataset::Generator> running;
  std::int64_t next_id = 0;
};

}  // namespace

Dataset Dataset::of(const Component& part) {
  const Nested& nested = part.nested();
  require_type(nested.kind == ComponentKind::kDataset, "expected a dataset, got an optional");
  return {nested.variant, nested.element};
}

Dataset Dataset::from_tensors(const Components& parts, std::source_location at) {
  const MadeAt line(at);
  const Components all = normalized_in_scope(parts);
  const std::vector<Output> carried = carriers(all);
  return with_parts("TensorDataset", carried, spec_of(all));
}

Dataset Dataset::from_tensor_slices(const Components& parts, std::source_location at) {
  const MadeAt line(at);
  const Components all = normalized_in_scope(parts);
  std::vector<Output> carried;
  for (const Component& part : all) carried.push_back(part.rows_carrier());
  const ElementSpec element = unbatched(spec_of(all));
  std::int64_t rows = -1;
  for (const Output& carrier : carried) {
    const PartialShape shape = carrier.shape();
    if (!shape.has_rank() || shape.rank() == 0 || shape.dim(0) < 0) continue;
    require(rows < 0 || rows == shape.dim(0), "Dimensions ", rows, " and ", shape.dim(0),
            " are not compatible");
    rows = shape.dim(0);
  }
  return with_parts("TensorSliceDataset", carried, element);
}

Dataset Dataset::from_sparse_tensor_slices(const SparseTensor& sparse, std::source_location at) {
  const MadeAt line(at);
  const PartialShape shape = sparse.shape();
  ElementSpec element{ComponentSpec::tensor(
      DType::i64, PartialShape{-1, shape.has_rank() ? shape.rank() - 1 : -1})};
  element.parts.push_back(ComponentSpec::tensor(sparse.dtype(), PartialShape{-1}));
  element.parts.push_back(
      ComponentSpec::tensor(DType::i64, PartialShape{shape.has_rank() ? shape.rank() - 1 : -1}));
  return {Stage("SparseTensorSliceDataset")
              .in(sparse.indices)
              .in(sparse.values)
              .in(sparse.dense_shape)
              .made(),
          element};
}

Dataset Dataset::range(const Input& start, const Input& stop, const Input& step,
                       std::source_location at) {
  const MadeAt line(at);
  const ElementSpec element{ComponentSpec::tensor(DType::i64, PartialShape::scalar())};
  return {Stage("RangeDataset")
              .value(start, "start")
              .value(stop, "stop")
              .value(step, "step")
              .element(element)
              .made(),
          element};
}

Dataset Dataset::zip(const std::vector<Dataset>& datasets, std::source_location at) {
  const MadeAt line(at);
  require(!datasets.empty(), "zip needs at least one dataset");
  std::vector<Input> variants;
  ElementSpec element;
  Options options;
  for (const Dataset& dataset : datasets) {
    variants.emplace_back(dataset.variant());
    options = options.merged(dataset.options());
    for (const ComponentSpec& part : dataset.element().parts) element.parts.push_back(part);
  }
  return {Stage("ZipDataset").in(variants).element(element).made(), element, options};
}

Dataset Dataset::list_files(const Input& file_pattern, const ListFilesOptions& options,
                            std::source_location at) {
  const MadeAt line(at);
  const Block in("", "list_files", std::source_location::current());
  const Output pattern = as_tensor(file_pattern, "file_pattern", DType::string);
  const Output files = raw::MatchingFiles(pattern);
  const Output found_some =
      raw::Greater(parts::item(shape(files), 0), 0, {.name = "match_not_empty"});
  const Output message =
      raw::Add("No files matched pattern: ", strings::reduce_join(pattern, {.separator = ", "}),
               {.name = "message"});
  Node* const checked[] = {
      &raw::Assert(found_some, {message}, {.summarize = 1, .name = "assert_not_empty"})};
  std::optional<Output> names;
  {
    const ControlDependencies after(checked);
    names = raw::Identity(files);
  }
  const Dataset found = from_tensor_slices({Component(*names)});
  if (!options.shuffle) return found;
  const Output count = parts::item(shape(*names, {.out_type = DType::i64}), 0);
  return found.shuffle(raw::Maximum(count, 1), {.seed = options.seed});
}

Dataset Dataset::from_functions(const Components& argument, const GeneratorFunctions& functions,
                                const ElementSpec& element, std::source_location at) {
  const MadeAt line(at);
  const ElementFunction iteration{
      "flat_map_fn", [functions, element](const Components& parts) -> ElementFunction::Result {
        const TracedFunction init = trace("Dataset_from_generator", functions.init, spec_of(parts));
        const TracedFunction next = trace("Dataset_from_generator", functions.next, init.result);
        const TracedFunction finalize =
            trace("Dataset_from_generator", functions.finalize, init.result);
        std::vector<Input> first = as_inputs(carriers(parts));
        first.insert(first.end(), init.captured.begin(), init.captured.end());
        return {{Dataset(Stage("GeneratorDataset")
                             .in(first)
                             .in(next.captured)
                             .in(finalize.captured)
                             .attr("init_func", init.name)
                             .attr("next_func", next.name)
                             .attr("finalize_func", finalize.name)
                             .element(element)
                             .made(),
                         element)}};
      }};
  return from_tensors(argument).flat_map(iteration).with_element(element);
}

Dataset Dataset::from_generator(std::function<Generator()> start, const ElementSpec& element,
                                std::source_location at) {
  const MadeAt line(at);
  const auto state = std::make_shared<RunningGenerators>();
  const auto init = [state, start](const std::vector<Tensor>&) {
    Generator generator = start();
    const std::lock_guard lock(state->mutex);
    state->running.emplace(state->next_id, std::move(generator));
    return std::vector{Tensor::scalar<std::int64_t>(state->next_id++)};
  };
  const auto next = [state](const std::vector<Tensor>& id) {
    Generator* generator;
    {
      const std::lock_guard lock(state->mutex);
      generator = &state->running.at(id[0].scalar_value<std::int64_t>());
    }
    std::optional<std::vector<Tensor>> values = (*generator)();
    if (!values) raise(Code::kOutOfRange, "the generator has no more elements");
    return std::move(*values);
  };
  const auto finalize = [state](const std::vector<Tensor>& id) {
    const std::lock_guard lock(state->mutex);
    state->running.erase(id[0].scalar_value<std::int64_t>());
    return std::vector{Tensor::scalar<std::int64_t>(0)};
  };
  const auto host = [](HostFunction f, std::vector<DType> types) {
    return
        [f, types](const std::vector<Output>& x) { return host_function(f, as_inputs(x), types); };
  };
  const auto stated = [element, call = host(next, element.types())](const std::vector<Output>& x) {
    std::vector<Output> values = call(x);
    for (std::size_t i = 0; i < values.size(); ++i)
      default_graph()->refine_shape(values[i], element.parts[i].shape);
    return values;
  };
  return from_functions({Component(0)},
                        {host(init, {DType::i64}), stated, host(finalize, {DType::i64})}, element);
}

}  // namespace rill::data
