#include "rill/graph/number.h"

#include <complex>
#include <limits>

#include "rill/base/error.h"
#include "rill/tensor/narrow_float.h"

namespace rill {
namespace {

[[noreturn]] void cannot_hold(const Tensor& tensor, const Number& number) {
  constexpr const char* kNames[] = {"bool", "int", "float", "str"};
  const std::string text = std::visit(
      []<class T>(const T& value) {
        if constexpr (std::is_same_v<T, bool>) {
          return std::string(value ? "True" : "False");
        } else if constexpr (std::is_same_v<T, std::string>) {
          return str_cat("'", value, "'");
        } else {
          return str_cat(value);
        }
      },
      number);
  const bool is_too_large =
      std::holds_alternative<std::int64_t>(number) && kIntTypes.contains(tensor.dtype());
  require_type(is_too_large, "Expected ", python_name(tensor.dtype()), ", got ", text, " of type '",
               kNames[number.index()], "' instead.");
  raise(Code::kInvalidArgument, "Expected ", python_name(tensor.dtype()), ", got ", text,
        " of type 'int' instead.");
}

template <class T>
bool convert(const Number& number, T* out) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    const T* value = std::get_if<T>(&number);
    if (value != nullptr) *out = *value;
    return value != nullptr;
  } else if constexpr (std::is_integral_v<T>) {
    const auto* value = std::get_if<std::int64_t>(&number);
    if (value == nullptr || !std::in_range<T>(*value)) return false;
    *out = static_cast<T>(*value);
    return true;
  } else {
    double value = 0;
    if (const auto* i = std::get_if<std::int64_t>(&number)) {
      value = static_cast<double>(*i);
    } else if (const auto* f = std::get_if<double>(&number)) {
      value = *f;
    } else {
      return false;
    }
    if constexpr (kIsNarrowFloat<T>) {
      *out = T(static_cast<float>(value));
    } else {
      *out = static_cast<T>(value);
    }
    return true;
  }
}

template <class T>
void store(const Tensor& tensor, std::size_t i, const Number& number) {
  if (!convert(number, tensor.data<T>() + i)) cannot_hold(tensor, number);
}

template <class T>
void store_complex(const Tensor& tensor, std::size_t i, const Number& number) {
  T real{};
  if (!convert(number, &real)) cannot_hold(tensor, number);
  tensor.data<std::complex<T>>()[i] = real;
}

template <class T>
void store_quantized(const Tensor& tensor, std::size_t i, const Number& number) {
  if (!convert(number, &tensor.data<T>()[i].value)) cannot_hold(tensor, number);
}

}  // namespace

std::string python_name(DType type) {
  return base_type(type) == DType::string ? "string" : std::string(numpy_name(type));
}

DType natural_type(const Number& number) {
  if (const auto* value = std::get_if<std::int64_t>(&number))
    return std::in_range<std::int32_t>(*value) ? DType::i32 : DType::i64;
  constexpr DType kTypes[] = {DType::boolean, DType::i32, DType::f32, DType::string};
  return kTypes[number.index()];
}

void store_number(const Tensor& tensor, std::size_t i, const Number& number) {
  switch (tensor.dtype()) {
    case DType::f16:
      return store<half>(tensor, i, number);
    case DType::bf16:
      return store<bfloat16>(tensor, i, number);
    case DType::f32:
      return store<float>(tensor, i, number);
    case DType::f64:
      return store<double>(tensor, i, number);
    case DType::i8:
      return store<std::int8_t>(tensor, i, number);
    case DType::u8:
      return store<std::uint8_t>(tensor, i, number);
    case DType::i16:
      return store<std::int16_t>(tensor, i, number);
    case DType::u16:
      return store<std::uint16_t>(tensor, i, number);
    case DType::i32:
      return store<std::int32_t>(tensor, i, number);
    case DType::u32:
      return store<std::uint32_t>(tensor, i, number);
    case DType::i64:
      return store<std::int64_t>(tensor, i, number);
    case DType::u64:
      return store<std::uint64_t>(tensor, i, number);
    case DType::boolean:
      return store<bool>(tensor, i, number);
    case DType::string:
      return store<std::string>(tensor, i, number);
    case DType::c64:
      return store_complex<float>(tensor, i, number);
    case DType::c128:
      return store_complex<double>(tensor, i, number);
    case DType::qi8:
      return store_quantized<qint8>(tensor, i, number);
    case DType::qu8:
      return store_quantized<quint8>(tensor, i, number);
    case DType::qi16:
      return store_quantized<qint16>(tensor, i, number);
    case DType::qu16:
      return store_quantized<quint16>(tensor, i, number);
    case DType::qi32:
      return store_quantized<qint32>(tensor, i, number);
    default:
      cannot_hold(tensor, number);
  }
}

}  // namespace rill
