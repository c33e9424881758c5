#include <algorithm>
#include <limits>

#include "rill/io/saved_model_parts.h"
#include "rill/runtime/session/saved_model.h"
#include "rill/serve/rest/json_numbers.h"
#include "rill/serve/rest/json_tensor.h"
#include "rill/serve/rest/json_value.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

using InputTypes = std::map<std::string, DType>;  // of a signature, by name

InputTypes inputs_of(const SignatureDef& signature) {
  InputTypes inputs;
  for (const auto& [name, info] : signature.inputs())
    inputs[name] = dtype_from_proto(static_cast<int>(info.dtype()));
  return inputs;
}

// One element of an array as a number of the wanted kind.
template <class T>
T element(const JsonValue& value, DType dtype) {
  if constexpr (std::is_same_v<T, std::string>) {
    return json_bytes(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    bool flag = false;
    if (value.get(flag) != simdjson::SUCCESS) json_type_error(value, dtype_name(dtype));
    return flag;
  } else if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
    Wide number = 0;
    // What fits an int32 is taken for the narrower types too, and cut off.
    constexpr bool is_narrow = sizeof(T) < 4;
    using Range = std::conditional_t<is_narrow, std::int32_t, T>;
    if (value.get(number) != simdjson::SUCCESS || number > std::numeric_limits<Range>::max() ||
        number < std::numeric_limits<Range>::min())
      json_type_error(value, dtype_name(dtype));
    return static_cast<T>(number);
  } else {
    double number = 0;
    std::string_view text;
    if (value.get(number) != simdjson::SUCCESS &&
        !(value.get(text) == simdjson::SUCCESS && is_number_word(text, &number)))
      json_type_error(value, dtype_name(dtype));
    return static_cast<T>(static_cast<float>(number));
  }
}
template <>
double element<double>(const JsonValue& value, DType dtype) {
  double number = 0;
  std::string_view text;
  if (value.get(number) != simdjson::SUCCESS &&
      !(value.get(text) == simdjson::SUCCESS && is_number_word(text, &number)))
    json_type_error(value, dtype_name(dtype));
  return number;
}

// Puts nested lists of one shape into memory that has room for them.
template <class T>
class Filler {
 public:
  Filler(DType dtype, const Dims& dims, T* to) : dtype_(dtype), dims_(dims), to_(to) {}

  void fill(const JsonValue& value, int level) {
    JsonArray items;
    if (value.get(items) != simdjson::SUCCESS) {
      require(level == dims_.size(), "JSON Value: ", json_excerpt(value),
              " found at incorrect level: ", level + 1,
              " in the JSON DOM. Expected at level: ", dims_.size());
      *to_++ = element<T>(value, dtype_);
      return;
    }
    check_list(value, items, level);
    if (level + 1 < dims_.size()) {
      for (const JsonValue item : items) fill(item, level + 1);
      return;
    }
    for (const JsonValue item : items) {
      if (item.is_array()) check_list(item, item.get_array().value_unsafe(), level + 1);
      *to_++ = element<T>(item, dtype_);
    }
  }

 private:
  void check_list(const JsonValue& value, const JsonArray& items, int level) const {
    if (level >= dims_.size()) json_type_error(value, dtype_name(dtype_));
    const std::size_t size = json_size(items);
    require(static_cast<std::int64_t>(size) == dims_[level],
            "Encountered list at unexpected size: ", size, " at level: ", level,
            " expected size: ", dims_[level]);
  }

  const DType dtype_;
  const Dims& dims_;
  T* to_;
};

// The lengths of the lists that a value begins with.
Dims dims_of(JsonValue value) {
  Dims dims;
  JsonArray items;
  while (value.get(items) == simdjson::SUCCESS) {
    const std::size_t count = json_size(items);
    dims.push_back(static_cast<std::int64_t>(count));
    if (count == 0) break;
    value = *items.begin();
  }
  return dims;
}

// Each element takes at least a byte of the text. What has more is not as regular as it begins, and
// gets no memory.
Tensor tensor_for(DType dtype, const Shape& shape, std::size_t text_size) {
  require(shape.element_count() <= static_cast<std::int64_t>(text_size),
          "Lists that begin with shape ", shape, " are not of equal size further on");
  return Tensor(dtype, shape);
}

template <class F>
void with_type(DType dtype, const JsonValue& value, F&& use) {
  switch (dtype) {
    case DType::f32:
      return use(float{});
    case DType::f64:
      return use(double{});
    case DType::f16:
      return use(half{});
    case DType::bf16:
      return use(bfloat16{});
    case DType::i32:
      return use(std::int32_t{});
    case DType::i16:
      return use(std::int16_t{});
    case DType::i8:
      return use(std::int8_t{});
    case DType::u8:
      return use(std::uint8_t{});
    case DType::u16:
      return use(std::uint16_t{});
    case DType::i64:
      return use(std::int64_t{});
    case DType::u32:
      return use(std::uint32_t{});
    case DType::u64:
      return use(std::uint64_t{});
    case DType::boolean:
      return use(bool{});
    case DType::string:
      return use(std::string{});
    default:
      raise(Code::kUnimplemented, "Conversion of JSON Value: ", json_excerpt(value),
            " to type: ", dtype_name(dtype));
  }
}

Tensor whole_tensor(const JsonValue& value, DType dtype, std::size_t text_size) {
  const Dims dims = dims_of(value);
  const Tensor tensor = tensor_for(dtype, Shape(dims.span()), text_size);
  with_type(dtype, value,
            [&]<class T>(T) { Filler<T>(dtype, dims, tensor.data<T>()).fill(value, 0); });
  return tensor;
}

// Values of one input that come one by one and become the rows of one tensor.
class Rows {
 public:
  Rows(DType dtype, std::size_t count, std::size_t text_size)
      : dtype_(dtype), count_(count), text_size_(text_size) {}

  void add(const JsonValue& value) {
    if (added_ == 0)
      begin(value);
    else
      check(value);
    with_type(dtype_, value, [&]<class T>(T) {
      Filler<T>(dtype_, dims_, tensor_.data<T>() + added_ * row_).fill(value, 0);
    });
    ++added_;
  }
  Tensor tensor() { return std::move(tensor_); }

 private:
  void begin(const JsonValue& value) {
    dims_ = dims_of(value);
    row_ = static_cast<std::size_t>(Shape(dims_.span()).element_count());
    Dims all;
    all.push_back(static_cast<std::int64_t>(count_));
    for (const std::int64_t dim : dims_.span()) all.push_back(dim);
    tensor_ = tensor_for(dtype_, Shape(all.span()), text_size_);
  }
  void check(const JsonValue& value) const {
    const Dims dims = dims_of(value);
    if (dims == dims_) return;
    const Shape got(dims.span()), expected(dims_.span());
    require(got.element_count() == expected.element_count(),
            "Expecting tensor size: ", expected.element_count(), " but got: ", got.element_count());
    raise(Code::kInvalidArgument, "Expecting shape ", expected, " but got: ", got);
  }

  const DType dtype_;
  const std::size_t count_, text_size_;
  std::size_t added_ = 0, row_ = 1;
  Dims dims_;
  Tensor tensor_;
};

// Puts elements one after the other, however deep their lists nest.
template <class T>
void read_elements(const JsonValue& value, DType dtype, T** to, const T* end) {
  JsonArray items;
  if (value.get(items) == simdjson::SUCCESS) {
    for (const JsonValue item : items) read_elements(item, dtype, to, end);
    return;
  }
  require(*to < end, "There are more elements than the shape says");
  *(*to)++ = element<T>(value, dtype);
}

// Adds an element to an input, and says which one it was when it does not fit.
void add_element(std::size_t i, const std::string& key, const std::function<void()>& add) {
  try {
    add();
  } catch (const Error& error) {
    if (error.code() != Code::kInvalidArgument) throw;
    raise(Code::kInvalidArgument, "Failed to process element: ", i,
          key.empty() ? "" : " key: " + key,
          " of 'instances' list. Error: Invalid argument: ", error.message());
  }
}

std::map<std::string, Tensor> plain_rows(const JsonArray& items, std::size_t count,
                                         const InputTypes& inputs, std::size_t text_size) {
  require(inputs.size() == 1,
          "instances is a plain list, but expecting list of objects as multiple input tensors "
          "required as per tensorinfo_map");
  Rows rows(inputs.begin()->second, count, text_size);
  std::size_t i = 0;
  for (const JsonValue item : items) {
    add_element(i, "", [&] { rows.add(item); });
    ++i;
  }
  return {{inputs.begin()->first, rows.tensor()}};
}

std::map<std::string, Tensor> named_rows(const JsonArray& items, std::size_t count,
                                         const InputTypes& inputs, std::size_t text_size) {
  std::map<std::string, Rows> rows;
  for (const auto& [name, dtype] : inputs) rows.emplace(name, Rows(dtype, count, text_size));
  std::size_t i = 0;
  for (const JsonValue item : items) {
    JsonObject object;
    require(item.get(object) == simdjson::SUCCESS, "Failed to process element: ", i,
            " of 'instances' list. JSON Value: ", json_excerpt(item), " Is not object");
    for (auto& [name, input] : rows)
      add_element(i, name, [&] {
        JsonValue value;
        require(find(object, name, &value), "JSON object: does not have named input: ", name);
        input.add(value);
      });
    require(object.size() == inputs.size(), "Failed to process element: ", i,
            " of 'instances' list. JSON object: ", json_excerpt(item),
            " keys must be equal to: ", joined_names(inputs));
    ++i;
  }
  std::map<std::string, Tensor> tensors;
  for (auto& [name, input] : rows) tensors[name] = input.tensor();
  return tensors;
}

std::map<std::string, Tensor> row_tensors(const JsonValue& instances, const InputTypes& inputs,
                                          std::size_t text_size) {
  JsonArray items;
  require(instances.get(items) == simdjson::SUCCESS, "JSON Value: ", json_excerpt(instances),
          " Type: ", json_type(instances),
          " is not of expected type: Excepting 'instances' to be an list/array");
  const Dims dims = dims_of(instances);
  require(dims[0] > 0, "JSON Value: ", json_excerpt(instances),
          " not formatted correctly. Expecting 'instances' to be a non-empty list/array");
  const auto count = static_cast<std::size_t>(dims[0]);
  const JsonValue first = *items.begin();
  const bool is_named = first.is_object() && !is_base64_object(first);
  return is_named ? named_rows(items, count, inputs, text_size)
                  : plain_rows(items, count, inputs, text_size);
}

std::map<std::string, Tensor> column_tensors(const JsonValue& given, const InputTypes& inputs,
                                             std::size_t text_size) {
  JsonObject object;
  const bool is_named = given.get(object) == simdjson::SUCCESS && !is_base64_object(given);
  require(is_named || inputs.size() == 1,
          "inputs is a plain value/list, but expecting an object as multiple input tensors "
          "required as per tensorinfo_map");
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, dtype] : inputs) {
    JsonValue value = given;
    require(!is_named || find(object, name, &value), "Missing named input: ", name,
            " in 'inputs' object.");
    tensors[name] = whole_tensor(value, dtype, text_size);
  }
  return tensors;
}

std::string requested_signature_name(const JsonObject& request) {
  JsonValue value;
  std::string_view name;
  if (!find(request, "signature_name", &value)) return saved_model::kDefaultServingSignatureKey;
  if (value.get(name) != simdjson::SUCCESS) json_type_error(value, "string");
  return std::string(name);
}

}  // namespace

Tensor json_tensor(const JsonValue& value, DType dtype, const Shape& shape, std::size_t text_size) {
  require(shape.element_count() <= static_cast<std::int64_t>(text_size),
          "There are fewer elements than the shape ", shape, " says");
  Tensor tensor(dtype, shape);
  with_type(dtype, value, [&]<class T>(T) {
    T* to = tensor.data<T>();
    const T* end = to + tensor.element_count();
    read_elements<T>(value, dtype, &to, end);
    require(to == end, "There are fewer elements than the shape ", shape, " says");
  });
  return tensor;
}

JsonQuestion parse_predict_request(const std::string& body, const Signatures& signatures) {
  if (auto plain = read_number_request(body, signatures)) return *std::move(plain);
  const JsonText text(body);
  const JsonObject request = text.object();
  JsonQuestion parsed;
  parsed.question.signature = requested_signature_name(request);
  const auto signature = signatures.find(parsed.question.signature);
  require(signature != signatures.end(), "Serving signature name: \"", parsed.question.signature,
          "\" not found in signature def");
  const InputTypes inputs = inputs_of(signature->second);
  JsonValue rows, columns;
  const bool has_rows = find(request, "instances", &rows);
  const bool has_columns = find(request, "inputs", &columns);
  require(has_rows || has_columns, "JSON Value: ", json_excerpt(text.root()),
          " not formatted correctly. Missing 'inputs' or 'instances' key");
  require(!has_rows || !has_columns, "JSON Value: ", json_excerpt(text.root()),
          " not formatted correctly. Not expecting both 'inputs' and 'instances' keys");
  parsed.layout = has_rows ? JsonLayout::kRow : JsonLayout::kColumn;
  parsed.question.inputs = has_rows ? row_tensors(rows, inputs, body.size())
                                    : column_tensors(columns, inputs, body.size());
  return parsed;
}

}  // namespace rill::serve
