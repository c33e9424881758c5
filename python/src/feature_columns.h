#pragma once

#include "call.h"
#include "rill/api/feature_column/columns.h"

namespace rill::python {

namespace columns = feature_column;

bool is_column(nb::handle object);  // by its class
// The column that an object of Python stands for: one of the named tuples of rill.feature_column,
// or one of a program's own class. Raises ValueError for anything else, or where a field cannot be.
columns::ColumnRef column_of(nb::handle object);
// One or several.
columns::Columns columns_of(nb::handle objects);
// The object that a column stands for.
nb::object column_object(const columns::FeatureColumn& column);

// A dict of tensors, sparse tensors and what becomes one.
columns::Features column_features(nb::handle dict);
nb::object give(const columns::Transformed& value);
columns::Transformed transformed_of(nb::handle value);
nb::object give(const rill::Features& spec);  // a dict of what _features.py has

// The column of one of our kinds that has the fields of an object; throws where a field cannot be.
columns::ColumnRef column_of_kind(const std::string& kind, nb::handle object);
// Columns of a program's own classes; empty where the object is none.
columns::ColumnRef programs_column(nb::handle object);

// What columns ask for variables and tables: where `manager` is None, variables are those of the
// variable scope and belong to `collections`.
struct ChosenState {
  ChosenState(nb::handle manager, nb::handle collections, nb::handle trainable);
  columns::StateManager& get() { return *state; }
  std::shared_ptr<columns::StateManager> state;
};

// tf.feature_column's cache of what was made of features. `cache` is gone when the function that
// made it has returned.
struct BuilderObject {
  std::shared_ptr<columns::FeatureTransformationCache> cache;
  columns::StateManager* state = nullptr;  // of the function that made it; null: the caller's

  columns::FeatureTransformationCache& get() const;
};

void bind_kept_columns(nb::module_& m);
void bind_feature_columns(nb::module_& m);
void bind_feature_column_functions(nb::module_& m);
void bind_feature_column_methods(nb::module_& m);

}  // namespace rill::python
