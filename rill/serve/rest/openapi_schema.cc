#include "rill/serve/rest/openapi_schema.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "rill/io/saved_model_parts.h"
#include "rill/serve/kserve/types.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

using DimsView = std::span<const std::int64_t>;
constexpr std::int64_t kMaxSampleElements = 1000;

constexpr TypeSet kJsonTypes = kRealTypes | DType::boolean | DType::string;

TensorForms forms_of(const google::protobuf::Map<std::string, tensorflow::TensorInfo>& infos) {
  TensorForms forms;
  for (const auto& [name, info] : infos) {
    TensorForm& form = forms[name];
    form.dtype = dtype_from_proto(static_cast<int>(info.dtype()));
    if (info.tensor_shape().unknown_rank()) continue;
    form.dims.emplace();
    for (const auto& dim : info.tensor_shape().dim()) form.dims->push_back(dim.size());
  }
  return forms;
}

void write_element_schema(DType dtype, JsonWriter* json) {
  if (dtype == DType::string) {
    json->raw(R"({"$ref": "#/components/schemas/Text"})");
    return;
  }
  json->object([&] {
    if (dtype == DType::boolean) {
      json->key("type").text("boolean");
    } else if (kFloatTypes.contains(dtype)) {
      json->key("type").text("number");
      json->key("format").text(dtype == DType::f64 ? "double" : "float");
    } else {
      json->key("type").text("integer");
      const bool is_wide = element_size(dtype) == 8 || dtype == DType::u32;
      json->key("format").text(is_wide ? "int64" : "int32");
    }
  });
}

// Nested lists, from the outermost to the elements.
void write_nested_schema(DType dtype, DimsView dims, JsonWriter* json) {
  if (dims.empty()) return write_element_schema(dtype, json);
  json->object([&] {
    json->key("type").text("array");
    if (dims[0] >= 0) {
      json->key("minItems").number(dims[0]);
      json->key("maxItems").number(dims[0]);
    }
    json->key("items");
    write_nested_schema(dtype, dims.subspan(1), json);
  });
}

std::string described(const TensorForm& form) {
  std::vector<std::string> dims;
  if (!form.dims) return str_cat(form.dtype, " of any shape");
  for (const std::int64_t dim : *form.dims) dims.push_back(dim < 0 ? "?" : str_cat(dim));
  return str_cat(form.dtype, "[", join(dims, ","), "]");
}

// A tensor, or one of its rows.
void write_tensor_schema(const TensorForm& form, bool is_row, JsonWriter* json) {
  json->object([&] {
    json->key("description").text(described(form));
    if (!form.dims) return;
    json->key("allOf").list([&] {
      write_nested_schema(form.dtype, DimsView(*form.dims).subspan(is_row ? 1 : 0), json);
    });
  });
}

void write_members_schema(const TensorForms& forms, bool is_row, JsonWriter* json) {
  json->object([&] {
    json->key("type").text("object");
    if (!forms.empty())
      json->key("required").list([&] {
        for (const auto& [name, form] : forms) json->text(name);
      });
    json->key("properties").object([&] {
      for (const auto& [name, form] : forms) {
        json->key(name);
        write_tensor_schema(form, is_row, json);
      }
    });
  });
}

// Of one tensor the value alone will do.
void write_values_schema(const TensorForms& forms, bool is_row, bool may_be_named,
                         JsonWriter* json) {
  if (forms.size() != 1) return write_members_schema(forms, is_row, json);
  if (!may_be_named) return write_tensor_schema(forms.begin()->second, is_row, json);
  json->object([&] {
    json->key("anyOf").list([&] {
      write_tensor_schema(forms.begin()->second, is_row, json);
      write_members_schema(forms, is_row, json);
    });
  });
}

template <class F>
void write_request_schema(const SignatureForm& signature, const char* key, JsonWriter* json,
                          const F& write_value) {
  const bool is_default = signature.name == saved_model::kDefaultServingSignatureKey;
  json->object([&] {
    json->key("type").text("object");
    json->key("required").list([&] {
      json->text(key);
      if (!is_default) json->text("signature_name");
    });
    json->key("properties").object([&] {
      json->key("signature_name").object([&] {
        json->key("type").text("string");
        json->key("enum").list([&] { json->text(signature.name); });
      });
      json->key(key);
      write_value();
    });
  });
}

void write_list_schema(JsonWriter* json, const auto& write_item) {
  json->object([&] {
    json->key("type").text("array");
    json->key("minItems").number(1);
    json->key("items");
    write_item();
  });
}

std::int64_t sample_elements(const TensorForm& form) {
  std::int64_t count = 1;
  for (const std::int64_t dim : form.dims.value_or(std::vector<std::int64_t>())) {
    if (dim > kMaxSampleElements) return dim;
    count *= dim < 0 ? 1 : dim;
    if (count > kMaxSampleElements) break;
  }
  return count;
}

void write_nested_sample(DType dtype, DimsView dims, JsonWriter* json) {
  if (!dims.empty()) {
    json->list([&] {
      for (std::int64_t i = 0; i < (dims[0] < 0 ? 1 : dims[0]); ++i)
        write_nested_sample(dtype, dims.subspan(1), json);
    });
  } else if (dtype == DType::string) {
    json->text("");
  } else if (dtype == DType::boolean) {
    json->boolean(false);
  } else {
    json->raw(kFloatTypes.contains(dtype) ? "1.0" : "0");
  }
}

// A tensor of a request to KServe's path: its elements are in one list, whatever the shape.
void write_infer_input(const std::string& name, const TensorForm& form, JsonWriter* json) {
  std::vector<std::int64_t> dims = form.dims.value_or(std::vector<std::int64_t>());
  for (std::int64_t& dim : dims) dim = std::abs(dim);
  const std::int64_t count = sample_elements(form);
  json->object([&] {
    json->key("name").text(name);
    json->key("datatype").text(kserve_type(form.dtype));
    json->key("shape").list([&] {
      for (const std::int64_t dim : dims) json->number(dim);
    });
    json->key("data");
    write_nested_sample(form.dtype, {&count, 1}, json);
  });
}

void write_sample(const TensorForms& forms, bool is_row, JsonWriter* json) {
  const auto write_one = [&](const TensorForm& form) {
    const std::vector<std::int64_t> dims = form.dims.value_or(std::vector<std::int64_t>());
    write_nested_sample(form.dtype, DimsView(dims).subspan(is_row ? 1 : 0), json);
  };
  if (forms.size() == 1) return write_one(forms.begin()->second);
  json->object([&] {
    for (const auto& [name, form] : forms) {
      json->key(name);
      write_one(form);
    }
  });
}

// As many rows as an input says, or one.
std::int64_t sample_rows(const TensorForms& forms) {
  std::int64_t rows = 1;
  for (const auto& [name, form] : forms)
    if (form.dims && !form.dims->empty()) rows = std::max(rows, form.dims->front());
  return rows;
}

void write_request_sample(const SignatureForm& signature, JsonWriter* json,
                          const auto& write_value) {
  json->object([&] {
    if (signature.name != saved_model::kDefaultServingSignatureKey)
      json->key("signature_name").text(signature.name);
    write_value();
  });
}

bool all_have_rows(const TensorForms& forms) {
  return !forms.empty() && std::ranges::all_of(forms, [](const auto& form) {
    return form.second.dims && !form.second.dims->empty();
  });
}

}  // namespace

bool SignatureForm::takes_rows() const { return all_have_rows(inputs); }
bool SignatureForm::gives_rows() const { return all_have_rows(outputs); }

std::vector<SignatureForm> json_signatures(const Signatures& signatures) {
  std::vector<SignatureForm> forms;
  for (const auto& [name, signature] : signatures) {
    using namespace saved_model;
    const std::string& method = signature.method_name();
    if (method != kPredictMethod && method != kClassifyMethod && method != kRegressMethod) continue;
    SignatureForm form{name, forms_of(signature.inputs()), forms_of(signature.outputs()),
                       method == kPredictMethod};
    const auto is_known = [](const auto& tensor) {
      return kJsonTypes.contains(tensor.second.dtype);
    };
    if (std::ranges::all_of(form.inputs, is_known) && std::ranges::all_of(form.outputs, is_known))
      forms.push_back(std::move(form));
  }
  return forms;
}

void write_rows_schema(const SignatureForm& signature, JsonWriter* json) {
  write_request_schema(signature, "instances", json, [&] {
    write_list_schema(json, [&] { write_values_schema(signature.inputs, true, true, json); });
  });
}

void write_columns_schema(const SignatureForm& signature, JsonWriter* json) {
  write_request_schema(signature, "inputs", json,
                       [&] { write_values_schema(signature.inputs, false, true, json); });
}

void write_row_answer_schema(const SignatureForm& signature, JsonWriter* json) {
  json->object([&] {
    json->key("type").text("object");
    json->key("required").list([&] { json->text("predictions"); });
    json->key("properties").object([&] {
      json->key("predictions").object([&] {
        json->key("type").text("array");
        json->key("items");
        write_values_schema(signature.outputs, true, false, json);
      });
    });
  });
}

void write_column_answer_schema(const SignatureForm& signature, JsonWriter* json) {
  json->object([&] {
    json->key("type").text("object");
    json->key("required").list([&] { json->text("outputs"); });
    json->key("properties").object([&] {
      json->key("outputs");
      write_values_schema(signature.outputs, false, false, json);
    });
  });
}

bool has_sample(const SignatureForm& signature) {
  if (!signature.takes_tensors) return false;
  std::int64_t count = 0;
  for (const auto& [name, form] : signature.inputs) count += sample_elements(form);
  return count <= kMaxSampleElements;
}

void write_rows_sample(const SignatureForm& signature, JsonWriter* json) {
  write_request_sample(signature, json, [&] {
    json->key("instances").list([&] {
      for (std::int64_t i = 0; i < sample_rows(signature.inputs); ++i)
        write_sample(signature.inputs, true, json);
    });
  });
}

void write_columns_sample(const SignatureForm& signature, JsonWriter* json) {
  write_request_sample(signature, json, [&] {
    json->key("inputs");
    write_sample(signature.inputs, false, json);
  });
}

void write_infer_sample(const SignatureForm& signature, JsonWriter* json) {
  json->object([&] {
    if (signature.name != saved_model::kDefaultServingSignatureKey)
      json->key("parameters").object([&] { json->key("signature_name").text(signature.name); });
    json->key("inputs").list([&] {
      for (const auto& [name, form] : signature.inputs) write_infer_input(name, form, json);
    });
  });
}

}  // namespace rill::serve
