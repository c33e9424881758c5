#ifndef TENSORFLOW_CC_OPS_CONST_OP_H_
#define TENSORFLOW_CC_OPS_CONST_OP_H_

#include "tensorflow/cc/framework/ops.h"
#include "tensorflow/cc/framework/scope.h"

namespace tensorflow {
namespace ops {

Output Const(const Scope& scope, const Input::Initializer& val);
Output ConstFromProto(const Scope& scope, const TensorProto& proto);

namespace internal {
// A constant of another type of number; an error where the value is none.
Output ConstOfType(const Scope& scope, const Input::Initializer& val, DataType type);
}  // namespace internal

// A constant of type T, whatever the type of the value that is written.
template <typename T>
Output Const(const Scope& scope, const Input::Initializer& val) {
  return internal::ConstOfType(scope, val, DataTypeToEnum<T>::v());
}
template <typename T>
Output Const(const Scope& scope, const T& v, const TensorShape shape) {
  return Const(scope, Input::Initializer(v, shape));
}
template <typename T>
Output Const(const Scope& scope, const std::initializer_list<T>& v, const TensorShape shape) {
  return Const(scope, Input::Initializer(v, shape));
}

}  // namespace ops
}  // namespace tensorflow

#endif
