#include "rill/api/data/element.h"

#include <variant>

#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/list.h"
#include "rill/api/gen/ragged.h"
#include "rill/api/gen/sparse.h"
#include "rill/base/error.h"

namespace rill::data {
namespace {

Output serialized(const SparseTensor& x) {
  return raw::SerializeSparse(x.indices, x.values, x.dense_shape, {.out_type = DType::variant});
}

Tensor full_shape(const PartialShape& shape) {
  return Tensor::of<std::int64_t>({shape.rank()}, shape.dims());
}

SparseTensor deserialized(const ComponentSpec& spec, Output carrier) {
  const auto parts = raw::DeserializeSparse(carrier, spec.dtype);
  Graph& graph = carrier.node->graph();
  graph.refine_shape(parts.sparse_indices, PartialShape{-1, spec.shape.rank()});
  graph.refine_shape(parts.sparse_shape, PartialShape{spec.shape.rank()});
  SparseTensor result;
  result.indices = parts.sparse_indices;
  result.values = parts.sparse_values;
  result.dense_shape = parts.sparse_shape;
  if (spec.shape.is_full()) result.dense_shape = as_tensor(full_shape(spec.shape), "shape");
  result.hint = spec.shape;
  return result;
}

Output ragged_variant(const RaggedTensor& x, bool batched) {
  return raw::RaggedTensorToVariant(as_inputs(x.nested_row_splits), x.flat_values, batched);
}

// A row of a ragged tensor that has one ragged dimension: a tensor. The op gives one ragged
// dimension at least, so it gets the row as the only one.
Component row_of(const ComponentSpec& spec, Output carrier) {
  const Output only = raw::ExpandDims(carrier, Tensor::scalar<std::int32_t>(0));
  const Output values =
      raw::RaggedTensorFromVariant(only, /*input_ragged_rank=*/0, 1, spec.dtype, spec.splits_dtype)
          .output_dense_values;
  carrier.node->graph().refine_shape(values, spec.shape);
  return values;
}

Component ragged_of(const ComponentSpec& spec, Output carrier) {
  if (spec.ragged_rank == 0) return row_of(spec, carrier);
  const auto parts = raw::RaggedTensorFromVariant(carrier, /*input_ragged_rank=*/-1,
                                                  spec.ragged_rank, spec.dtype, spec.splits_dtype);
  Graph& graph = carrier.node->graph();
  if (spec.shape.has_rank()) {
    const std::int64_t rows = spec.shape.dim(0);
    graph.refine_shape(parts.output_nested_splits[0], PartialShape{rows < 0 ? -1 : rows + 1});
    PartialShape values{-1};
    for (int i = spec.ragged_rank + 1; i < spec.shape.rank(); ++i)
      values.add_dim(spec.shape.dim(i));
    graph.refine_shape(parts.output_dense_values, values);
  }
  return RaggedTensor{parts.output_dense_values, parts.output_nested_splits};
}

Tensor shape_tensor(const PartialShape& shape) {
  if (!shape.has_rank()) return Tensor::scalar<std::int32_t>(-1);
  std::vector<std::int32_t> dims;
  for (const std::int64_t dim : shape.dims()) dims.push_back(static_cast<std::int32_t>(dim));
  return Tensor::of<std::int32_t>({shape.rank()}, std::span<const std::int32_t>(dims));
}

// Tensor arrays end with the step that made them; a list of tensors can stay.
Output list_of(const TensorArray& array) {
  return raw::TensorListFromTensor(array.stack(), shape_tensor(array.element_shape()));
}

TensorArray array_of(const ComponentSpec& spec, Output carrier) {
  const Output size = raw::TensorListLength(carrier);
  const TensorArray array(spec.dtype, size,
                          {.infer_shape = spec.infer_shape, .element_shape = spec.shape});
  return array.unstack(raw::TensorListStack(carrier, shape_tensor(spec.shape), spec.dtype));
}

}  // namespace

struct Component::Held {
  std::variant<Input, SparseTensor, RaggedTensor, TensorArray, Nested> value;
};

std::shared_ptr<const Component::Held> Component::hold(Input tensor) {
  return std::make_shared<const Held>(Held{std::move(tensor)});
}
Component::Component(SparseTensor sparse)
    : held_(std::make_shared<const Held>(Held{std::move(sparse)})) {}
Component::Component(RaggedTensor ragged)
    : held_(std::make_shared<const Held>(Held{std::move(ragged)})) {}
Component::Component(TensorArray array)
    : held_(std::make_shared<const Held>(Held{std::move(array)})) {}
Component::Component(Nested nested)
    : held_(std::make_shared<const Held>(Held{std::move(nested)})) {}

ComponentSpec Component::spec() const {
  if (std::holds_alternative<Input>(held_->value))
    return ComponentSpec::tensor(base_type(tensor().dtype()), tensor().shape());
  if (const auto* sparse = std::get_if<SparseTensor>(&held_->value))
    return ComponentSpec::sparse(sparse->dtype(), sparse->shape());
  if (const auto* ragged = std::get_if<RaggedTensor>(&held_->value))
    return {.kind = ComponentKind::kRagged,
            .dtype = ragged->dtype(),
            .shape = ragged->shape(),
            .ragged_rank = ragged->ragged_rank(),
            .splits_dtype = ragged->splits_type()};
  if (const auto* array = std::get_if<TensorArray>(&held_->value))
    return {.kind = ComponentKind::kTensorArray,
            .dtype = array->dtype(),
            .shape = array->element_shape()};
  const Nested& nested = std::get<Nested>(held_->value);
  return {.kind = nested.kind,
          .dtype = DType::variant,
          .shape = nested.variant.shape(),
          .element = std::make_shared<const ElementSpec>(nested.element)};
}

Output Component::carrier() const {
  if (std::holds_alternative<Input>(held_->value)) return tensor();
  if (const auto* sparse = std::get_if<SparseTensor>(&held_->value)) return serialized(*sparse);
  if (const auto* ragged = std::get_if<RaggedTensor>(&held_->value))
    return ragged_variant(*ragged, false);
  if (const auto* array = std::get_if<TensorArray>(&held_->value)) return list_of(*array);
  return std::get<Nested>(held_->value).variant;
}

Output Component::rows_carrier() const {
  if (const auto* sparse = std::get_if<SparseTensor>(&held_->value)) {
    require(!sparse->shape().has_rank() || sparse->shape().rank() > 0,
            "Unbatching a sparse tensor is only supported for rank >= 1");
    return raw::SerializeManySparse(sparse->indices, sparse->values, sparse->dense_shape,
                                    {.out_type = DType::variant});
  }
  if (const auto* ragged = std::get_if<RaggedTensor>(&held_->value))
    return ragged_variant(*ragged, true);
  require(!std::holds_alternative<TensorArray>(held_->value),
          "Slicing dataset elements is not supported for tensor arrays");
  return carrier();
}

Component Component::of(const ComponentSpec& spec, Output carrier) {
  switch (spec.kind) {
    case ComponentKind::kTensor:
      break;
    case ComponentKind::kSparse:
      return deserialized(spec, carrier);
    case ComponentKind::kRagged:
      return ragged_of(spec, carrier);
    case ComponentKind::kTensorArray:
      return array_of(spec, carrier);
    case ComponentKind::kDataset:
    case ComponentKind::kOptional:
      return Nested{spec.kind, carrier, *spec.element};
  }
  return carrier;
}

template <class T>
const T& Component::as(const char* what) const {
  const T* value = std::get_if<T>(&held_->value);
  if (value == nullptr)
    require_type(false, "the part of the element is ", to_text(spec()), ", not ", what);
  return *value;
}
Output Component::tensor() const {
  const Input& input = as<Input>("a tensor");
  return input.is_output() ? input.output() : as_tensor(input);
}
const SparseTensor& Component::sparse() const { return as<SparseTensor>("a sparse tensor"); }
const RaggedTensor& Component::ragged() const { return as<RaggedTensor>("a ragged tensor"); }
const TensorArray& Component::tensor_array() const { return as<TensorArray>("a tensor array"); }
const Nested& Component::nested() const { return as<Nested>("a dataset or optional"); }

Component Component::as_tensors(std::string_view name) const {
  const Input* input = std::get_if<Input>(&held_->value);
  return input == nullptr ? *this : Component(as_tensor(*input, name));
}

Components normalized(const Components& parts) {
  Components result;
  for (const Component& part : parts)
    result.push_back(part.as_tensors(str_cat("component_", result.size())));
  return result;
}

ElementSpec spec_of(const Components& parts) {
  ElementSpec spec;
  for (const Component& part : parts) spec.parts.push_back(part.spec());
  return spec;
}

std::vector<Output> carriers(const Components& parts) {
  std::vector<Output> result;
  for (const Component& part : parts) result.push_back(part.carrier());
  return result;
}

Components parts_of(const ElementSpec& spec, std::span<const Output> carriers) {
  require(spec.parts.size() == carriers.size(), "Expected ", spec.parts.size(), " tensors but got ",
          carriers.size(), ".");
  Components parts;
  for (std::size_t i = 0; i < carriers.size(); ++i)
    parts.push_back(Component::of(spec.parts[i], carriers[i]));
  return parts;
}

}  // namespace rill::data
