#ifndef TENSORFLOW_CORE_FRAMEWORK_TYPE_TRAITS_H_
#define TENSORFLOW_CORE_FRAMEWORK_TYPE_TRAITS_H_

#include "tensorflow/core/framework/types.h"

namespace tensorflow {

template <typename T>
struct is_quantized : std::false_type {};
template <typename S>
struct is_quantized<QuantizedElement<S>> : std::true_type {};
template <typename T>
struct is_complex : std::false_type {};
template <>
struct is_complex<complex64> : std::true_type {};
template <>
struct is_complex<complex128> : std::true_type {};

}  // namespace tensorflow

#endif
