#pragma once

#include <optional>
#include <string>

#include "rill/api/data/element.h"
#include "rill/graph/grad_ctx.h"

// Descriptions of tensors, and of what is made of several: shape and element type without a value.
// All but IndexedSlicesSpec can be parts of an ElementSpec.
namespace rill {

struct TypeSpec : data::ComponentSpec {
  TypeSpec() = default;
  TypeSpec(data::ComponentSpec spec) : ComponentSpec(std::move(spec)) {}

  // Whether all that `other` describes, or the value, fits this.
  bool is_compatible_with(const data::ComponentSpec& other) const;
  bool is_compatible_with(const data::Component& value) const {
    return is_compatible_with(value.spec());
  }
  // The narrowest that both fit. Throws TypeError where there is none.
  TypeSpec most_specific_compatible_type(const data::ComponentSpec& other) const;
};

// tf::TensorSpec({tf::None, 28, 28}, tf::float32, "images")
struct TensorSpec : TypeSpec {
  TensorSpec(PartialShape shape, DType dtype = DType::f32, std::string name = {})
      : TypeSpec(tensor(dtype, std::move(shape))), name(std::move(name)) {}
  static TensorSpec from_tensor(const Output& tensor, const std::string& name = {});
  static TensorSpec from_spec(const TensorSpec& spec, const std::string& name = {}) {
    return {spec.shape, spec.dtype, name.empty() ? spec.name : name};
  }

  std::string name;
};
struct SparseTensorSpec : TypeSpec {
  SparseTensorSpec(PartialShape shape = {}, DType dtype = DType::f32)
      : TypeSpec(sparse(dtype, std::move(shape))) {}
};
struct RaggedTensorSpec : TypeSpec {
  // ragged_rank: one less than the shape has dimensions where it is not said. Throws
  // InvalidArgument when it is not known, or not less than those.
  RaggedTensorSpec(PartialShape shape = {}, DType dtype = DType::f32,
                   std::optional<int> ragged_rank = {}, DType row_splits_dtype = DType::i64);
};
struct TensorArraySpec : TypeSpec {
  TensorArraySpec(PartialShape element_shape = {}, DType dtype = DType::f32,
                  bool dynamic_size = false, bool infer_shape = true);
  bool dynamic_size;
};
struct OptionalSpec : TypeSpec {
  explicit OptionalSpec(data::ElementSpec value_structure);
};
// Some rows of a tensor.
struct IndexedSlicesSpec {
  PartialShape shape = {};
  DType dtype = DType::f32, indices_dtype = DType::i64;
  DType dense_shape_dtype = DType::invalid;  // there is none
  PartialShape indices_shape = {};
  bool is_compatible_with(const IndexedSlices& value) const;
};

namespace data::experimental {
// The same with the element type first.
inline TypeSpec TensorStructure(DType dtype, PartialShape shape) {
  return rill::TensorSpec(std::move(shape), dtype);
}
inline TypeSpec SparseTensorStructure(DType dtype, PartialShape shape) {
  return rill::SparseTensorSpec(std::move(shape), dtype);
}
inline TypeSpec RaggedTensorStructure(DType dtype, PartialShape shape, int ragged_rank) {
  return rill::RaggedTensorSpec(std::move(shape), dtype, ragged_rank);
}
inline TypeSpec TensorArrayStructure(DType dtype, PartialShape element_shape, bool dynamic_size,
                                     bool infer_shape) {
  return rill::TensorArraySpec(std::move(element_shape), dtype, dynamic_size, infer_shape);
}
using OptionalStructure = rill::OptionalSpec;
}  // namespace data::experimental

}  // namespace rill
