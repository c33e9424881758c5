#include "rill/api/data/type_specs.h"

#include "rill/base/error.h"

namespace rill {

// Dimensions that are not known fit any.
bool TypeSpec::is_compatible_with(const data::ComponentSpec& other) const {
  return data::compatible(data::ElementSpec{*this}, data::ElementSpec{other});
}

TypeSpec TypeSpec::most_specific_compatible_type(const data::ComponentSpec& other) const {
  return data::most_specific_compatible(data::ElementSpec{*this}, data::ElementSpec{other})
      .parts.at(0);
}

TensorSpec TensorSpec::from_tensor(const Output& tensor, const std::string& name) {
  return {tensor.shape(), base_type(tensor.dtype()), name.empty() ? tensor.node->name() : name};
}

RaggedTensorSpec::RaggedTensorSpec(PartialShape of, DType type, std::optional<int> rank,
                                   DType row_splits_dtype) {
  require(rank || of.has_rank(), "Must specify ragged_rank or a shape with a known rank.");
  ragged_rank = rank.value_or(of.has_rank() ? of.rank() - 1 : 0);
  require(!of.has_rank() || ragged_rank < of.rank(), "ragged_rank must be less than rank.");
  kind = ragged_rank > 0 ? data::ComponentKind::kRagged : data::ComponentKind::kTensor;
  dtype = type;
  shape = std::move(of);
  splits_dtype = row_splits_dtype;
}

TensorArraySpec::TensorArraySpec(PartialShape element_shape, DType type, bool dynamic, bool infer)
    : dynamic_size(dynamic) {
  kind = data::ComponentKind::kTensorArray;
  dtype = type;
  shape = std::move(element_shape);
  infer_shape = infer;
}

OptionalSpec::OptionalSpec(data::ElementSpec value_structure) {
  kind = data::ComponentKind::kOptional;
  dtype = DType::variant;
  element = std::make_shared<const data::ElementSpec>(std::move(value_structure));
}

bool IndexedSlicesSpec::is_compatible_with(const IndexedSlices& value) const {
  const bool has_shape = bool(value.dense_shape.node);
  return base_type(value.values.dtype()) == dtype &&
         base_type(value.indices.dtype()) == indices_dtype &&
         indices_shape.is_compatible(value.indices.shape()) &&
         (has_shape ? base_type(value.dense_shape.dtype()) : DType::invalid) == dense_shape_dtype;
}

}  // namespace rill
