#include <algorithm>
#include <charconv>

#include "rill/serve/rest/base64.h"
#include "rill/serve/rest/json_tensor.h"
#include "rill/serve/rest/json_text.h"

namespace rill::serve {
namespace {

// A number, into memory that has room for any.
template <class T>
char* write_number(const T& value, char* to) {
  if constexpr (std::is_same_v<T, bool>) {
    return std::ranges::copy(std::string_view(value ? "true" : "false"), to).out;
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_chars(to, to + kLongestJsonDecimal, value).ptr;
  } else if constexpr (std::is_same_v<T, double>) {
    return write_json_decimal(value, to);
  } else {
    return write_json_decimal(static_cast<float>(value), to);
  }
}

// Elements with commas between them. Numbers go by way of a buffer, which is faster than a string
// that grows by each.
template <class T>
void append_elements(const T* from, std::int64_t count, bool as_base64, std::string* text) {
  if constexpr (std::is_same_v<T, std::string>) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i > 0) *text += ", ";
      if (as_base64)
        text->append("{\"b64\": \"").append(to_base64(from[i])).append("\"}");
      else
        append_json_string(from[i], text);
    }
  } else {
    char buffer[4096];
    char* to = buffer;
    for (std::int64_t i = 0; i < count; ++i) {
      if (std::end(buffer) - to < static_cast<std::ptrdiff_t>(kLongestJsonDecimal + 2)) {
        text->append(buffer, to);
        to = buffer;
      }
      if (i > 0) {
        *to++ = ',';
        *to++ = ' ';
      }
      to = write_number(from[i], to);
    }
    text->append(buffer, to);
  }
}

// Nested lists on one line.
template <class T>
const T* append_nested(const T* from, std::span<const std::int64_t> dims, bool as_base64,
                       std::string* text) {
  if (dims.empty()) {
    append_elements(from, 1, as_base64, text);
    return from + 1;
  }
  *text += '[';
  if (dims.size() == 1) {
    append_elements(from, dims[0], as_base64, text);
    *text += ']';
    return from + dims[0];
  }
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    if (i > 0) *text += ", ";
    from = append_nested(from, dims.subspan(1), as_base64, text);
  }
  *text += ']';
  return from;
}

template <class F>
void with_elements(const Tensor& tensor, F&& use) {
  switch (tensor.dtype()) {
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
      raise(Code::kUnimplemented, "Converting tensors of type ", tensor.dtype(),
            " to JSON is not supported");
  }
}

void append_tensor(const Tensor& tensor, const std::string& name, std::string* text) {
  with_elements(tensor, [&]<class T>(T) {
    append_nested(tensor.data<T>(), tensor.shape().dims(), name.ends_with("_bytes"), text);
  });
}

void append_row(const Tensor& tensor, std::int64_t row, const std::string& name,
                std::string* text) {
  with_elements(tensor, [&]<class T>(T) {
    const std::int64_t size = tensor.element_count() / tensor.dim(0);
    append_nested(tensor.data<T>() + row * size, tensor.shape().dims().subspan(1),
                  name.ends_with("_bytes"), text);
  });
}

// A member for each output, one in a line.
template <class F>
void append_members(const std::map<std::string, Tensor>& outputs, std::string_view indent,
                    std::string* text, const F& append_value) {
  *text += "{\n";
  bool is_first = true;
  for (const auto& [name, tensor] : outputs) {
    if (!std::exchange(is_first, false)) *text += ",\n";
    text->append(indent).append("    ");
    append_json_string(name, text);
    *text += ": ";
    append_value(name, tensor);
  }
  text->append("\n").append(indent).append("}");
}

std::int64_t row_count(const std::map<std::string, Tensor>& outputs) {
  std::int64_t count = -1;
  for (const auto& [name, tensor] : outputs) {
    require(tensor.rank() > 0, "Tensor name: ", name, " has no shape information");
    if (count < 0) count = tensor.dim(0);
    require(tensor.dim(0) == count, "Tensor name: ", name,
            " has inconsistent batch size: ", tensor.dim(0), " expecting: ", count);
  }
  return count;
}

// About as long as the numbers will be.
std::string text_for(const std::map<std::string, Tensor>& outputs) {
  constexpr std::size_t kUsual = 12;
  std::size_t size = 64;
  for (const auto& [name, tensor] : outputs)
    size += static_cast<std::size_t>(tensor.element_count()) *
            std::min(kUsual, 3 * element_size(tensor.dtype()));
  std::string text;
  text.reserve(size);
  return text;
}

std::string rows(const std::map<std::string, Tensor>& outputs) {
  const std::int64_t count = row_count(outputs);
  std::string text = text_for(outputs);
  text += "{\n    \"predictions\": [";
  for (std::int64_t row = 0; row < count; ++row) {
    if (row > 0) text += ", ";
    if (outputs.size() == 1) {
      append_row(outputs.begin()->second, row, outputs.begin()->first, &text);
      continue;
    }
    text += "\n        ";
    append_members(outputs, "        ", &text, [&](const std::string& name, const Tensor& tensor) {
      append_row(tensor, row, name, &text);
    });
  }
  return text += "\n    ]\n}";
}

std::string columns(const std::map<std::string, Tensor>& outputs) {
  std::string text = text_for(outputs);
  text += "{\n    \"outputs\": ";
  if (outputs.size() == 1)
    append_tensor(outputs.begin()->second, outputs.begin()->first, &text);
  else
    append_members(outputs, "    ", &text, [&](const std::string& name, const Tensor& tensor) {
      append_tensor(tensor, name, &text);
    });
  return text += "\n}";
}

}  // namespace

void append_json_elements(const Tensor& tensor, std::string* text) {
  with_elements(tensor, [&]<class T>(T) {
    const std::int64_t count = tensor.element_count();
    append_nested(tensor.data<T>(), {&count, 1}, false, text);
  });
}

std::string predict_response(const std::map<std::string, Tensor>& outputs, JsonLayout layout) {
  return layout == JsonLayout::kRow ? rows(outputs) : columns(outputs);
}

}  // namespace rill::serve
