#include "rill/api/core/texts.h"

#include "rill/base/text.h"

namespace rill {

std::string shape_text(const PartialShape& shape) {
  if (!shape.has_rank()) return "<unknown>";
  std::string text = "(";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + (shape.rank() == 1 ? ",)" : ")");
}

std::string dtype_text(DType dtype) {
  const DType base = base_type(dtype);
  std::string name(is_trivial(base) ? numpy_name(base) : dtype_name(base));
  return is_ref(dtype) ? name + "_ref" : name;
}

std::string tensor_text(const Output& output) {
  std::string text = str_cat("Tensor(\"", output.name(), "\"");
  if (output.shape().has_rank()) text += str_cat(", shape=", shape_text(output.shape()));
  text += str_cat(", dtype=", dtype_text(output.dtype()));
  if (!output.node->device().empty()) text += str_cat(", device=", output.node->device());
  return text + ")";
}

std::string value_text(const Tensor& value) {
  if (value.dtype() == DType::string && value.shape().rank() == 0)
    return value.data<std::string>()[0];
  return print(value);
}

}  // namespace rill
