#define HWY_TARGET_INCLUDE "rill/ops/simd/largest_bits.cpu.cc"
#include "rill/ops/simd/each_target.h"
// Vectors are wanted in every pass.
#include "hwy/highway.h"
#include "rill/ops/simd/largest_bits.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace bits_hn = hwy::HWY_NAMESPACE;

// Without its sign a number is less than half of the range, so that signed vectors will do, which
// all machines can compare.
template <class Signed, class Bits>
Bits largest(const Bits* numbers, std::size_t count) {
  const bits_hn::ScalableTag<Signed> tag;
  constexpr Signed kMask = static_cast<Signed>(static_cast<Bits>(~Bits{0}) >> 1);
  const auto mask = bits_hn::Set(tag, kMask);
  const auto* from = reinterpret_cast<const Signed*>(numbers);
  const std::size_t lanes = bits_hn::Lanes(tag);
  auto a = bits_hn::Zero(tag), b = a, c = a, d = a;
  std::size_t i = 0;
  const auto at = [&](std::size_t k) { return bits_hn::And(bits_hn::LoadU(tag, from + k), mask); };
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = bits_hn::Max(a, at(i));
    b = bits_hn::Max(b, at(i + lanes));
    c = bits_hn::Max(c, at(i + 2 * lanes));
    d = bits_hn::Max(d, at(i + 3 * lanes));
  }
  Signed sums[4 * HWY_MAX_BYTES / sizeof(Signed)];
  bits_hn::StoreU(bits_hn::Max(bits_hn::Max(a, b), bits_hn::Max(c, d)), tag, sums);
  Signed found = 0;
  for (std::size_t k = 0; k < lanes; ++k) found = sums[k] > found ? sums[k] : found;
  for (; i < count; ++i) {
    const auto one = static_cast<Signed>(from[i] & kMask);
    found = one > found ? one : found;
  }
  return static_cast<Bits>(found);
}

std::uint16_t largest_16(const std::uint16_t* p, std::size_t n) {
  return largest<std::int16_t>(p, n);
}
std::uint32_t largest_32(const std::uint32_t* p, std::size_t n) {
  return largest<std::int32_t>(p, n);
}
std::uint64_t largest_64(const std::uint64_t* p, std::size_t n) {
  return largest<std::int64_t>(p, n);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(largest_16);
HWY_EXPORT(largest_32);
HWY_EXPORT(largest_64);

std::uint16_t largest_bits(const std::uint16_t* numbers, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(largest_16)(numbers, count);
}
std::uint32_t largest_bits(const std::uint32_t* numbers, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(largest_32)(numbers, count);
}
std::uint64_t largest_bits(const std::uint64_t* numbers, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(largest_64)(numbers, count);
}

}  // namespace rill
#endif
