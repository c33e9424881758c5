#include "rill/ops/update/element_update.h"
#include "rill/tensor/narrow_float.h"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "rill/ops/math/rows/elementwise.h"

namespace rill {
namespace {

// Integers are computed unsigned and at least 32 bits wide, where overflow is defined to wrap.
template <class T>
auto widen(T x) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<std::common_type_t<Unsigned, unsigned>>(static_cast<Unsigned>(x));
  } else {
    return Widened<T>(widened(x));
  }
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(widen(a) + widen(b));
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(widen(a) - widen(b));
  }
};
struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(widen(a) * widen(b));
  }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      require(b != 0, "Integer division by zero");
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0u - widen(a));
      return static_cast<T>(a / b);
    } else {
      return static_cast<T>(widen(a) / widen(b));
    }
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return widened(b) < widened(a) ? b : a;
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return widened(a) < widened(b) ? b : a;
  }
};

template <class Op, class T>
void with_row(DType, void* dst, const void* src, std::size_t count) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  for (std::size_t i = 0; i < count; ++i) d[i] = Op::apply(d[i], s[i]);
}

// Sums, which scatters and segments are mostly made of, by the widest vectors.
template <class T>
void add_floats(void* dst, const void* src, std::size_t count) {
  static constinit std::atomic<BinaryRow> known{nullptr};
  BinaryRow add = known.load(std::memory_order_relaxed);
  if (add == nullptr) [[unlikely]]
    known.store(add = find_add_rows(dtype_of<T>).both, std::memory_order_relaxed);
  add(dst, dst, src, count);
}
template <>
void with_row<Add, float>(DType, void* dst, const void* src, std::size_t count) {
  add_floats<float>(dst, src, count);
}
template <>
void with_row<Add, double>(DType, void* dst, const void* src, std::size_t count) {
  add_floats<double>(dst, src, count);
}

template <class Op, class T>
void with_scalar(DType, void* dst, const void* src, std::size_t count) {
  auto* d = static_cast<T*>(dst);
  const T s = *static_cast<const T*>(src);
  for (std::size_t i = 0; i < count; ++i) d[i] = Op::apply(d[i], s);
}

void assign_scalar(DType dtype, void* dst, const void* src, std::size_t count) {
  auto* d = static_cast<char*>(dst);
  for (std::size_t i = 0; i < count; ++i) copy_elements(dtype, d + i * element_size(dtype), src, 1);
}

template <class Op, class T>
constexpr ElementUpdate kUpdate{with_row<Op, T>, with_scalar<Op, T>};

template <class Op>
ElementUpdate ordered_update(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return kUpdate<Op, float>;
    case DType::f64:
      return kUpdate<Op, double>;
    case DType::f16:
      return kUpdate<Op, half>;
    case DType::bf16:
      return kUpdate<Op, bfloat16>;
    case DType::i8:
      return kUpdate<Op, std::int8_t>;
    case DType::i16:
      return kUpdate<Op, std::int16_t>;
    case DType::i32:
      return kUpdate<Op, std::int32_t>;
    case DType::i64:
      return kUpdate<Op, std::int64_t>;
    case DType::u8:
      return kUpdate<Op, std::uint8_t>;
    case DType::u16:
      return kUpdate<Op, std::uint16_t>;
    case DType::u32:
      return kUpdate<Op, std::uint32_t>;
    case DType::u64:
      return kUpdate<Op, std::uint64_t>;
    default:
      return {};
  }
}

// Bits add up to whether one of them is set, strings to one after the other.
struct Or {
  static bool apply(bool a, bool b) { return a || b; }
};
struct Append {
  static std::string apply(const std::string& a, const std::string& b) { return a + b; }
};

ElementUpdate sum_of_others(DType dtype) {
  if (dtype == DType::boolean) return kUpdate<Or, bool>;
  if (dtype == DType::string) return kUpdate<Append, std::string>;
  return {};
}

template <class Op>
ElementUpdate number_update(DType dtype) {
  if (dtype == DType::c64) return kUpdate<Op, std::complex<float>>;
  if (dtype == DType::c128) return kUpdate<Op, std::complex<double>>;
  return ordered_update<Op>(dtype);
}

}  // namespace

ElementUpdate element_update(UpdateKind kind, DType dtype) {
  switch (kind) {
    case UpdateKind::kAssign:
      return {copy_elements, assign_scalar};
    case UpdateKind::kAdd:
      if (const ElementUpdate other = sum_of_others(dtype); other.with_row != nullptr) return other;
      return number_update<Add>(dtype);
    case UpdateKind::kSub:
      return number_update<Sub>(dtype);
    case UpdateKind::kMul:
      return number_update<Mul>(dtype);
    case UpdateKind::kDiv:
      return number_update<Div>(dtype);
    case UpdateKind::kMin:
      return ordered_update<Min>(dtype);
    case UpdateKind::kMax:
      return ordered_update<Max>(dtype);
  }
  return {};
}

void update_all(const KernelCall& call, UpdateKind kind, const Tensor& dst, const Tensor& src) {
  const DType dtype = dst.dtype();
  const auto update = element_update(kind, dtype).with_row;
  if (update == nullptr)
    raise(Code::kUnimplemented, call.node().op->name, " of elements of type ", dtype);
  const std::size_t size = element_size(dtype);
  auto* d = static_cast<char*>(dst.raw_data());
  const auto* s = static_cast<const char*>(src.raw_data());
  const double nanos_per_element = 0.05 * static_cast<double>(size);
  call.parallel_for(static_cast<std::size_t>(dst.element_count()), nanos_per_element,
                    [&](std::size_t begin, std::size_t end) {
                      update(dtype, d + begin * size, s + begin * size, end - begin);
                    });
}

}  // namespace rill
