// Columns, features and what is made of them, between Python and C++.
#include "feature_columns.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "data.h"
#include "kept.h"
#include "numpy.h"
#include "package.h"
#include "ragged_tensors.h"
#include "rill/api/feature_column/parse_spec.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

// A column that its object keeps.
struct KeptColumn {
  columns::ColumnRef column;
};

void set_foreign(const columns::ColumnRef& column, nb::handle object) {
  const_cast<columns::FeatureColumn&>(*column).foreign = {keep(object), repr_of(object)};
}

// Whether an object's class is one of ours.
bool is_built_in(nb::handle object, const std::string& kind) {
  return package::column_kinds.get().attr("get")(kind).is(object.type());
}

// Made once. It stands for an equal object, so that no two hold each other.
columns::ColumnRef built_in_column(nb::handle object) {
  const std::string kind = str_of(nb::object(object.type().attr("__name__")));
  if (!is_built_in(object, kind)) return nullptr;
  const nb::object attributes = object.attr("__dict__");
  const nb::object held = attributes.attr("get")("_kept");
  if (!held.is_none()) return nb::cast<KeptColumn&>(held).column;
  const columns::ColumnRef column = column_of_kind(kind, object);
  set_foreign(column, nb::object(object.type().attr("_make")(object)));
  attributes["_kept"] = nb::cast(KeptColumn{column});
  return column;
}

// A number or nested tuples of them.
nb::object as_tuples(nb::handle value) {
  if (!PyList_Check(value.ptr())) return nb::borrow(value);
  nb::list items;
  for (nb::handle item : value) items.append(as_tuples(item));
  return nb::tuple(items);
}

nb::object default_object(const OptionalInput& value) {
  if (!value) return nb::none();
  if (!value->is_value()) return give(value->output());
  const nb::object array = numpy_from_tensor(value->value(DType::invalid));
  if (PyBytes_Check(array.ptr())) return array.attr("decode")();
  return as_tuples(array.attr("tolist")());
}

struct FeatureObject {
  nb::object shape(const PartialShape& shape) const {
    nb::list dims;
    for (const std::int64_t dim : shape.dims()) dims.append(dim);
    return nb::tuple(dims);
  }
  nb::object operator()(const FixedLenFeature& f) const {
    return package::fixed_len_feature(shape(f.shape), dtype_object(f.dtype),
                                      default_object(f.default_value));
  }
  nb::object operator()(const VarLenFeature& f) const {
    return package::var_len_feature(dtype_object(f.dtype));
  }
  nb::object operator()(const SparseFeature& f) const {
    nb::list keys, sizes;
    for (const std::string& key : f.index_keys) keys.append(key.c_str());
    for (const std::int64_t size : f.sizes) sizes.append(size);
    const bool one = f.sizes.size() == 1;
    return package::sparse_feature(
        one ? nb::object(keys[0]) : nb::object(keys), f.value_key.c_str(), dtype_object(f.dtype),
        one ? nb::object(sizes[0]) : nb::object(sizes), f.already_sorted);
  }
  nb::object operator()(const FixedLenSequenceFeature& f) const {
    return package::fixed_len_sequence_feature(shape(f.shape), dtype_object(f.dtype),
                                               f.allow_missing, default_object(f.default_value));
  }
};

}  // namespace

bool is_column(nb::handle object) {
  const nb::handle type = object.type();
  return nb::hasattr(type, "transform_feature") || nb::hasattr(type, "_transform_feature");
}

columns::ColumnRef column_of(nb::handle object) {
  if (columns::ColumnRef column = building([&] { return built_in_column(object); })) return column;
  const columns::ColumnRef column = programs_column(object);
  if (column == nullptr)
    value_error("Items of feature_columns must be a _FeatureColumn. Given (type ",
                type_name_of(object), "): ", str_of(object), ".");
  set_foreign(column, object);
  return column;
}

columns::Columns columns_of(nb::handle objects) {
  if (PyDict_Check(objects.ptr()))
    value_error("Expected feature_columns to be iterable, found dict.");
  if (is_column(objects)) return {column_of(objects)};
  columns::Columns all;
  for (nb::handle object : nb::borrow(objects)) all.push_back(column_of(object));
  return all;
}

nb::object column_object(const columns::FeatureColumn& column) {
  return kept(column.foreign.object);
}

columns::Features column_features(nb::handle dict) {
  if (!nb::hasattr(dict, "items"))
    value_error("We expected a dictionary here. Instead we got: ", repr_of(dict));
  columns::Features features;
  for (nb::handle item : nb::object(dict.attr("items")())) {
    if (!PyUnicode_Check(nb::object(item[0]).ptr())) continue;
    features.emplace(str_of(nb::object(item[0])), part_of(nb::object(item[1])));
  }
  return features;
}

nb::object give(const columns::Transformed& value) {
  if (const auto* ids = std::get_if<columns::IdWeightPair>(&value))
    return nb::make_tuple(give(ids->id_tensor),
                          ids->weight_tensor ? give(*ids->weight_tensor) : nb::object(nb::none()));
  if (const auto* sparse = std::get_if<SparseTensor>(&value)) return give(*sparse);
  return give(std::get<Output>(value));
}

columns::Transformed transformed_of(nb::handle value) {
  if (is_sparse(value)) return sparse_of(value);
  if (PyTuple_Check(value.ptr()) && PyTuple_Size(value.ptr()) == 2 &&
      is_sparse(nb::object(value[0]))) {
    columns::IdWeightPair pair{sparse_of(nb::object(value[0])), {}};
    if (const nb::object weights = value[1]; !weights.is_none())
      pair.weight_tensor = sparse_of(weights);
    return pair;
  }
  return as_tensor(input_of(value, DType::invalid, "", "x"), "x");
}

void bind_kept_columns(nb::module_& m) { nb::class_<KeptColumn>(m, "KeptColumn"); }

nb::object give(const rill::Features& spec) {
  nb::dict result;
  for (const auto& [key, feature] : spec)
    result[key.c_str()] = std::visit(FeatureObject(), feature);
  return result;
}

}  // namespace rill::python
