#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rill/tensor/half.h"

namespace rill {

struct ResourceHandle;
class Variant;

// Element types; the numbers are TensorFlow's DataType enum. A reference type is the value plus
// 100.
enum class DType : std::uint8_t {
  invalid = 0,
  f32 = 1,
  f64 = 2,
  i32 = 3,
  u8 = 4,
  i16 = 5,
  i8 = 6,
  string = 7,
  c64 = 8,
  i64 = 9,
  boolean = 10,
  qi8 = 11,
  qu8 = 12,
  qi32 = 13,
  bf16 = 14,
  qi16 = 15,
  qu16 = 16,
  u16 = 17,
  c128 = 18,
  f16 = 19,
  resource = 20,
  variant = 21,
  u32 = 22,
  u64 = 23,
};
inline constexpr int kDTypeCount = 24;
// TensorFlow 1.x hands variables of the older kind over by reference, as "float_ref".
inline constexpr int kRefOffset = 100;

constexpr bool is_ref(DType t) { return static_cast<int>(t) > kRefOffset; }
// Without, and with, the reference; types that are so already stay.
constexpr DType base_type(DType t) {
  return is_ref(t) ? static_cast<DType>(static_cast<int>(t) - kRefOffset) : t;
}
constexpr DType ref_type(DType t) {
  return is_ref(t) ? t : static_cast<DType>(static_cast<int>(t) + kRefOffset);
}
constexpr bool is_valid(DType t) {
  const int base = static_cast<int>(base_type(t));
  return base > 0 && base < kDTypeCount;
}

// Numbers that are no type read as "invalid". parse_dtype leaves `dtype` as it was where it returns
// false.
std::string_view dtype_name(DType t);  // "float", "int32", "float_ref": as in OpDefs
std::string_view numpy_name(DType t);  // "float32", "int32", "object": as in Python
bool parse_dtype(std::string_view name, DType* dtype);  // accepts both spellings and "DT_FLOAT"
std::size_t element_size(DType t);                      // bytes of one element; 0 if invalid
inline std::string to_text(DType t) { return std::string(dtype_name(t)); }

// A set of types: one bit each. A reference type counts as the type that it refers to.
//
//   constexpr TypeSet kind = kFloatTypes | DType::i32;
//   require(kind.contains(x.dtype()), "expected a number");
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(DType t) : bits_(std::uint64_t{1} << static_cast<int>(t)) {}
  constexpr bool contains(DType t) const {
    return (bits_ >> static_cast<int>(base_type(t)) & 1) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) { return TypeSet(a.bits_ | b.bits_); }
  friend constexpr TypeSet operator-(TypeSet a, TypeSet b) { return TypeSet(a.bits_ & ~b.bits_); }
  friend constexpr TypeSet operator&(TypeSet a, TypeSet b) { return TypeSet(a.bits_ & b.bits_); }
  friend constexpr bool operator==(TypeSet, TypeSet) = default;

 private:
  constexpr explicit TypeSet(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};
constexpr TypeSet operator|(DType a, DType b) { return TypeSet(a) | TypeSet(b); }

// bfloat16 is among the floats here; TensorFlow's Python leaves it out of some checks, which then
// say kFloatTypes - DType::bf16.
inline constexpr TypeSet kFloatTypes = DType::f16 | DType::bf16 | DType::f32 | DType::f64;
inline constexpr TypeSet kSignedIntTypes = DType::i8 | DType::i16 | DType::i32 | DType::i64;
inline constexpr TypeSet kUnsignedIntTypes = DType::u8 | DType::u16 | DType::u32 | DType::u64;
inline constexpr TypeSet kIntTypes = kSignedIntTypes | kUnsignedIntTypes;
inline constexpr TypeSet kComplexTypes = DType::c64 | DType::c128;
inline constexpr TypeSet kRealTypes = kFloatTypes | kIntTypes;
inline constexpr TypeSet kNumberTypes = kRealTypes | kComplexTypes;
inline constexpr TypeSet kQuantizedTypes =
    DType::qi8 | DType::qu8 | DType::qi16 | DType::qu16 | DType::qi32;
inline constexpr TypeSet kAllTypes = kNumberTypes | kQuantizedTypes | DType::boolean |
                                     DType::string | DType::resource | DType::variant;
// Types whose elements own memory and cannot be copied bytewise.
inline constexpr TypeSet kObjectTypes = DType::string | DType::resource | DType::variant;

constexpr bool is_trivial(DType t) { return !kObjectTypes.contains(t); }

// Quantised elements are their storage with another name.
struct qint8 {
  std::int8_t value;
};
struct quint8 {
  std::uint8_t value;
};
struct qint16 {
  std::int16_t value;
};
struct quint16 {
  std::uint16_t value;
};
struct qint32 {
  std::int32_t value;
};

// The DType of a C++ element type; invalid for any other type.
template <class T>
inline constexpr DType dtype_of = DType::invalid;

template <>
inline constexpr DType dtype_of<float> = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::u8;
template <>
inline constexpr DType dtype_of<std::int16_t> = DType::i16;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::i8;
template <>
inline constexpr DType dtype_of<std::string> = DType::string;
template <>
inline constexpr DType dtype_of<std::complex<float>> = DType::c64;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::i64;
template <>
inline constexpr DType dtype_of<long long> = DType::i64;
template <>
inline constexpr DType dtype_of<bool> = DType::boolean;
template <>
inline constexpr DType dtype_of<qint8> = DType::qi8;
template <>
inline constexpr DType dtype_of<quint8> = DType::qu8;
template <>
inline constexpr DType dtype_of<qint32> = DType::qi32;
template <>
inline constexpr DType dtype_of<bfloat16> = DType::bf16;
template <>
inline constexpr DType dtype_of<qint16> = DType::qi16;
template <>
inline constexpr DType dtype_of<quint16> = DType::qu16;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::u16;
template <>
inline constexpr DType dtype_of<std::complex<double>> = DType::c128;
template <>
inline constexpr DType dtype_of<half> = DType::f16;
template <>
inline constexpr DType dtype_of<ResourceHandle> = DType::resource;
template <>
inline constexpr DType dtype_of<Variant> = DType::variant;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::u32;
template <>
inline constexpr DType dtype_of<std::uint64_t> = DType::u64;

}  // namespace rill
