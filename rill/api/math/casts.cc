#include "rill/api/math/casts.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"

namespace rill {
namespace {

using namespace math_parts;

bool is_complex(Output x) { return kComplexTypes.contains(type_of(x)); }
DType part_type(Output x) { return type_of(x) == DType::c128 ? DType::f64 : DType::f32; }

struct Range {
  double low, high;
};

// What a type holds; bounds are compared as TensorFlow does, as numbers.
Range range_of(DType dtype) {
  const auto of = []<class T>(T) {
    return Range{static_cast<double>(std::numeric_limits<T>::lowest()),
                 static_cast<double>(std::numeric_limits<T>::max())};
  };
  switch (dtype) {
    case DType::u8:
      return of(std::uint8_t{});
    case DType::i8:
      return of(std::int8_t{});
    case DType::u16:
      return of(std::uint16_t{});
    case DType::i16:
      return of(std::int16_t{});
    case DType::u32:
      return of(std::uint32_t{});
    case DType::i32:
      return of(std::int32_t{});
    case DType::u64:
      return of(std::uint64_t{});
    case DType::i64:
      return of(std::int64_t{});
    case DType::f16:
      return {-65504.0, 65504.0};
    case DType::bf16:
      return {-0x1.fep127, 0x1.fep127};
    case DType::f64:
      return of(double{});
    case DType::f32:
      return of(float{});
    default:
      require_type(false, "Cannot find minimum value of ", numpy_name(dtype),
                   " for saturate_cast.");
      return {};
  }
}

// The ends of `to` as numbers of `from`; an end that `from` would round outwards moves inwards.
Tensor bound(double value, DType from) {
  if (from == DType::f32 &&
      std::abs(static_cast<double>(static_cast<float>(value))) > std::abs(value))
    value = static_cast<double>(std::nextafter(static_cast<float>(value), 0.0F));
  if (kIntTypes.contains(from)) {
    if (value >= 0x1p63)
      return Tensor::scalar<std::uint64_t>(std::numeric_limits<std::uint64_t>::max());
    return Input(static_cast<std::int64_t>(value)).value(from);
  }
  return number(from, value);
}

Output part(const char* op, const Input& input, const std::string& name, std::source_location at) {
  const Block in(name, op, at);
  const Output x = as_tensor(input, "input");
  if (!is_complex(x)) return op == std::string_view("Imag") ? zeros_like(x) : x;
  return current_scope().add(op, {x}, {{"Tout", part_type(x)}}, in.own_name()).output();
}

}  // namespace

Output cast(const Input& x, DType dtype, const MathOptions& options, std::source_location at) {
  const DType wanted = base_type(dtype);
  if (x.is_output() && type_of(x.output()) == wanted) return x.output();
  const Block in(options.name, "Cast", at);
  const Output value = as_tensor(x, "x");
  if (type_of(value) == wanted) return value;
  return raw::Cast(value, wanted, {.name = in.own_name()});
}

Output saturate_cast(const Input& input, DType dtype, const MathOptions& options,
                     std::source_location at) {
  const Block in(options.name, "saturate_cast", at);
  const Output value = as_tensor(input, "value");
  const DType wanted = base_type(dtype), own = type_of(value);
  if (kComplexTypes.contains(own) || kComplexTypes.contains(wanted))
    return cast(value, wanted, {.name = in.own_name()});
  const Range from = range_of(own), to = range_of(wanted);
  if (from.low >= to.low && from.high <= to.high)
    return cast(value, wanted, {.name = in.own_name()});
  const Output low = as_tensor(Input(bound(std::max(from.low, to.low), own)));
  const Output high = as_tensor(Input(bound(std::min(from.high, to.high), own)));
  const Output clamped = raw::ClipByValue(value, low, high, {.name = "clamp"});
  return cast(clamped, wanted, {.name = in.own_name()});
}

Output to_float(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::f32, options, at);
}
Output to_double(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::f64, options, at);
}
Output to_int32(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::i32, options, at);
}
Output to_int64(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::i64, options, at);
}
Output to_bfloat16(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::bf16, options, at);
}
Output to_complex64(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::c64, options, at);
}
Output to_complex128(const Input& x, const MathOptions& options, std::source_location at) {
  return cast(x, DType::c128, options, at);
}

Output complex(const Input& real, const Input& imag, const MathOptions& options,
               std::source_location at) {
  const MadeAt place(at);
  const Output first = as_tensor(real, "real"), second = as_tensor(imag, "imag");
  const Block in(options.name, "Complex", at);
  const DType dtype = type_of(first);
  const bool fits = dtype == type_of(second) && (dtype == DType::f32 || dtype == DType::f64);
  require_type(fits, "The `real` and `imag` components have incorrect types: ", numpy_name(dtype),
               " ", numpy_name(type_of(second)),
               ". They must be consistent, and one of [tf.float32, tf.float64]");
  const DType whole = dtype == DType::f64 ? DType::c128 : DType::c64;
  return raw::Complex(first, second, {.Tout = whole, .name = in.own_name()});
}

Output real(const Input& input, const MathOptions& options, std::source_location at) {
  return part("Real", input, options.name, at);
}

Output imag(const Input& input, const MathOptions& options, std::source_location at) {
  return part("Imag", input, options.name, at);
}

Output conj(const Input& input, const MathOptions& options, std::source_location at) {
  if (input.is_output() && kRealTypes.contains(type_of(input.output()))) return input.output();
  const Block in(options.name, "Conj", at);
  const Output x = as_tensor(input, "x");
  if (is_complex(x) || type_of(x) == DType::variant) return raw::Conj(x, {.name = in.own_name()});
  require_type(kRealTypes.contains(type_of(x)), "Expected numeric or variant tensor, got dtype tf.",
               to_text(type_of(x)), ".");
  return x;
}

Output angle(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "Angle", at);
  const Output x = as_tensor(input, "input");
  if (is_complex(x)) return raw::Angle(x, {.Tout = part_type(x), .name = in.own_name()});
  const Output is_negative = raw::Less(x, 0);
  const Output half_turn =
      raw::Mul(Input(number(type_of(x), std::numbers::pi)), ones_like(x), {.name = "mul"});
  return raw::Select(is_negative, half_turn, zeros_like(x));
}

}  // namespace rill
