#include "rill/api/debugging/type_checks.h"

#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/base/error.h"

namespace rill::debugging {

Node& assert_integer(const Input& x, const TypeCheckOptions& options, std::source_location at) {
  const Block in(options.name, "assert_integer", at);
  const Output tensor = as_tensor(x, "x");
  require_type(kIntTypes.contains(base_type(tensor.dtype())), message_prefix(options.message),
               "Expected \"x\" to be integer type.  Found: ", tensor, " of dtype <dtype: '",
               dtype_text(tensor.dtype()), "'>");
  return current_scope().add("NoOp", {}, {}, "statically_determined_was_integer");
}

Node& assert_type(const Input& tensor, DType type, const TypeCheckOptions& options,
                  std::source_location at) {
  const Block in(options.name, "assert_type", at);
  const Output given = as_tensor(tensor, "tensor");
  require_type(base_type(given.dtype()) == type, message_prefix(options.message), given,
               " must be of type tf.", dtype_text(type), "; got tf.",
               dtype_text(base_type(given.dtype())));
  return current_scope().add("NoOp", {}, {}, "statically_determined_correct_type");
}

bool is_numeric_tensor(Output tensor) {
  const DType type = base_type(tensor.dtype());
  return kNumberTypes.contains(type) || kQuantizedTypes.contains(type);
}

DType assert_same_float_dtype(const std::vector<Output>& tensors, DType dtype) {
  Output first;
  for (const Output& tensor : tensors) {
    const DType own = base_type(tensor.dtype());
    if (dtype == DType::invalid) {
      dtype = own;
      first = tensor;
    }
    require(own == dtype, tensor, ", type=<dtype: '", dtype_text(own),
            "'>, must be of the same type (<dtype: '", dtype_text(dtype), "'>)",
            first.node ? str_cat(" as ", first, ".") : ".");
  }
  if (dtype == DType::invalid) return DType::f32;
  require(kFloatTypes.contains(dtype), "Expected floating point type, got <dtype: '",
          dtype_text(dtype), "'>.");
  return dtype;
}

}  // namespace rill::debugging
