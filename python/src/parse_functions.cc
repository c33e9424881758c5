// tf.io.parse_example and its kin.
#include "array_functions.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "package.h"
#include "parse_features.h"
#include "plain_values.h"
#include "rill/api/parsing/features.h"
#include "shapes.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

DType type_of(nb::handle feature) {
  nb::object dtype = feature.attr("dtype");
  return dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
}

PartialShape feature_shape(nb::handle feature) {
  nb::object shape = feature.attr("shape");
  return shape.is_none() ? PartialShape() : as_shape(shape);
}

OptionalInput default_value(nb::handle feature) {
  nb::object value = feature.attr("default_value");
  if (value.is_none()) return {};
  return input_of(value, is_tensor(value) ? DType::invalid : type_of(feature), "", "default_value");
}

std::vector<std::string> texts(nb::handle value) {
  std::vector<std::string> items;
  if (PyUnicode_Check(value.ptr())) {
    items.push_back(str_of(value));
  } else {
    for (nb::handle item : nb::object(nb::borrow(value))) items.push_back(str_of(item));
  }
  return items;
}

Feature feature_of(nb::handle f, const std::string& key) {
  if (nb::isinstance(f, package::fixed_len_feature.get()))
    return FixedLenFeature{feature_shape(f), type_of(f), default_value(f)};
  if (nb::isinstance(f, package::var_len_feature.get())) return VarLenFeature{type_of(f)};
  if (nb::isinstance(f, package::sparse_feature.get()))
    return SparseFeature{texts(f.attr("index_key")), str_of(f.attr("value_key")), type_of(f),
                         integers(f.attr("size")), truth_of(f.attr("already_sorted"))};
  if (nb::isinstance(f, package::fixed_len_sequence_feature.get()))
    return FixedLenSequenceFeature{feature_shape(f), type_of(f), truth_of(f.attr("allow_missing")),
                                   default_value(f)};
  value_error("Invalid feature ", key, ":", repr_of(f), ".");
}

}  // namespace

Features features_of(nb::handle dict) {
  Features features;
  if (dict.is_none()) return features;
  if (!PyDict_Check(dict.ptr())) type_error("features must be a dict, not ", type_name_of(dict));
  for (auto [key, value] : nb::borrow<nb::dict>(dict)) {
    const std::string name = str_of(key);
    features.emplace(name, feature_of(value, name));
  }
  return features;
}

namespace {

nb::object give_parsed(const ParsedFeatures& parsed) {
  nb::dict result;
  for (const auto& [key, tensor] : parsed)
    result[key.c_str()] = std::visit([](const auto& t) { return give(t); }, tensor);
  return result;
}

io::ParseExampleOptions parse_options(const Call& call) {
  return {.example_names = call.optional_input("example_names", DType::string),
          .name = call.name()};
}

const Function kExampleParsing[] = {
    {"io.parse_example(serialized, features, name=None, example_names=None)",
     [](const Call& call) {
       return give_parsed(io::parse_example(call.input("serialized", DType::string),
                                            features_of(call["features"]), parse_options(call)));
     },
     "The features of a vector of serialised examples."},
    {"io.parse_single_example(serialized, features, name=None, example_names=None)",
     [](const Call& call) {
       return give_parsed(io::parse_single_example(call.input("serialized", DType::string),
                                                   features_of(call["features"]),
                                                   parse_options(call)));
     },
     "The features of a serialised example."},
    {"io.parse_single_sequence_example(serialized, context_features=None, sequence_features=None, "
     "example_name=None, name=None)",
     [](const Call& call) -> nb::object {
       const auto parsed = io::parse_single_sequence_example(
           call.input("serialized", DType::string),
           {.context_features = features_of(call["context_features"]),
            .sequence_features = features_of(call["sequence_features"]),
            .example_name = call.optional_input("example_name", DType::string),
            .name = call.name()});
       return nb::make_tuple(give_parsed(parsed.first), give_parsed(parsed.second));
     },
     "The context and the sequences of a serialised SequenceExample."},
    {"io.parse_sequence_example(serialized, context_features=None, sequence_features=None, "
     "example_names=None, name=None)",
     [](const Call& call) -> nb::object {
       const auto parsed = io::parse_sequence_example(
           call.input("serialized", DType::string),
           {.context_features = features_of(call["context_features"]),
            .sequence_features = features_of(call["sequence_features"]),
            .example_name = call.optional_input("example_names", DType::string),
            .name = call.name()});
       nb::dict lengths;
       for (const auto& [key, length] : parsed.lengths) lengths[key.c_str()] = give(length);
       return nb::make_tuple(give_parsed(parsed.context), give_parsed(parsed.sequences), lengths);
     },
     "The contexts, sequences and their lengths of serialised SequenceExamples."},
};

}  // namespace

void bind_parse_functions() { add_functions(kExampleParsing); }

}  // namespace rill::python
