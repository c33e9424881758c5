// Elements of datasets, their descriptions and functions on them, between Python and C++.
#include "class_call.h"
#include "data.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "ragged_tensors.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

data::ComponentSpec part_spec_of(nb::handle part) {
  data::ComponentSpec spec;
  spec.kind = static_cast<data::ComponentKind>(small_integer_of(part[0]));
  spec.dtype = base_type(as_dtype(nb::object(part[1])));
  spec.shape = as_shape(nb::object(part[2]));
  spec.ragged_rank = small_integer_of(part[3]);
  spec.splits_dtype = as_dtype(nb::object(part[4]));
  spec.infer_shape = truth_of(part[5]);
  if (const nb::object element = part[6]; !element.is_none())
    spec.element = std::make_shared<const data::ElementSpec>(element_of(element));
  return spec;
}

nb::object give_part_spec(const data::ComponentSpec& spec) {
  return nb::make_tuple(static_cast<int>(spec.kind), dtype_object(spec.dtype),
                        shape_object(spec.shape), spec.ragged_rank, dtype_object(spec.splits_dtype),
                        spec.infer_shape,
                        spec.element == nullptr ? nb::object(nb::none()) : give(*spec.element));
}

Output tensor_attr(nb::handle value, const char* name) {
  return tensor_object(nb::object(value.attr(name))).output;
}

RaggedTensor ragged_of_object(nb::handle value) {
  RaggedTensor ragged;
  ragged.flat_values = tensor_attr(value, "flat_values");
  for (nb::handle splits : nb::object(value.attr("nested_row_splits")))
    ragged.nested_row_splits.push_back(tensor_object(splits).output);
  return ragged;
}

TensorArray tensor_array_of(nb::handle value) {
  const DType dtype = as_dtype(nb::object(value.attr("dtype")));
  TensorArrayOptions options;
  options.element_shape = as_shape(nb::object(value.attr("element_shape")));
  return TensorArray(TensorArrayBuilder(current_scope(), dtype, tensor_attr(value, "handle"),
                                        tensor_attr(value, "flow"), options));
}

nb::object give_array(const TensorArray& array) {
  return package::tensor_array(dtype_object(array.dtype()),
                               nb::arg("handle") = give(array.handle()),
                               nb::arg("flow") = give(array.flow()),
                               nb::arg("element_shape") = shape_object(array.element_shape()));
}

nb::object give_part(const data::Component& part) {
  const data::ComponentSpec spec = part.spec();
  switch (spec.kind) {
    case data::ComponentKind::kTensor:
      break;
    case data::ComponentKind::kSparse:
      return give(part.sparse());
    case data::ComponentKind::kRagged:
      return give(part.ragged());
    case data::ComponentKind::kTensorArray:
      return give_array(part.tensor_array());
    case data::ComponentKind::kDataset:
    case data::ComponentKind::kOptional:
      return nb::make_tuple(static_cast<int>(spec.kind), give(part.nested().variant),
                            give(part.nested().element));
  }
  return give(part.tensor());
}

}  // namespace

data::ElementSpec element_of(nb::handle element) {
  data::ElementSpec spec;
  for (nb::handle part : nb::object(element[0])) spec.parts.push_back(part_spec_of(part));
  spec.form = keep(nb::object(element[1]));
  return spec;
}

nb::object give(const data::ElementSpec& element) {
  nb::list parts;
  for (const data::ComponentSpec& part : element.parts) parts.append(give_part_spec(part));
  return nb::make_tuple(parts, kept(element.form));
}

namespace {

bool is_list_of_datasets(nb::handle value) {
  if (!PyList_Check(value.ptr()) || PyList_GET_SIZE(value.ptr()) == 0) return false;
  for (nb::handle item : value)
    if (is_tensor(item) || !nb::hasattr(item, "_nested")) return false;
  return true;
}

data::Component nested_of(nb::handle value, Output variant) {
  const nb::object nested = value.attr("_nested");
  return data::Nested{static_cast<data::ComponentKind>(small_integer_of(nested[0])),
                      variant.node ? variant : tensor_object(nb::object(nested[1])).output,
                      element_of(nb::object(nested[2]))};
}

// The datasets, of one kind of elements, in a vector.
data::Component packed_datasets(nb::handle list) {
  std::vector<Input> variants;
  for (nb::handle item : list) variants.push_back(nested_of(item, {}).nested().variant);
  return nested_of(nb::object(list[0]), raw::Pack(variants));
}

}  // namespace

data::Component part_of(nb::handle value) {
  if (is_tensor(value)) return tensor_object(value).output;
  if (is_sparse(value)) return sparse_of(value);
  if (nb::isinstance(value, package::ragged_tensor.get())) return ragged_of_object(value);
  if (nb::isinstance(value, package::tensor_array.get())) return tensor_array_of(value);
  if (is_list_of_datasets(value)) return packed_datasets(value);
  if (nb::hasattr(value, "_nested")) return nested_of(value, {});
  return any_input(value, "component");
}

data::Components parts_of(nb::handle values) {
  data::Components parts;
  for (nb::handle value : values) parts.push_back(part_of(value));
  return parts;
}

nb::object give(const data::Components& parts) {
  nb::list values;
  for (const data::Component& part : parts) values.append(give_part(part));
  return values;
}

nb::object give(const data::Dataset& dataset) {
  return nb::cast(DatasetObject{dataset, wrap(default_graph())});
}

data::ElementFunction element_function(nb::object f) {
  const nb::object name = nb::getattr(f, "__name__", nb::str("function"));
  return {str_of(name), [f](const data::Components& parts) -> data::ElementFunction::Result {
            const nb::object body = wrap(default_graph());
            const nb::object result = f(give(parts));
            return {parts_of(nb::object(result[0])), keep(nb::object(result[1]))};
          }};
}

}  // namespace rill::python
