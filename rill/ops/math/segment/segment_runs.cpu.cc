#include "rill/ops/math/segment/segment_runs.h"

#include <cstring>
#include <type_traits>

#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/segment/segment_runs.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::size_t kRunVectorBytes = 32;
template <class T>
inline constexpr std::size_t kRunLanes = kRunVectorBytes / sizeof(T);

// How `a` takes in `b`; either is an element or a vector of them. TensorFlow's treatment of NaN: a
// later number replaces it, and it replaces an earlier one.
struct RunSum {
  static constexpr bool kFromZero = false;
  template <class V>
  static void join(V& a, const V& b) {
    a += b;
  }
};
struct RunSumFromZero : RunSum {
  static constexpr bool kFromZero = true;  // several -0 make 0
};
struct RunProduct : RunSum {
  template <class V>
  static void join(V& a, const V& b) {
    a *= b;
  }
};
struct RunMin : RunSum {
  template <class V>
  static void join(V& a, const V& b) {
    a = a < b ? a : b;
  }
};
struct RunMax : RunSum {
  template <class V>
  static void join(V& a, const V& b) {
    a = a > b ? a : b;
  }
};

// kCount values of type V (elements, or vectors of them) of each row.
template <class Op, class T, class V, std::size_t kCount, class Row>
void join_columns(T* out, Row row, std::size_t count, T divisor) {
  constexpr std::size_t kStep = sizeof(V) / sizeof(T);
  V joined[kCount];
  for (std::size_t v = 0; v < kCount; ++v) std::memcpy(&joined[v], row(0) + v * kStep, sizeof(V));
  if (Op::kFromZero && count > 1)
    for (V& value : joined) value += T{0};
  for (std::size_t i = 1; i < count; ++i) {
    const T* from = row(i);
    for (std::size_t v = 0; v < kCount; ++v) {
      V next;
      std::memcpy(&next, from + v * kStep, sizeof next);
      Op::join(joined[v], next);
    }
  }
  if constexpr (std::is_floating_point_v<T>)
    if (divisor != 1)
      for (V& value : joined) value /= divisor;
  for (std::size_t v = 0; v < kCount; ++v) std::memcpy(out + v * kStep, &joined[v], sizeof(V));
}

template <class Op, class T, class Row>
void join_rows(T* out, Row row, std::size_t count, std::size_t width, double divisor) {
  typedef T Vector __attribute__((vector_size(kRunVectorBytes)));
  constexpr std::size_t kLanes = kRunLanes<T>;
  const T by = static_cast<T>(divisor);
  std::size_t j = 0;
  const auto from_here = [&](std::size_t i) { return row(i) + j; };
  for (; j + 4 * kLanes <= width; j += 4 * kLanes)
    join_columns<Op, T, Vector, 4>(out + j, from_here, count, by);
  for (; j + kLanes <= width; j += kLanes)
    join_columns<Op, T, Vector, 1>(out + j, from_here, count, by);
  for (; j + 2 <= width; j += 2) join_columns<Op, T, T, 2>(out + j, from_here, count, by);
  if (j < width) join_columns<Op, T, T, 1>(out + j, from_here, count, by);
}

// Rows of one element each are joined lane by lane first: their elements need not wait for each
// other.
template <class Op, class T>
void join_elements(T* out, const T* from, std::size_t count, double divisor) {
  constexpr std::size_t kBlock = 4 * kRunLanes<T>;
  const std::size_t blocks = count / kBlock;
  T lanes[kBlock];
  join_rows<Op, T>(
      lanes, [&](std::size_t i) { return from + i * kBlock; }, blocks, kBlock, 1);
  for (std::size_t n = kBlock / 2; n > 0; n /= 2)
    for (std::size_t i = 0; i < n; ++i) Op::join(lanes[i], lanes[i + n]);
  T joined = lanes[0];
  for (std::size_t i = blocks * kBlock; i < count; ++i) Op::join(joined, from[i]);
  if constexpr (std::is_floating_point_v<T>)
    if (divisor != 1) joined /= static_cast<T>(divisor);
  *out = joined;
}

template <class Op, class T>
void run_rows(void* out, const void* from_bytes, std::size_t count, std::size_t width,
              double divisor) {
  const auto* from = static_cast<const T*>(from_bytes);
  auto* to = static_cast<T*>(out);
  if (width == 1 && count >= 4 * kRunLanes<T>)
    return join_elements<Op, T>(to, from, count, divisor);
  join_rows<Op, T>(
      to, [=](std::size_t i) { return from + i * width; }, count, width, divisor);
}

template <class T, class Index>
void run_rows_at(void* out, const void* from_bytes, const Index* places, std::size_t count,
                 std::size_t width, double divisor) {
  const auto* from = static_cast<const T*>(from_bytes);
  const auto row = [=](std::size_t i) {
    return from + static_cast<std::size_t>(places[i]) * width;
  };
  join_rows<RunSum, T>(static_cast<T*>(out), row, count, width, divisor);
}

template <class T>
void add_scaled(void* to_bytes, const void* from_bytes, const void* factor, std::size_t n) {
  auto* to = static_cast<T*>(to_bytes);
  const auto* from = static_cast<const T*>(from_bytes);
  const T by = *static_cast<const T*>(factor);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i] * by;
}

template <class T, class U>
RunJoins joins_of(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kProd:
      return {.rows = run_rows<RunProduct, U>};
    case SegmentKind::kMin:
      return {.rows = run_rows<RunMin, T>};
    case SegmentKind::kMax:
      return {.rows = run_rows<RunMax, T>};
    default:
      return {run_rows<RunSumFromZero, U>, run_rows_at<U, std::int32_t>,
              run_rows_at<U, std::int64_t>};
  }
}

}  // namespace

// Sums and products of integers are computed unsigned, where overflow is defined to wrap.
RunJoins run_joins(SegmentKind kind, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return joins_of<float, float>(kind);
    case DType::f64:
      return joins_of<double, double>(kind);
    case DType::i32:
      return joins_of<std::int32_t, std::uint32_t>(kind);
    case DType::i64:
      return joins_of<std::int64_t, std::uint64_t>(kind);
    default:
      return {};
  }
}

AddScaledRow add_scaled_row(DType dtype) {
  return dtype == DType::f32 ? add_scaled<float> : add_scaled<double>;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(run_joins);

RunJoins find_run_joins(SegmentKind kind, DType dtype) {
  return HWY_DYNAMIC_DISPATCH(run_joins)(kind, dtype);
}
RILL_DISPATCH_BY_TYPE(AddScaledRow, find_add_scaled_row, add_scaled_row);

}  // namespace rill
#endif
