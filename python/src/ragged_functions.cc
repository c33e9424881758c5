// What tf.RaggedTensor (python/rill/_ragged_tensor.py) is made of: ragged tensors pass as tuples of
// their tensors, (flat_values, row_splits...).
#include "array_functions.h"
#include "errors.h"
#include "inputs.h"
#include "operators.h"
#include "package.h"
#include "plain_values.h"
#include "ragged_tensors.h"
#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/ragged/elementwise.h"
#include "rill/api/ragged/ragged_picking.h"
#include "shapes.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

RaggedTensor ragged_of_parts(nb::handle parts) {
  RaggedTensor result;
  for (nb::handle part : parts) {
    const Output tensor = tensor_object(part).output;
    if (result.flat_values.node) {
      result.nested_row_splits.push_back(tensor);
    } else {
      result.flat_values = tensor;
    }
  }
  return result;
}

nb::object give_ragged(const RaggedTensor& ragged) {
  nb::list parts;
  parts.append(give(ragged.flat_values));
  for (const Output& splits : ragged.nested_row_splits) parts.append(give(splits));
  return nb::tuple(parts);
}

// `values` is a tuple of the parts of a ragged tensor, or what becomes a tensor.
nb::object with_splits(const Call& call, const Input& splits) {
  const ragged::FromOptions options{.validate = call.flag("validate"), .name = call.name()};
  const nb::handle values = call["values"];
  if (call.flag("is_ragged"))
    return give_ragged(ragged::from_row_splits(ragged_of_parts(values), splits, options));
  return give_ragged(ragged::from_row_splits(call.input("values"), splits, options));
}

Output count_of(const Call& call, DType type) {
  if (call.flag("is_ragged")) return ragged::nrows(ragged_of_parts(call["values"]));
  return parts::item(shape(call.input("values"), {.out_type = type}), 0);
}

bool is_nested(nb::handle value) {
  return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || is_tensor(value) ||
         nb::hasattr(value, "__len__");
}

// A vector of lengths, or a tuple or list of vectors.
std::vector<Input> lengths_arg(nb::handle lengths) {
  if (lengths.is_none()) return {};
  const bool is_list = PyList_Check(lengths.ptr()) || PyTuple_Check(lengths.ptr());
  std::vector<Input> all;
  if (is_list && nb::len(lengths) > 0 && is_nested(nb::object(lengths[0]))) {
    for (nb::handle part : lengths) all.push_back(input_of(part, DType::invalid, "", "lengths"));
  } else {
    all.push_back(input_of(lengths, DType::invalid, "", "lengths"));
  }
  return all;
}

// Whether a list holds integers, or nothing at all.
bool holds_integers(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    return PyIndex_Check(value.ptr()) && !nb::hasattr(value, "dtype");
  return nb::len(value) == 0 || holds_integers(nb::object(value[0]));
}

// Rows of lists are int64, also where the list is empty; arrays and tensors keep their type.
Input rows_arg(const Call& call, const char* name) {
  const DType type = holds_integers(call[name]) ? DType::i64 : DType::invalid;
  return call.input(name, type);
}

const Function kRagged[] = {
    {"ragged_from_row_splits(values, is_ragged, row_splits, name, validate)",
     [](const Call& call) { return with_splits(call, rows_arg(call, "row_splits")); }},
    {"ragged_from_row_lengths(values, is_ragged, row_lengths, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_lengths(rows_arg(call, "row_lengths")));
     }},
    {"ragged_from_row_limits(values, is_ragged, row_limits, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_limits(rows_arg(call, "row_limits")));
     }},
    {"ragged_from_row_starts(values, is_ragged, row_starts, name, validate)",
     [](const Call& call) {
       const Output starts = as_tensor(rows_arg(call, "row_starts"), "row_starts");
       return with_splits(
           call, ragged::splits_of_starts(starts, count_of(call, base_type(starts.dtype()))));
     }},
    {"ragged_from_value_rowids(values, is_ragged, value_rowids, nrows, name, validate)",
     [](const Call& call) {
       return with_splits(call, ragged::splits_of_rowids(rows_arg(call, "value_rowids"),
                                                         call.optional_input("nrows")));
     }},
    {"ragged_from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)",
     [](const Call& call) {
       ragged::FromTensorOptions options{
           .lengths = {},
           .padding = call.optional_input("padding"),
           .ragged_rank = static_cast<int>(call.integer("ragged_rank")),
           .row_splits_dtype = call.dtype("row_splits_dtype"),
           .name = call.name()};
       const std::vector<Input> lengths = lengths_arg(call["lengths"]);
       if (lengths.size() > 1)
         return give_ragged(ragged::from_nested_lengths(call.input("tensor"), lengths, options));
       if (!lengths.empty()) options.lengths = lengths[0];
       return give_ragged(ragged::from_tensor(call.input("tensor"), options));
     }},
    {"ragged_from_sparse(st_input, name, row_splits_dtype)",
     [](const Call& call) {
       return give_ragged(ragged::from_sparse(sparse_of(call["st_input"]), call.name(),
                                              call.dtype("row_splits_dtype")));
     }},
    {"ragged_to_tensor(parts, default_value, name)",
     [](const Call& call) {
       return give(ragged::to_tensor(ragged_of_parts(call["parts"]),
                                     call.optional_input("default_value"), call.name()));
     }},
    {"ragged_to_sparse(parts, name)",
     [](const Call& call) {
       return give(ragged::to_sparse(ragged_of_parts(call["parts"]), call.name()));
     }},
    {"ragged_nrows(parts)",
     [](const Call& call) { return give(ragged::nrows(ragged_of_parts(call["parts"]))); }},
    {"ragged_row_lengths(parts, axis)",
     [](const Call& call) {
       return give(ragged::row_lengths(ragged_of_parts(call["parts"]),
                                       static_cast<int>(call.integer("axis"))));
     }},
    {"ragged_bounding_shape(parts, name)",
     [](const Call& call) {
       return give(ragged::bounding_shape(ragged_of_parts(call["parts"]), call.name()));
     }},
    {"ragged_item(parts, key)",
     [](const Call& call) {
       return give(ragged::slice(ragged_of_parts(call["parts"]), slice_keys(call["key"])));
     }},
    {"ragged_same_rows(arguments)",
     [](const Call& call) -> nb::object {
       std::vector<ragged::RaggedOrDense> all;
       for (nb::handle argument : call["arguments"]) all.push_back(ragged_or_dense(argument));
       const auto matched = ragged::with_same_rows(all);
       return nb::make_tuple(give(matched.flat), give_ragged(matched.in_rows(matched.flat[0])));
     }},
    {"ragged_to_variant(value)",
     [](const Call& call) { return give(ragged::to_variant(ragged_or_dense(call["value"]))); }},
    {"ragged_from_variants(variants, ragged_rank, dtype, row_splits_dtype)",
     [](const Call& call) {
       return give(ragged::from_variants(tensor_object(call["variants"]).output,
                                         static_cast<int>(call.integer("ragged_rank")),
                                         call.dtype("dtype"), call.dtype("row_splits_dtype")));
     }},
    {"ragged_of_value(value)",
     [](const Call& call) { return give(ragged_or_dense(call["value"])); }},
    {"ragged_shape(parts)",
     [](const Call& call) { return shape_object(ragged_of_parts(call["parts"]).shape()); }},
    {"ragged_range(starts, limits, deltas, name, row_splits_dtype)",
     [](const Call& call) {
       return give_ragged(ragged::range(
           call.input("starts"), call.input("limits"), call.input("deltas"),
           {.row_splits_dtype = call.dtype("row_splits_dtype"), .name = call.name()}));
     }},
    {"ragged_rowids(splits)",
     [](const Call& call) { return give(ragged::rowids_of_splits(rows_arg(call, "splits"))); }},
    {"ragged_splits(segment_ids, num_segments)",
     [](const Call& call) {
       return give(ragged::splits_of_segments(rows_arg(call, "segment_ids"),
                                              call.optional_input("num_segments")));
     }},
};

}  // namespace

bool is_ragged(nb::handle value) {
  static PyObject* const tensor = package::ragged_tensor.get().release().ptr();
  static PyObject* const of_values = PyObject_GetAttrString(tensor, "_value_type");
  const auto is = [&](PyObject* known) {
    return PyType_IsSubtype(Py_TYPE(value.ptr()), reinterpret_cast<PyTypeObject*>(known)) != 0;
  };
  return is(tensor) || is(of_values);
}

ragged::RaggedOrDense ragged_or_dense(nb::handle value, DType dtype) {
  const auto tensor = [&](nb::handle part, DType type, const char* name) {
    return as_tensor(input_of(part, type, "", name), name, type);
  };
  if (value.is_none()) value_error("None values not supported.");
  if (!is_ragged(value)) return tensor(value, dtype, "rt_input");
  RaggedTensor result;
  nb::object flat = value.attr("flat_values");
  result.flat_values = tensor(flat, is_tensor(flat) ? DType::invalid : dtype, "values");
  for (nb::handle splits : value.attr("nested_row_splits"))
    result.nested_row_splits.push_back(tensor(splits, DType::invalid, "row_splits"));
  return result;
}

nb::object give(const ragged::RaggedOrDense& value) {
  if (const auto* rows = std::get_if<RaggedTensor>(&value)) return give(*rows);
  return give(std::get<Output>(value));
}

nb::object give(const RaggedTensor& ragged) {
  return package::ragged_tensor.get().attr("_of")(give_ragged(ragged));
}

void bind_ragged_functions() { add_functions(kRagged); }

}  // namespace rill::python
