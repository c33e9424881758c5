#include "rill/api/core/stream.h"

#include <ostream>

namespace rill {
namespace {

std::string python_shape(const PartialShape& shape) {
  if (!shape.has_rank()) return "<unknown>";
  std::vector<std::string> dims;
  for (const std::int64_t dim : shape.dims())
    dims.push_back(dim == kUnknownDim ? "?" : std::to_string(dim));
  return str_cat("(", join(dims, ", "), dims.size() == 1 ? ",)" : ")");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  return out << (tensor.has_value() ? print(tensor) : "(none)");
}

std::ostream& operator<<(std::ostream& out, const Output& output) {
  if (output.node == nullptr) return out << "(none)";
  if (output.node->is_executed())
    return out << "tf.Tensor(" << output.value() << ", shape=" << output.shape()
               << ", dtype=" << output.dtype() << ")";
  out << "Tensor(\"" << output.name() << '"';
  if (output.shape().has_rank()) out << ", shape=" << output.shape();
  return out << ", dtype=" << output.dtype() << ')';
}

std::ostream& operator<<(std::ostream& out, const Node& operation) {
  return out << "<tf.Operation '" << operation.name() << "' type=" << operation.op().name << '>';
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << python_shape(shape);
}

std::ostream& operator<<(std::ostream& out, const PartialShape& shape) {
  return out << python_shape(shape);
}

std::ostream& operator<<(std::ostream& out, DType type) {
  return out << (base_type(type) == DType::string ? "string" : numpy_name(base_type(type)))
             << (is_ref(type) ? "_ref" : "");
}

}  // namespace rill
