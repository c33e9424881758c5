#include "rill/api/queue/barrier.h"

#include "rill/api/core/op_call.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"

namespace rill {

Barrier::Barrier(const std::vector<DType>& types, const BarrierOptions& options,
                 std::source_location at)
    : types_(types), shapes_(options.shapes) {
  if (shapes_.empty()) shapes_.resize(types.size());
  require(shapes_.size() == types.size(), "Barrier shapes must have the same length as types, ",
          shapes_.size(), " and ", types.size());
  for (const PartialShape& shape : options.shapes) {
    require(shape.is_full(), "Empty shapes in the barrier: all shapes must be fully defined, got ",
            shape_text(shape));
    require(shape.element_count() != 0, "Empty tensors are not supported, but received shape ",
            shape_text(shape));
  }
  ref_ = OpCall("Barrier")
             .attr("component_types", types_)
             .attr("shapes", shapes_)
             .attr("shared_name", options.shared_name)
             .add(options.name, at)
             .output();
  const std::string& node = ref_.node->name();
  name_ = node.substr(node.rfind('/') + 1);
}

std::string Barrier::name_or(const std::string& name, const char* suffix) const {
  return name.empty() ? name_ + suffix : name;
}

Node& Barrier::insert_many(std::int64_t component_index, const Input& keys, const Input& values,
                           const queue::QueueOpOptions& options, std::source_location at) {
  return OpCall("BarrierInsertMany")
      .in(ref_)
      .in(keys)
      .in(values)
      .attr("component_index", component_index)
      .add(name_or(options.name, "_BarrierInsertMany"), at);
}

Node& Barrier::take_many(const Input& num_elements, const TakeManyOptions& options,
                         std::source_location at) {
  Node& node = OpCall("BarrierTakeMany")
                   .in(ref_)
                   .in(num_elements)
                   .attr("component_types", types_)
                   .attr("allow_small_batch", options.allow_small_batch)
                   .attr("wait_for_incomplete", options.wait_for_incomplete)
                   .attr("timeout_ms", options.timeout_ms)
                   .add(name_or(options.name, "_BarrierTakeMany"), at);
  const Tensor* count = options.allow_small_batch ? nullptr : constant_value(node.input(1));
  const std::int64_t rows = count == nullptr ? kUnknownDim : *count->data<std::int32_t>();
  for (const int i : {0, 1}) node.graph().refine_shape(node.output(i), PartialShape({rows}));
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    node.graph().refine_shape(node.output(static_cast<int>(i) + 2),
                              shape_of_rows(rows, shapes_[i]));
  return node;
}

Node& Barrier::close(const queue::CloseOptions& options, std::source_location at) {
  return OpCall("BarrierClose")
      .in(ref_)
      .attr("cancel_pending_enqueues", options.cancel_pending_enqueues)
      .add(name_or(options.name, "_BarrierClose"), at);
}

Output Barrier::ready_size(const queue::QueueOpOptions& options, std::source_location at) {
  return OpCall("BarrierReadySize")
      .in(ref_)
      .add(name_or(options.name, "_BarrierReadySize"), at)
      .output();
}

Output Barrier::incomplete_size(const queue::QueueOpOptions& options, std::source_location at) {
  return OpCall("BarrierIncompleteSize")
      .in(ref_)
      .add(name_or(options.name, "_BarrierIncompleteSize"), at)
      .output();
}

}  // namespace rill
