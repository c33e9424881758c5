// Elements in groups: by key, by window, by length.
#include <limits>

#include "rill/api/array/picking.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/data/experimental.h"
#include "rill/api/data/function_stage.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::data::experimental {
namespace {

const ComponentSpec kKey = ComponentSpec::tensor(DType::i64, PartialShape::scalar());

void check_is_number(const TracedFunction& traced, const char* what) {
  const std::vector<ComponentSpec>& parts = traced.result.parts;
  require(parts.size() == 1 && parts[0].kind == ComponentKind::kTensor &&
              parts[0].dtype == DType::i64 && parts[0].shape.is_compatible(PartialShape::scalar()),
          "`", what, "` must return a single tf.int64 scalar tensor.");
}

// Which bucket an element of this length belongs to.
Output bucket_of(Output length, const std::vector<std::int64_t>& boundaries) {
  std::vector<std::int64_t> lowest{std::numeric_limits<std::int32_t>::min()}, highest = boundaries;
  lowest.insert(lowest.end(), boundaries.begin(), boundaries.end());
  highest.push_back(std::numeric_limits<std::int32_t>::max());
  const Output wide = raw::Cast(length, DType::i64);
  const Output inside = raw::LogicalAnd(raw::LessEqual(integer_tensor(lowest), wide),
                                        raw::Less(wide, integer_tensor(highest)));
  return reduce_min(raw::Where(inside));
}

// The shapes that a batch of a bucket is padded to: dimensions that are not known are as long as
// `filler` says, else as the longest element.
std::vector<ShapeInput> bucket_shapes(const std::vector<PartialShape>& shapes,
                                      const std::optional<Output>& filler) {
  std::vector<ShapeInput> result;
  for (const PartialShape& shape : shapes) {
    require(shape.has_rank(), "padded_shapes must have known ranks");
    if (!filler) {
      result.emplace_back(std::span<const std::int64_t>(shape.dims()));
      continue;
    }
    std::vector<Input> dims;
    for (const std::int64_t dim : shape.dims())
      dims.push_back(dim < 0 ? Input(*filler) : Input(Tensor::scalar<std::int64_t>(dim)));
    result.emplace_back(dims.empty() ? Input(integer_tensor({})) : Input(raw::Pack(dims)));
  }
  return result;
}

}  // namespace

Dataset group_by_reducer(const Dataset& dataset, const ElementFunction& key_func,
                         const Reducer& reducer) {
  const char* name = "tf_data_experimental_group_by_reducer";
  const TracedFunction key = trace(name, key_func, dataset.element());
  check_is_number(key, "key_func");
  const TracedFunction init = trace(name, reducer.init_func, ElementSpec{kKey});
  ElementSpec state = init.result;
  const TracedFunction reduce =
      trace_with_state(name, reducer.reduce_func, state, dataset.element());
  const TracedFunction finalize = trace(name, reducer.finalize_func, state);
  return {Stage("GroupByReducerDataset")
              .in(dataset.variant())
              .in(key.captured)
              .in(init.captured)
              .in(reduce.captured)
              .in(finalize.captured)
              .attr("key_func", key.name)
              .attr("init_func", init.name)
              .attr("reduce_func", reduce.name)
              .attr("finalize_func", finalize.name)
              .element(finalize.result)
              .made(),
          finalize.result, dataset.options()};
}

Dataset group_by_window(const Dataset& dataset, const ElementFunction& key_func,
                        const ElementFunction& reduce_func,
                        const ElementFunction& window_size_func) {
  const char* name = "tf_data_experimental_group_by_window";
  const TracedFunction key = trace(name, key_func, dataset.element());
  check_is_number(key, "key_func");
  const ComponentSpec window{.kind = ComponentKind::kDataset,
                             .dtype = DType::variant,
                             .shape = PartialShape::scalar(),
                             .element = std::make_shared<const ElementSpec>(dataset.element())};
  const TracedFunction reduce = trace(name, reduce_func, ElementSpec{kKey, window});
  require_type(
      reduce.result.parts.size() == 1 && reduce.result.parts[0].kind == ComponentKind::kDataset,
      "`reduce_func` must return a `Dataset` object.");
  const TracedFunction size = trace(name, window_size_func, ElementSpec{kKey});
  check_is_number(size, "window_size_func");
  const ElementSpec& element = inner_element(reduce);
  return {Stage("GroupByWindowDataset")
              .in(dataset.variant())
              .in(key.captured)
              .in(reduce.captured)
              .in(size.captured)
              .attr("key_func", key.name)
              .attr("reduce_func", reduce.name)
              .attr("window_size_func", size.name)
              .element(element)
              .made(),
          element, dataset.options()};
}

Dataset group_by_window(const Dataset& dataset, const ElementFunction& key_func,
                        const ElementFunction& reduce_func, std::int64_t window_size) {
  return group_by_window(dataset, key_func, reduce_func, [window_size](const Components&) {
    return Component(Tensor::scalar<std::int64_t>(window_size));
  });
}

Dataset bucket_by_sequence_length(const Dataset& dataset, const ElementFunction& element_length,
                                  const std::vector<std::int64_t>& bucket_boundaries,
                                  const std::vector<std::int64_t>& bucket_batch_sizes,
                                  const BucketOptions& options) {
  require(bucket_batch_sizes.size() == bucket_boundaries.size() + 1,
          "len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1");
  const Input sizes = as_tensor(integer_tensor(bucket_batch_sizes), "Const");
  const auto batch_size = [sizes](Output bucket) { return raw::GatherV2(sizes, bucket, 0); };
  const ElementFunction key{"element_to_bucket_id", [=](const Components& parts) {
                              return ElementFunction::Result{{bucket_of(
                                  element_length(parts).parts.at(0).tensor(), bucket_boundaries)}};
                            }};
  std::vector<PartialShape> shapes = options.padded_shapes;
  if (shapes.empty()) shapes = dataset.element().shapes();
  const ElementFunction batch{
      "batching_fn", [=](const Components& parts) -> ElementFunction::Result {
        const Output bucket = parts.at(0).tensor();
        const Dataset window = Dataset::of(parts.at(1));
        const Output size = batch_size(bucket);
        if (options.no_padding)
          return {{window.batch(size, {.drop_remainder = options.drop_remainder})}};
        std::optional<Output> filler;
        if (options.pad_to_bucket_boundary) {
          const auto last = static_cast<std::int64_t>(bucket_batch_sizes.size()) - 1;
          Node* const checked[] = {&debugging::assert_less(
              bucket, Tensor::scalar<std::int64_t>(last),
              {.message = "When pad_to_bucket_boundary=True, elements must have length < "
                          "max(bucket_boundaries)."})};
          const ControlDependencies after(checked);
          filler = raw::Sub(raw::GatherV2(integer_tensor(bucket_boundaries), bucket, 0),
                            Tensor::scalar<std::int64_t>(1));
        }
        return {{window.padded_batch(
            size, bucket_shapes(shapes, filler),
            {.padding_values = options.padding_values, .drop_remainder = options.drop_remainder})}};
      }};
  return group_by_window(dataset, key, batch, batch_size);
}

}  // namespace rill::data::experimental
