#include "rill/serve/rest/openapi.h"

#include <algorithm>

#include "rill/io/saved_model_parts.h"
#include "rill/serve/model/model.h"
#include "rill/serve/rest/openapi_schema.h"
#include "rill/serve/rest/rest_path.h"

namespace rill::serve {
namespace {

constexpr const char* kOpenApiVersion = "3.0.3";

// What all models have in common.
constexpr const char* kComponents = R"({
  "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
  "responses": {"Error": {"description": "What is wrong", "content": {"application/json": {
    "schema": {"$ref": "#/components/schemas/Error"}}}}},
  "parameters": {
    "version": {"name": "version", "in": "path", "required": true, "description": "a version that is available",
      "schema": {"type": "integer", "format": "int64", "minimum": 0}},
    "input": {"name": "input", "in": "query", "description": "which one a body of one tensor is",
      "schema": {"type": "string"}},
    "output": {"name": "output", "in": "query", "description": "the one that is wanted",
      "schema": {"type": "string"}},
    "shape": {"name": "shape", "in": "query", "description": "of a body of bytes, such as 1,-1,3",
      "schema": {"type": "string"}},
    "signature_name": {"name": "signature_name", "in": "query",
      "description": "that a body of one tensor is for", "schema": {"type": "string"}},
    "label": {"name": "label", "in": "path", "required": true, "description": "that stands for a version",
      "schema": {"type": "string"}}},
  "schemas": {
    "Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}},
    "Text": {"description": "a text, or bytes as base64", "oneOf": [{"type": "string"},
      {"type": "object", "required": ["b64"], "additionalProperties": false,
       "properties": {"b64": {"type": "string", "format": "byte"}}}]},
    "Feature": {"description": "a value, or a list of values of one kind", "anyOf": [
      {"type": "number"}, {"type": "boolean"}, {"$ref": "#/components/schemas/Text"},
      {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "boolean"},
        {"$ref": "#/components/schemas/Text"}]}}]},
    "Example": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Feature"}},
    "Examples": {"type": "object", "required": ["examples"], "properties": {
      "signature_name": {"type": "string"},
      "context": {"$ref": "#/components/schemas/Example"},
      "examples": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Example"}}}},
    "Classes": {"type": "object", "required": ["results"], "properties": {"results": {"type": "array",
      "description": "of each example, of each class, its label and score",
      "items": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {}}}}}},
    "Values": {"type": "object", "required": ["results"], "properties": {"results": {"type": "array",
      "items": {"type": "number", "format": "float"}}}},
    "Status": {"type": "object", "required": ["model_version_status"], "properties": {"model_version_status": {
      "type": "array", "items": {"type": "object", "required": ["version", "state", "status"], "properties": {
        "version": {"type": "string"},
        "state": {"type": "string", "enum": ["UNKNOWN", "START", "LOADING", "AVAILABLE", "UNLOADING", "END"]},
        "status": {"type": "object", "properties": {
          "error_code": {"type": "string"}, "error_message": {"type": "string"}}}}}}}},
    "Tensor": {"type": "object", "required": ["name", "datatype", "shape"], "properties": {
      "name": {"type": "string"},
      "datatype": {"type": "string", "enum": ["BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32",
        "INT64", "FP16", "FP32", "FP64", "BF16", "BYTES"]},
      "shape": {"type": "array", "items": {"type": "integer", "format": "int64", "minimum": 0}},
      "parameters": {"type": "object"},
      "data": {"type": "array", "items": {}}}},
    "InferRequest": {"type": "object", "required": ["inputs"], "properties": {
      "id": {"type": "string"},
      "parameters": {"type": "object"},
      "inputs": {"type": "array", "items": {"$ref": "#/components/schemas/Tensor"}},
      "outputs": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "parameters": {"type": "object"}}}}}},
    "InferResponse": {"type": "object", "required": ["model_name", "outputs"], "properties": {
      "model_name": {"type": "string"},
      "model_version": {"type": "string"},
      "id": {"type": "string"},
      "outputs": {"type": "array", "items": {"$ref": "#/components/schemas/Tensor"}}}},
    "Metadata": {"type": "object", "required": ["model_spec", "metadata"], "properties": {
      "model_spec": {"type": "object"}, "metadata": {"type": "object"}}}
  }
})";

// The forms in which a tensor may come and go in place of JSON, by their media types.
constexpr const char* kOtherForms[] = {"application/octet-stream", "application/x-npy",
                                       "application/x-protobuf"};
constexpr const char* kQuery[] = {"input", "output", "shape", "signature_name"};

template <class F>
void write_json_content(JsonWriter& json, const F& write_media_type, bool has_other_forms = false) {
  json.key("content").object([&] {
    json.key("application/json").object(write_media_type);
    for (const char* form : kOtherForms)
      if (has_other_forms)
        json.key(form).raw(R"({"schema": {"type": "string", "format": "binary"}})");
  });
}

void write_reference(JsonWriter& json, const std::string& name) {
  json.object([&] { json.key("$ref").text("#/components/" + name); });
}

template <class F>
void write_answers(JsonWriter& json, const char* description, const F& write_media_type,
                   bool has_other_forms = false) {
  json.key("responses").object([&] {
    json.key("200").object([&] {
      json.key("description").text(description);
      write_json_content(json, write_media_type, has_other_forms);
    });
    json.key("default");
    write_reference(json, "responses/Error");
  });
}

void write_schema_reference(JsonWriter& json, const std::string& name) {
  json.key("schema");
  write_reference(json, "schemas/" + name);
}

// A GET whose answer is described once for all models.
void write_get(JsonWriter& json, const std::string& path, const char* summary,
               const std::string& schema, const std::string& tag) {
  json.key(path).object([&] {
    json.key("get").object([&] {
      json.key("tags").list([&] { json.text(tag); });
      json.key("summary").text(summary);
      write_answers(json, summary, [&] { write_schema_reference(json, schema); });
    });
  });
}

using WriteSchema = void (*)(const SignatureForm&, JsonWriter*);

// One schema for each signature that has this form.
void write_schemas(JsonWriter& json, const std::vector<SignatureForm>& signatures,
                   WriteSchema write_rows, WriteSchema write_columns) {
  json.key("schema").object([&] {
    json.key("anyOf").list([&] {
      for (const SignatureForm& signature : signatures) {
        if (signature.takes_rows() && signature.gives_rows()) write_rows(signature, &json);
        write_columns(signature, &json);
      }
    });
  });
}

void write_samples(JsonWriter& json, const std::vector<SignatureForm>& signatures) {
  json.key("examples").object([&] {
    const auto write_sample = [&](const SignatureForm& signature, const char* form,
                                  WriteSchema write) {
      json.key(str_cat(signature.name, ", ", form)).object([&] {
        json.key("value");
        write(signature, &json);
      });
    };
    for (const SignatureForm& signature : signatures) {
      if (!has_sample(signature)) continue;
      if (signature.takes_rows() && signature.gives_rows())
        write_sample(signature, "row by row", write_rows_sample);
      write_sample(signature, "input by input", write_columns_sample);
    }
  });
}

void write_predict(JsonWriter& json, const std::string& model,
                   const std::vector<SignatureForm>& signatures) {
  json.key("post").object([&] {
    json.key("tags").list([&] { json.text(model); });
    json.key("summary").text("What the model makes of values");
    json.key("parameters").list([&] {
      for (const char* name : kQuery) write_reference(json, str_cat("parameters/", name));
    });
    json.key("requestBody").object([&] {
      json.key("required").boolean(true);
      write_json_content(
          json,
          [&] {
            write_schemas(json, signatures, write_rows_schema, write_columns_schema);
            write_samples(json, signatures);
          },
          true);
    });
    write_answers(
        json, "In the form of the request",
        [&] {
          write_schemas(json, signatures, write_row_answer_schema, write_column_answer_schema);
        },
        true);
  });
}

// KServe's inference.
void write_infer(JsonWriter& json, const std::string& model,
                 const std::vector<SignatureForm>& signatures) {
  json.key("post").object([&] {
    json.key("tags").list([&] { json.text(model); });
    json.key("summary").text("The same in KServe's protocol");
    json.key("requestBody").object([&] {
      json.key("required").boolean(true);
      write_json_content(json, [&] {
        write_schema_reference(json, "InferRequest");
        json.key("examples").object([&] {
          for (const SignatureForm& signature : signatures)
            if (has_sample(signature))
              json.key(signature.name).object([&] {
                json.key("value");
                write_infer_sample(signature, &json);
              });
        });
      });
    });
    write_answers(json, "Outputs", [&] { write_schema_reference(json, "InferResponse"); });
  });
}

// Classification or regression of examples.
void write_of_examples(JsonWriter& json, const std::string& model, const char* summary,
                       const char* answer) {
  json.key("post").object([&] {
    json.key("tags").list([&] { json.text(model); });
    json.key("summary").text(summary);
    json.key("requestBody").object([&] {
      json.key("required").boolean(true);
      write_json_content(json, [&] { write_schema_reference(json, "Examples"); });
    });
    write_answers(json, summary, [&] { write_schema_reference(json, answer); });
  });
}

void write_model(JsonWriter& json, const Handle& handle) {
  const std::string& name = handle.id().name;
  const std::string path = "/v1/models/" + percent_encoded(name);
  write_get(json, path, "States of the model's versions", "Status", name);
  write_get(json, path + "/metadata", "Signatures of the model", "Metadata", name);
  const Signatures& all = handle.as<ModelServable>().signatures();
  if (const auto signatures = json_signatures(all); !signatures.empty()) {
    json.key(path + ":predict").object([&] { write_predict(json, name, signatures); });
    for (const auto& [place, parameter] : {std::pair("/versions/{version}:predict", "version"),
                                           std::pair("/labels/{label}:predict", "label")})
      json.key(path + place).object([&] {
        json.key("parameters").list([&] {
          write_reference(json, str_cat("parameters/", parameter));
        });
        write_predict(json, name, signatures);
      });
  }
  if (const auto signatures = json_signatures(all); !signatures.empty())
    json.key("/v2/models/" + percent_encoded(name) + "/infer").object([&] {
      write_infer(json, name, signatures);
    });
  const auto has_method = [&](const char* method) {
    return std::ranges::any_of(
        all, [&](const auto& signature) { return signature.second.method_name() == method; });
  };
  if (has_method(saved_model::kClassifyMethod))
    json.key(path + ":classify").object([&] {
      write_of_examples(json, name, "Classes of examples", "Classes");
    });
  if (has_method(saved_model::kRegressMethod))
    json.key(path + ":regress").object([&] {
      write_of_examples(json, name, "Values of examples", "Values");
    });
}

}  // namespace

std::string openapi_document(const std::vector<Handle>& models) {
  JsonWriter json;
  json.object([&] {
    json.key("openapi").text(kOpenApiVersion);
    json.key("info").object([&] {
      json.key("title").text("Models served by rill");
      json.key("version").text("1");
    });
    json.key("servers").list([&] { json.object([&] { json.key("url").text("/"); }); });
    json.key("security").raw(R"([{}, {"token": []}])");  // whether one is needed is not told
    json.key("paths").object([&] {
      for (const Handle& model : models) write_model(json, model);
    });
    json.key("components").raw(kComponents);
  });
  return json.take();
}

}  // namespace rill::serve
