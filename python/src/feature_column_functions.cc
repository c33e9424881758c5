// tf.feature_column's functions, and the methods of its columns.
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "feature_columns.h"
#include "numpy.h"
#include "rill/api/feature_column/features_layer.h"
#include "rill/api/feature_column/parse_spec.h"
#include "sparse_tensors.h"
#include "variables.h"

namespace rill::python {
namespace {

std::vector<std::string> collection_names(nb::handle names) {
  std::vector<std::string> all;
  if (names.is_none()) return all;
  for (nb::handle name : nb::borrow(names)) all.push_back(str_of(name));
  return all;
}

nb::list variable_list(const std::vector<Variable>& variables) {
  nb::list list;
  for (const Variable& variable : variables) list.append(give(variable));
  return list;
}

// Fills the dict that a program gave; None: nobody wants to know.
template <class T, class ToObject>
void fill_per_column(nb::handle dict, const columns::PerColumn<T>& made,
                     const ToObject& to_object) {
  if (dict.is_none()) return;
  for (const auto& [column, value] : made)
    dict.attr("__setitem__")(column ? column_object(*column) : nb::object(nb::str("bias")),
                             to_object(value));
}

columns::InputLayerOptions input_layer_options(const Call& call) {
  columns::InputLayerOptions options;
  options.weight_collections = collection_names(call["weight_collections"]);
  options.trainable = call.flag("trainable");
  return options;
}

nb::object input_layer_of(const Call& call) {
  columns::PerColumn<std::vector<Variable>> variables;
  columns::PerColumn<Output> outputs;
  columns::InputLayerOptions options = input_layer_options(call);
  if (call.has("cols_to_vars")) options.cols_to_vars = &variables;
  if (call.has("cols_to_output_tensors")) options.cols_to_output_tensors = &outputs;
  const columns::Columns columns = columns_of(call["feature_columns"]);
  const Output result = columns::input_layer(column_features(call["features"]), columns, options);
  fill_per_column(call["cols_to_vars"], variables, variable_list);
  fill_per_column(call["cols_to_output_tensors"], outputs,
                  [](Output output) { return give(output); });
  return give(result);
}

// input_layer inside of a scope that is open already.
nb::object input_layer_here(nb::handle features, nb::handle objects, nb::handle collections,
                            bool trainable) {
  const InCallersPlace place({});
  columns::InputLayerOptions options;
  options.weight_collections = collection_names(collections);
  options.trainable = trainable;
  options.own_scope = false;
  const columns::Columns columns = columns_of(objects);
  const columns::Features tensors = column_features(features);
  return building([&] { return give(columns::input_layer(tensors, columns, options)); });
}

nb::object linear_model_of(const Call& call) {
  columns::PerColumn<std::vector<Variable>> variables;
  columns::LinearModelOptions options;
  options.units = call.integer("units");
  options.sparse_combiner = call.text("sparse_combiner");
  options.weight_collections = collection_names(call["weight_collections"]);
  options.trainable = call.flag("trainable");
  if (call.has("cols_to_vars")) options.cols_to_vars = &variables;
  const columns::Columns columns = columns_of(call["feature_columns"]);
  const Output result = columns::linear_model(column_features(call["features"]), columns, options);
  fill_per_column(call["cols_to_vars"], variables, variable_list);
  return give(result);
}

// Columns whose raw features are to be parsed.
columns::Columns parsed_columns(nb::handle given) {
  columns::Columns columns;
  for (nb::handle column : nb::borrow(given)) {
    if (!is_column(column))
      value_error("All feature_columns must be _FeatureColumn instances. Given: ", str_of(column));
    columns.push_back(column_of(column));
  }
  return columns;
}

std::optional<Tensor> label_default(const Call& call) {
  if (!call.has("label_default")) return {};
  return tensor_from_value(call["label_default"], DType::invalid);
}

estimator::WeightColumn weight_column(nb::handle given) {
  if (given.is_none()) return {};
  if (PyUnicode_Check(given.ptr())) return str_of(given);
  if (!is_column(given))
    value_error(
        "weight_column should be an instance of tf.feature_column.numeric_column. Given type: ",
        type_name_of(given), " value: ", str_of(given));
  return column_of(given);
}

const Function kFunctions[] = {
    {"feature_column.input_layer(features, feature_columns, weight_collections=None, "
     "trainable=True, cols_to_vars=None, cols_to_output_tensors=None)",
     input_layer_of, "The dense columns of a batch side by side."},
    {"feature_column.linear_model(features, feature_columns, units=1, sparse_combiner='sum', "
     "weight_collections=None, trainable=True, cols_to_vars=None)",
     linear_model_of, "Weighted sums of all columns, and a bias."},
    {"feature_column.make_parse_example_spec(feature_columns)",
     [](const Call& call) {
       return give(columns::make_parse_example_spec(parsed_columns(call["feature_columns"])));
     },
     "What tf.io.parse_example needs to read the features of the columns."},
    {"estimator.classifier_parse_example_spec(feature_columns, label_key, label_dtype=tf.int64, "
     "label_default=None, weight_column=None)",
     [](const Call& call) {
       return give(estimator::classifier_parse_example_spec(
           parsed_columns(call["feature_columns"]), call.text("label_key"),
           {call.dtype("label_dtype"), label_default(call), weight_column(call["weight_column"])}));
     },
     "What tf.io.parse_example needs to read features and classes."},
    {"estimator.regressor_parse_example_spec(feature_columns, label_key, label_dtype=tf.float32, "
     "label_default=None, label_dimension=1, weight_column=None)",
     [](const Call& call) {
       return give(estimator::regressor_parse_example_spec(
           parsed_columns(call["feature_columns"]), call.text("label_key"),
           {call.dtype("label_dtype"), label_default(call), call.integer("label_dimension"),
            weight_column(call["weight_column"])}));
     },
     "What tf.io.parse_example needs to read features and numbers."},
    {"contrib.feature_column.sequence_input_layer(features, feature_columns, "
     "weight_collections=None, trainable=True)",
     [](const Call& call) -> nb::object {
       const columns::Columns columns = columns_of(call["feature_columns"]);
       const auto made = columns::sequence_input_layer(column_features(call["features"]), columns,
                                                       input_layer_options(call));
       return nb::make_tuple(give(made.dense_tensor), give(made.sequence_length));
     },
     "The sequences of the columns side by side, and their lengths."},
    {"contrib.feature_column.concatenate_context_input(context_input, sequence_input)",
     [](const Call& call) {
       return give(columns::concatenate_context_input(call.input("context_input"),
                                                      call.input("sequence_input")));
     },
     "What is known of each example beside every step of its sequence."},
};

// --- layers --------------------------------------------------------------------------------------

// The columns of a layer in their order.
nb::list layer_columns(nb::handle objects, bool of_sequences) {
  const columns::Columns given = columns_of(objects);
  const columns::Columns columns = building([&] { return columns::sorted_columns(given); });
  building([&] {
    of_sequences ? columns::require_sequences(columns) : columns::require_dense(columns);
  });
  nb::list list;
  for (const columns::ColumnRef& column : columns) list.append(column_object(*column));
  return list;
}

template <class Make>
nb::object in_layer(nb::handle features, nb::handle objects, nb::handle manager, const Make& make) {
  const InCallersPlace place({});
  const columns::Columns columns = columns_of(objects);
  columns::FeatureTransformationCache cache(column_features(features));
  ChosenState state(manager, nb::none(), nb::none());
  return building([&] { return make(cache, columns, state.get()); });
}

nb::object dense_layer(nb::handle features, nb::handle objects, nb::handle manager,
                       nb::handle outputs) {
  return in_layer(features, objects, manager, [&](auto& cache, auto& columns, auto& state) {
    columns::PerColumn<Output> made;
    const Output result = columns::dense_features(cache, columns, state, &made);
    fill_per_column(outputs, made, [](Output output) { return give(output); });
    return give(result);
  });
}

nb::object sequence_layer(nb::handle features, nb::handle objects, nb::handle manager) {
  return in_layer(features, objects, manager,
                  [](auto& cache, auto& columns, auto& state) -> nb::object {
                    const auto made = columns::sequence_features(cache, columns, state);
                    return nb::make_tuple(give(made.dense_tensor), give(made.sequence_length));
                  });
}

}  // namespace

void bind_feature_column_functions(nb::module_& m) {
  add_functions(kFunctions);
  m.def("input_layer_here", input_layer_here, nb::arg(), nb::arg(), nb::arg("collections").none(),
        nb::arg("trainable"));
  m.def("transform_features", [](nb::handle features, nb::handle objects) {
    const InCallersPlace place({});
    const columns::Columns columns = columns_of(objects);
    const columns::Features tensors = column_features(features);
    nb::dict made;
    for (const auto& [column, value] :
         building([&] { return columns::transform_features(tensors, columns); }))
      made[column_object(*column)] = give(value);
    return made;
  });
  m.def("layer_columns", layer_columns);
  m.def("create_column_states", [](nb::handle objects, nb::handle manager, std::string layer) {
    const InCallersPlace place({});
    const columns::Columns columns = columns_of(objects);
    ChosenState state(manager, nb::none(), nb::none());
    building([&] { columns::create_states(columns, state.get(), layer); });
  });
  m.def("dense_features", dense_layer, nb::arg(), nb::arg(), nb::arg(), nb::arg("outputs").none());
  m.def("sequence_features", sequence_layer);
}

}  // namespace rill::python
