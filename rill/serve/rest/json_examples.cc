#include "rill/serve/rest/json_examples.h"

#include "rill/serve/rest/json_text.h"
#include "rill/serve/rest/json_value.h"
#include "tensorflow_serving/apis/input.pb.h"

namespace rill::serve {
namespace {

using tensorflow::Feature;

// The kind of list that a value goes into.
Feature::KindCase list_kind_of(const JsonValue& value) {
  double number = 0;
  if (value.is_bool() || value.is_int64() || value.is_uint64()) return Feature::kInt64List;
  if (value.is_double()) return Feature::kFloatList;
  if (value.is_string() && is_number_word(value.get_string().value_unsafe(), &number))
    return Feature::kFloatList;
  if (value.is_string() || is_base64_object(value)) return Feature::kBytesList;
  return Feature::KIND_NOT_SET;
}

const char* kind_name(Feature::KindCase kind) {
  switch (kind) {
    case Feature::kInt64List:
      return "int64";
    case Feature::kFloatList:
      return "float";
    default:
      return "bytes";
  }
}

void add_value(const JsonValue& value, const std::string& name, Feature* feature) {
  switch (list_kind_of(value)) {
    case Feature::kInt64List: {
      std::int64_t number = 0;
      bool flag = false;
      if (value.get(flag) == simdjson::SUCCESS)
        number = flag ? 1 : 0;
      else
        require(value.get(number) == simdjson::SUCCESS, "Feature: ", name,
                " value: ", json_excerpt(value), " is out of the range of int64");
      feature->mutable_int64_list()->add_value(number);
      return;
    }
    case Feature::kFloatList: {
      double number = 0;
      if (value.get(number) != simdjson::SUCCESS)
        is_number_word(value.get_string().value_unsafe(), &number);
      feature->mutable_float_list()->add_value(static_cast<float>(number));
      return;
    }
    case Feature::kBytesList:
      feature->mutable_bytes_list()->add_value(json_bytes(value));
      return;
    default:
      raise(Code::kInvalidArgument, "Unexpected type for feature: ", name,
            ". Expecting bool, number, string or base64 object, got JSON Value: ",
            json_excerpt(value));
  }
}

void fill_feature(const JsonValue& value, const std::string& name, Feature* feature) {
  JsonArray items;
  if (value.get(items) != simdjson::SUCCESS) return add_value(value, name, feature);
  Feature::KindCase kind = Feature::KIND_NOT_SET;
  for (const JsonValue item : items) {
    if (kind == Feature::KIND_NOT_SET) kind = list_kind_of(item);
    require(list_kind_of(item) == kind, "Unexpected element type in feature: ", name,
            " expecting type: ", kind_name(kind));
    add_value(item, name, feature);
  }
}

void fill_example(const JsonValue& value, const char* what, tensorflow::Example* example) {
  JsonObject object;
  require(value.get(object) == simdjson::SUCCESS, what,
          " must be JSON object but got JSON Value: ", json_excerpt(value));
  auto& features = *example->mutable_features()->mutable_feature();
  for (const auto& [key, member] : object) {
    const std::string name(key);
    fill_feature(member, name, &features[name]);
  }
}

}  // namespace

void parse_examples_request(const std::string& body, tensorflow::serving::ModelSpec* spec,
                            tensorflow::serving::Input* input) {
  const JsonText text(body);
  const JsonObject request = text.object();
  JsonValue value;
  if (find(request, "signature_name", &value)) {
    std::string_view name;
    if (value.get(name) != simdjson::SUCCESS) json_type_error(value, "string");
    spec->set_signature_name(std::string(name));
  }
  JsonArray items;
  require(find(request, "examples", &value), "When method is classify or regress, 'examples' key ",
          "is expected and was not found");
  require(value.get(items) == simdjson::SUCCESS && json_size(items) > 0,
          "JSON Value: ", json_excerpt(value),
          " not formatted correctly. 'examples' value must be a non-empty list/array");
  JsonValue context;
  const bool has_context = find(request, "context", &context);
  if (has_context)
    fill_example(context, "context", input->mutable_example_list_with_context()->mutable_context());
  for (const JsonValue item : items)
    fill_example(item, "Example",
                 has_context ? input->mutable_example_list_with_context()->add_examples()
                             : input->mutable_example_list()->add_examples());
}

std::string classify_response(const tensorflow::serving::ClassificationResult& result) {
  std::string text = "{\n    \"results\": [";
  for (int row = 0; row < result.classifications_size(); ++row) {
    text += row > 0 ? ", [" : "[";
    bool is_first = true;
    for (const auto& one : result.classifications(row).classes()) {
      text += std::exchange(is_first, false) ? "[" : ", [";
      append_json_string(one.label(), &text);
      text += ", ";
      append_json_decimal(one.score(), &text);
      text += "]";
    }
    text += "]";
  }
  return text += "\n    ]\n}";
}

std::string regress_response(const tensorflow::serving::RegressionResult& result) {
  std::string text = "{\n    \"results\": [";
  for (int row = 0; row < result.regressions_size(); ++row) {
    if (row > 0) text += ", ";
    append_json_decimal(result.regressions(row).value(), &text);
  }
  return text += "\n    ]\n}";
}

}  // namespace rill::serve
