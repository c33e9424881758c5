// The methods of tf.feature_column's columns.
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "feature_columns.h"
#include "rill/api/feature_column/columns.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

template <class Kind>
const Kind& as(const columns::ColumnRef& column, const char* what) {
  const auto* kind = dynamic_cast<const Kind*>(column.get());
  if (kind == nullptr) value_error(column->text(), " is no ", what, ".");
  return *kind;
}

// Calls `make` with the column, its features and what it asks for variables.
template <class Make>
nb::object made_by(nb::handle object, BuilderObject& builder, nb::handle manager,
                   nb::handle collections, nb::handle trainable, const Make& make) {
  const InCallersPlace place({});
  const columns::ColumnRef column = column_of(object);
  ChosenState own(manager, collections, trainable);
  const bool fixed = builder.state != nullptr && manager.is_none() && collections.is_none();
  columns::StateManager& state = fixed ? *builder.state : own.get();
  return building([&] { return make(column, builder.get(), state); });
}

nb::object transform(nb::handle object, BuilderObject& builder, nb::handle manager) {
  return made_by(object, builder, manager, nb::none(), nb::none(),
                 [](const columns::ColumnRef& column, auto& cache, auto& state) {
                   return give(column->transform_feature(cache, state));
                 });
}

nb::object dense_tensor(nb::handle object, BuilderObject& builder, nb::handle manager,
                        nb::handle collections, nb::handle trainable) {
  return made_by(
      object, builder, manager, collections, trainable,
      [](const columns::ColumnRef& column, auto& cache, auto& state) {
        return give(
            as<columns::DenseColumn>(column, "dense column").get_dense_tensor(cache, state));
      });
}

nb::object sparse_tensors(nb::handle object, BuilderObject& builder, nb::handle manager,
                          nb::handle collections, nb::handle trainable) {
  return made_by(object, builder, manager, collections, trainable,
                 [](const columns::ColumnRef& column, auto& cache, auto& state) {
                   return give(columns::Transformed(
                       as<columns::CategoricalColumn>(column, "categorical column")
                           .get_sparse_tensors(cache, state)));
                 });
}

nb::object sequence_tensors(nb::handle object, BuilderObject& builder, nb::handle manager,
                            nb::handle collections, nb::handle trainable) {
  return made_by(object, builder, manager, collections, trainable,
                 [](const columns::ColumnRef& column, auto& cache, auto& state) -> nb::object {
                   const auto made = as<columns::SequenceDenseColumn>(column, "sequence column")
                                         .get_sequence_dense_tensor(cache, state);
                   return nb::make_tuple(give(made.dense_tensor), give(made.sequence_length));
                 });
}

nb::object column_variable_shape(nb::handle object) {
  const columns::ColumnRef column = column_of(object);
  if (const auto* steps = dynamic_cast<const columns::SequenceDenseColumn*>(column.get()))
    return shape_object(steps->sequence_shape());
  return shape_object(as<columns::DenseColumn>(column, "dense column").variable_shape());
}

void create_state(nb::handle object, nb::handle manager) {
  const InCallersPlace place({});
  ChosenState state(manager, nb::none(), nb::none());
  const columns::ColumnRef column = column_of(object);
  building([&] { column->create_state(state.get()); });
}

}  // namespace

void bind_feature_column_methods(nb::module_& m) {
  m.def("check_column", [](nb::handle column) { column_of(column); });
  const auto check_shared = [](nb::handle given, std::int64_t dimension, nb::handle name) {
    std::vector<columns::CategoricalRef> all;
    for (nb::handle object : nb::borrow(given)) {
      all.push_back(std::dynamic_pointer_cast<const columns::CategoricalColumn>(column_of(object)));
      if (all.back() == nullptr)
        value_error("All categorical_columns must be subclasses of _CategoricalColumn. Given: ",
                    str_of(object), ", of type: ", type_name_of(object));
    }
    columns::SharedEmbeddingOptions named;
    named.shared_embedding_collection_name = text_or_empty(name);
    return building([&] {
      return columns::shared_embedding_columns(all, dimension, named)[0]
          ->shared_embedding_collection_name;
    });
  };
  m.def("check_shared_columns", check_shared, nb::arg(), nb::arg(), nb::arg("name").none());
  m.def("column_name", [](nb::handle column) { return column_of(column)->name(); });
  m.def("column_scope", [](nb::handle column) { return column_of(column)->var_scope_name(); });
  m.def("column_spec", [](nb::handle column) {
    const columns::ColumnRef held = column_of(column);
    return building([&] { return give(held->parse_example_spec()); });
  });
  m.def("column_buckets", [](nb::handle column) {
    const columns::ColumnRef held = column_of(column);
    return as<columns::CategoricalColumn>(held, "categorical column").num_buckets();
  });
  m.def("column_shape", column_variable_shape);
  m.def("column_create_state", create_state);
  m.def("column_transform", transform, nb::arg(), nb::arg(), nb::arg("manager").none());
  const auto def = [&](const char* name, auto function) {
    m.def(name, function, nb::arg(), nb::arg(), nb::arg("manager").none(),
          nb::arg("collections").none(), nb::arg("trainable").none());
  };
  def("column_dense", dense_tensor);
  def("column_sparse", sparse_tensors);
  def("column_sequence", sequence_tensors);
}

}  // namespace rill::python
