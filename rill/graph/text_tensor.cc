#include "rill/graph/text_tensor.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/number.h"

namespace rill {
namespace {

constexpr int kMaxDepth = 16;

std::vector<TextField> scan_fields(TextScanner& s, int depth);

void scan_field_value(TextScanner& s, const std::string& name, int depth,
                      std::vector<TextField>& fields) {
  TextField field{.name = name};
  if (s.peek('{')) {
    field.message = scan_fields(s, depth + 1);
  } else {
    field.scalar = s.at_string() ? s.quoted_string() : std::string(s.word());
  }
  fields.push_back(std::move(field));
}

std::vector<TextField> scan_fields(TextScanner& s, int depth) {
  require(depth < kMaxDepth, "messages are nested too deeply");
  s.expect("{");
  std::vector<TextField> fields;
  while (!s.accept("}")) {
    const std::string name(s.word());
    s.accept(":");
    if (s.accept("[")) {
      for (bool first = true; !s.accept("]"); first = false) {
        if (!first) s.expect(",");
        scan_field_value(s, name, depth, fields);
      }
    } else {
      scan_field_value(s, name, depth, fields);
    }
    if (!s.accept(",")) s.accept(";");
  }
  return fields;
}

long long int_of(const TextField& field) {
  long long value = 0;
  require(parse_int(field.scalar, &value), "field '", field.name, "' is not an integer: '",
          field.scalar, "'");
  return value;
}

// The value of a field such as int_val or string_val. Half precision is written as its bits, which
// the caller takes as they are.
Number number_of(const TextField& field) {
  if (field.name == "string_val") return field.scalar;
  if (field.name == "bool_val") return field.scalar == "true" || field.scalar == "1";
  if (field.name != "float_val" && field.name != "double_val") return std::int64_t{int_of(field)};
  double value = 0;
  require(parse_float(field.scalar, &value), "field '", field.name, "' is not a number: '",
          field.scalar, "'");
  return value;
}

// The last value repeats; no value at all means zeros.
void fill_tensor(const Tensor& tensor, const std::vector<TextField>& values) {
  const auto count = static_cast<std::size_t>(tensor.element_count());
  require(values.size() <= count, "a tensor of shape ", tensor.shape(), " has ", values.size(),
          " values");
  const bool is_bits = tensor.dtype() == DType::f16 || tensor.dtype() == DType::bf16;
  const Tensor target = is_bits ? tensor.bitcast(DType::u16, tensor.shape()) : tensor;
  for (std::size_t i = 0; i < count && !values.empty(); ++i)
    store_number(target, i, number_of(values[std::min(i, values.size() - 1)]));
}

}  // namespace

std::vector<TextField> scan_message(TextScanner& scanner) { return scan_fields(scanner, 0); }

PartialShape text_shape(const std::vector<TextField>& fields) {
  Dims dims;
  for (const TextField& field : fields) {
    if (field.name == "unknown_rank" && field.scalar == "true") return {};
    if (field.name == "unknown_rank" && field.scalar == "false") continue;
    require(field.name == "dim", "unknown field '", field.name, "' of a shape");
    std::int64_t size = 0;
    for (const TextField& part : field.message)
      if (part.name == "size") size = int_of(part);
    dims.push_back(size);
  }
  return PartialShape(dims.span());
}

Tensor text_tensor(const std::vector<TextField>& fields) {
  DType dtype = DType::invalid;
  Shape shape;
  std::vector<TextField> values;
  for (const TextField& field : fields) {
    if (field.name == "dtype") {
      require(parse_dtype(field.scalar, &dtype), "unknown type '", field.scalar, "'");
    } else if (field.name == "tensor_shape") {
      shape = text_shape(field.message).full();
    } else {
      require(field.name.ends_with("_val"), "unknown field '", field.name, "' of a tensor");
      values.push_back(field);
    }
  }
  constexpr std::int64_t kMaxElements = 1 << 20;  // a default is written by hand
  require(is_valid(dtype) && !is_ref(dtype), "a tensor needs a dtype");
  require(shape.element_count() <= kMaxElements, "a tensor of shape ", shape,
          " is too large to be written as text");
  const Tensor tensor = Tensor::zeros(dtype, shape);
  fill_tensor(tensor, values);
  return tensor;
}

}  // namespace rill
