#include "rill/serve/rest/kserve.h"

#include "rill/serve/kserve/model_info.h"
#include "rill/serve/kserve/types.h"
#include "rill/serve/rest/json_text.h"
#include "rill/serve/rest/json_value.h"

namespace rill::serve {
namespace {

std::string text_member(const JsonObject& object, const char* key) {
  JsonValue value;
  std::string_view text;
  require(find(object, key, &value), "Missing '", key, "'");
  if (value.get(text) != simdjson::SUCCESS) json_type_error(value, "string");
  return std::string(text);
}

bool find_list(const JsonObject& object, const char* key, JsonArray* list) {
  JsonValue value;
  if (!find(object, key, &value)) return false;
  require(value.get(*list) == simdjson::SUCCESS, "'", key, "' is no list");
  return true;
}

Shape shape_of(const JsonObject& input, const std::string& name) {
  JsonArray list;
  require(find_list(input, "shape", &list), "Input ", name, " has no 'shape'");
  Dims dims;
  for (const JsonValue item : list) {
    std::int64_t dim = -1;
    require(item.get(dim) == simdjson::SUCCESS && dim >= 0, "The shape of input ", name,
            " has the dimension ", json_excerpt(item));
    dims.push_back(dim);
  }
  return Shape(dims.span());
}

// A member of "parameters", if there is one of this type.
template <class T>
bool parameter(const JsonObject& object, const char* key, T* to) {
  JsonValue parameters, value;
  JsonObject members;
  return find(object, "parameters", &parameters) && parameters.get(members) == simdjson::SUCCESS &&
         find(members, key, &value) && value.get(*to) == simdjson::SUCCESS;
}

// The value of an input: in the JSON, or the next of the bytes behind it.
Tensor value_of(const JsonObject& input, const std::string& name, std::size_t json_size,
                std::string_view* bytes) {
  const DType dtype = parse_kserve_type(text_member(input, "datatype"));
  const Shape shape = shape_of(input, name);
  std::int64_t size = 0;
  JsonValue data;
  if (!parameter(input, "binary_data_size", &size)) {
    require(find(input, "data", &data), "Input ", name, " has no 'data'");
    constexpr TypeSet kNarrow = DType::i8 | DType::u8 | DType::i16 | DType::u16;
    if (kNarrow.contains(dtype))
      return narrowed(json_tensor(data, DType::i32, shape, json_size), dtype);
    return json_tensor(data, dtype, shape, json_size);
  }
  require(size >= 0 && static_cast<std::uint64_t>(size) <= bytes->size(), "Input ", name,
          " is said to have ", size, " bytes, of which ", bytes->size(), " were sent");
  const Tensor tensor =
      tensor_of_bytes(bytes->substr(0, static_cast<std::size_t>(size)), dtype, shape);
  bytes->remove_prefix(static_cast<std::size_t>(size));
  return tensor;
}

void append_shape(const auto& dims, std::string* text) {
  *text += '[';
  bool is_first = true;
  for (const std::int64_t dim : dims)
    *text += str_cat(std::exchange(is_first, false) ? "" : ",", dim);
  *text += ']';
}

void append_list(const auto& items, std::string* text, const auto& append) {
  bool is_first = true;
  *text += '[';
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) *text += ',';
    append(item);
  }
  *text += ']';
}
void append_texts(const auto& texts, std::string* text) {
  append_list(texts, text, [&](const std::string& item) { append_json_string(item, text); });
}
void append_tensors(const auto& tensors, std::string* text) {
  append_list(tensors, text, [&](const auto& tensor) {
    *text += "{\"name\":";
    append_json_string(tensor.name(), text);
    *text += str_cat(",\"datatype\":\"", tensor.datatype(), "\",\"shape\":");
    append_shape(tensor.shape(), text);
    *text += '}';
  });
}

void check_parameters(const JsonObject& object) {
  JsonValue parameters;
  JsonObject members;
  if (!find(object, "parameters", &parameters)) return;
  require(parameters.get(members) == simdjson::SUCCESS, "'parameters' is no object");
  for (const auto& [name, value] : members) check_kserve_parameter(name);
}

}  // namespace

KServeQuestion parse_infer_request(const std::string& body, std::size_t json_size,
                                   const Signatures& signatures) {
  require(json_size <= body.size(), "Inference-Header-Content-Length is more than the body has");
  const std::string header = json_size == body.size() ? std::string() : body.substr(0, json_size);
  const JsonText text(json_size == body.size() ? body : header);
  const JsonObject request = text.object();
  KServeQuestion parsed;
  JsonValue value;
  check_parameters(request);
  if (find(request, "id", &value)) parsed.id = text_member(request, "id");
  std::string_view signature;
  if (parameter(request, "signature_name", &signature)) parsed.question.signature = signature;
  parameter(request, "binary_data_output", &parsed.all_binary);
  require(signatures.contains(signature_name_of(parsed.question.signature)),
          "Serving signature name: \"", signature_name_of(parsed.question.signature),
          "\" not found in signature def");
  JsonArray list;
  std::string_view bytes = std::string_view(body).substr(json_size);
  require(find_list(request, "inputs", &list), "Missing 'inputs'");
  for (const JsonValue item : list) {
    JsonObject input;
    require(item.get(input) == simdjson::SUCCESS, "An input is no object: ", json_excerpt(item));
    const std::string name = text_member(input, "name");
    check_parameters(input);
    require(parsed.question.inputs.emplace(name, value_of(input, name, json_size, &bytes)).second,
            "Input ", name, " is given twice");
  }
  require(bytes.empty(), "There are ", bytes.size(), " bytes that belong to no input");
  if (!find_list(request, "outputs", &list)) return parsed;
  for (const JsonValue item : list) {
    JsonObject output;
    require(item.get(output) == simdjson::SUCCESS, "An output is no object: ", json_excerpt(item));
    const std::string name = text_member(output, "name");
    check_parameters(output);
    bool is_binary = parsed.all_binary;
    parameter(output, "binary_data", &is_binary);
    if (is_binary) parsed.binary_outputs.insert(name);
    parsed.question.output_filter.push_back(name);
  }
  parsed.all_binary = parsed.all_binary && parsed.question.output_filter.empty();
  return parsed;
}

KServeAnswer infer_response(const ServableId& id, const KServeQuestion& question,
                            const std::map<std::string, Tensor>& outputs) {
  std::string text = "{\"model_name\":", bytes;
  append_json_string(id.name, &text);
  text += str_cat(",\"model_version\":\"", id.version, "\"");
  if (!question.id.empty()) {
    text += ",\"id\":";
    append_json_string(question.id, &text);
  }
  text += ",\"outputs\":[";
  bool is_first = true;
  for (const auto& [name, tensor] : outputs) {
    if (!std::exchange(is_first, false)) text += ',';
    text += "{\"name\":";
    append_json_string(name, &text);
    text += str_cat(",\"datatype\":\"", kserve_type(tensor.dtype()), "\",\"shape\":");
    append_shape(tensor.shape().dims(), &text);
    if (question.all_binary || question.binary_outputs.contains(name)) {
      const std::string own = tensor_bytes(tensor);
      text += str_cat(",\"parameters\":{\"binary_data_size\":", own.size(), "}}");
      bytes += own;
    } else {
      text += ",\"data\":";
      append_json_elements(tensor, &text);
      text += '}';
    }
  }
  text += "]}";
  const std::size_t json_size = text.size();
  return {std::move(text) + bytes, json_size};
}

std::string as_json(const inference::ServerMetadataResponse& server) {
  std::string text = "{\"name\":";
  append_json_string(server.name(), &text);
  text += ",\"version\":";
  append_json_string(server.version(), &text);
  text += ",\"extensions\":";
  append_texts(server.extensions(), &text);
  return text += '}';
}

std::string as_json(const inference::ModelMetadataResponse& model) {
  std::string text = "{\"name\":";
  append_json_string(model.name(), &text);
  text += ",\"versions\":";
  append_texts(model.versions(), &text);
  text += ",\"platform\":";
  append_json_string(model.platform(), &text);
  text += ",\"inputs\":";
  append_tensors(model.inputs(), &text);
  text += ",\"outputs\":";
  append_tensors(model.outputs(), &text);
  return text += '}';
}

std::string as_json(const inference::RepositoryIndexResponse& index) {
  std::string text;
  append_list(index.models(), &text, [&](const auto& model) {
    text += "{\"name\":";
    append_json_string(model.name(), &text);
    text += ",\"version\":";
    append_json_string(model.version(), &text);
    text += ",\"state\":";
    append_json_string(model.state(), &text);
    text += ",\"reason\":";
    append_json_string(model.reason(), &text);
    text += '}';
  });
  return text;
}

bool wants_only_ready(const std::string& body) {
  if (body.empty()) return false;
  const JsonText text(body);
  JsonValue value;
  bool ready = false;
  return find(text.object(), "ready", &value) && value.get(ready) == simdjson::SUCCESS && ready;
}

}  // namespace rill::serve
