#ifndef TENSORFLOW_CORE_FRAMEWORK_NUMERIC_TYPES_H_
#define TENSORFLOW_CORE_FRAMEWORK_NUMERIC_TYPES_H_

#include <cmath>
#include <complex>
#include <cstring>
#include <ostream>

#include "third_party/eigen3/unsupported/Eigen/CXX11/Tensor"

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

typedef std::complex<float> complex64;
typedef std::complex<double> complex128;

// The upper half of a float, rounded to nearest even. Arithmetic goes through float.
struct bfloat16 {
  bfloat16() : value(0) {}
  explicit bfloat16(float v) : value(Round(v)) {}
  explicit bfloat16(double v) : value(Round(static_cast<float>(v))) {}
  explicit bfloat16(int v) : value(Round(static_cast<float>(v))) {}
  explicit bfloat16(int64 v) : value(Round(static_cast<float>(v))) {}
  explicit operator float() const {
    const uint32 bits = static_cast<uint32>(value) << 16;
    float result;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
  }
  explicit operator double() const { return static_cast<float>(*this); }
  explicit operator int() const { return static_cast<int>(static_cast<float>(*this)); }

  uint16 value;

 private:
  static uint16 Round(float v) {
    uint32 bits;
    std::memcpy(&bits, &v, sizeof(bits));
    if (v != v) return static_cast<uint16>(((bits >> 16) & 0x8000) | 0x7fc0);
    return static_cast<uint16>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
};
#define RILL_BFLOAT16_OP(op)                                         \
  inline bfloat16 operator op(bfloat16 a, bfloat16 b) {              \
    return bfloat16(static_cast<float>(a) op static_cast<float>(b)); \
  }                                                                  \
  inline bfloat16& operator op##=(bfloat16& a, bfloat16 b) { return a = a op b; }
RILL_BFLOAT16_OP(+)
RILL_BFLOAT16_OP(-)
RILL_BFLOAT16_OP(*)
RILL_BFLOAT16_OP(/)
#undef RILL_BFLOAT16_OP
#define RILL_BFLOAT16_COMPARISON(op)                       \
  inline bool operator op(bfloat16 a, bfloat16 b) {        \
    return static_cast<float>(a) op static_cast<float>(b); \
  }
RILL_BFLOAT16_COMPARISON(==)
RILL_BFLOAT16_COMPARISON(!=)
RILL_BFLOAT16_COMPARISON(<)
RILL_BFLOAT16_COMPARISON(<=)
RILL_BFLOAT16_COMPARISON(>)
RILL_BFLOAT16_COMPARISON(>=)
#undef RILL_BFLOAT16_COMPARISON
inline bfloat16 operator-(bfloat16 a) { return bfloat16(-static_cast<float>(a)); }
inline std::ostream& operator<<(std::ostream& out, bfloat16 v) {
  return out << static_cast<float>(v);
}

// Quantised elements: a number whose scale is kept elsewhere.
template <typename Storage>
struct QuantizedElement {
  QuantizedElement() : value(0) {}
  explicit QuantizedElement(int32 v) : value(static_cast<Storage>(v)) {}
  operator int() const { return static_cast<int>(value); }
  Storage value;
};
typedef QuantizedElement<int8> qint8;
typedef QuantizedElement<uint8> quint8;
typedef QuantizedElement<int16> qint16;
typedef QuantizedElement<uint16> quint16;
typedef QuantizedElement<int32> qint32;

}  // namespace tensorflow

namespace Eigen {
template <>
struct NumTraits<tensorflow::bfloat16> : GenericNumTraits<tensorflow::bfloat16> {
  enum { IsSigned = 1, IsInteger = 0, IsComplex = 0, RequireInitialization = 0 };
};
template <typename Storage>
struct NumTraits<tensorflow::QuantizedElement<Storage>>
    : GenericNumTraits<tensorflow::QuantizedElement<Storage>> {
  enum { IsInteger = 1, RequireInitialization = 0 };
};
}  // namespace Eigen

#endif
