#include "rill/ops/math/rows/select_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/select_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct SelectBits128 {
  std::uint64_t low, high;
};

// By masks: a branch would be guessed wrong half the time.
template <class T>
inline T choose_bits(std::uint8_t condition, T a, T b) {
  const auto mask = static_cast<T>(-static_cast<T>(condition != 0));
  return static_cast<T>((a & mask) | (b & static_cast<T>(~mask)));
}
inline SelectBits128 choose_bits(std::uint8_t condition, SelectBits128 a, SelectBits128 b) {
  return {choose_bits(condition, a.low, b.low), choose_bits(condition, a.high, b.high)};
}

// `out` may be an operand itself.
template <class T, bool then_varies, bool otherwise_varies>
void select_dense(T* out, const std::uint8_t* condition, const T* then, const T* otherwise,
                  std::size_t n) {
  if (n == 0) return;
  const T first_then = then[0], first_otherwise = otherwise[0];
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i)
    out[i] = choose_bits(condition[i], then_varies ? then[i] : first_then,
                         otherwise_varies ? otherwise[i] : first_otherwise);
}

template <class T>
void select_row(std::byte* const* at, const std::int64_t* steps, std::size_t n) {
  auto* out = reinterpret_cast<T*>(at[0]);
  const auto* condition = reinterpret_cast<const std::uint8_t*>(at[1]);
  const auto* then = reinterpret_cast<const T*>(at[2]);
  const auto* otherwise = reinterpret_cast<const T*>(at[3]);
  if (steps[1] == 0) {  // one condition for all
    const T* from = *condition ? then : otherwise;
    const bool varies = steps[*condition ? 2 : 3] != 0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) out[i] = from[varies ? i : 0];
  } else if (steps[2] != 0 && steps[3] != 0) {
    select_dense<T, true, true>(out, condition, then, otherwise, n);
  } else if (steps[2] != 0) {
    select_dense<T, true, false>(out, condition, then, otherwise, n);
  } else if (steps[3] != 0) {
    select_dense<T, false, true>(out, condition, then, otherwise, n);
  } else {
    select_dense<T, false, false>(out, condition, then, otherwise, n);
  }
}

}  // namespace

SelectRow select_row_of(std::size_t size) {
  switch (size) {
    case 1:
      return select_row<std::uint8_t>;
    case 2:
      return select_row<std::uint16_t>;
    case 4:
      return select_row<std::uint32_t>;
    case 8:
      return select_row<std::uint64_t>;
    default:
      return select_row<SelectBits128>;
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(select_row_of);

SelectRow find_select_row(std::size_t size) { return HWY_DYNAMIC_DISPATCH(select_row_of)(size); }

}  // namespace rill
#endif
