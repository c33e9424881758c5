// What the bytes of a text are, 64 at a time, as masks. Include it after
// rill/ops/simd/each_target.h and Highway.

#if defined(RILL_SERVE_REST_JSON_SCAN_BLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_SERVE_REST_JSON_SCAN_BLOCK_INL_H
#undef RILL_SERVE_REST_JSON_SCAN_BLOCK_INL_H
#else
#define RILL_SERVE_REST_JSON_SCAN_BLOCK_INL_H
#endif

#include <bit>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace rill::serve::HWY_NAMESPACE {
namespace {

using Mask = std::uint64_t;  // a bit for each of 64 bytes of text

constexpr int kBlock = 64;
constexpr int kBefore = 8, kBehind = 24;  // bytes around a block that are read as well

inline Mask up_to(int bit) { return ~Mask{0} >> (63 - bit); }
inline int first(Mask mask) { return std::countr_zero(mask); }
inline Mask without_first(Mask mask) { return mask & (mask - 1); }

// Which bytes of a block are what.
struct Block {
  explicit Block(const char* text) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<std::uint8_t, kBlock> d;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text);
    for (std::size_t at = 0; at < kBlock; at += hn::Lanes(d)) {
      const auto v = hn::LoadU(d, bytes + at);
      const auto bits = [&](auto mask) {
        std::uint8_t stored[8] = {};
        hn::StoreMaskBits(d, mask, stored);
        Mask found = 0;
        std::memcpy(&found, stored, 8);
        return found << at;
      };
      const auto is = [&](char c) {
        return bits(hn::Eq(v, hn::Set(d, static_cast<std::uint8_t>(c))));
      };
      const auto up_to = [&](auto bytes, std::uint8_t last) {
        return bits(hn::Eq(hn::Min(bytes, hn::Set(d, last)), bytes));
      };
      digits |= up_to(hn::Sub(v, hn::Set(d, '0')), 9);
      zeros |= is('0');
      commas |= is(',');
      opens |= is('[');
      closes |= is(']');
      minuses |= is('-');
      points |= is('.');
      spaces |= up_to(v, ' ');
    }
  }

  Mask digits = 0, zeros = 0, commas = 0, opens = 0, closes = 0, minuses = 0, points = 0;
  Mask spaces = 0;  // and control characters
};

inline Mask mask_of(const char* text, const auto& holds) {
  Mask mask = 0;
  for (int i = 0; i < kBlock; ++i) mask |= Mask{holds(text[i])} << i;
  return mask;
}

// The spaces that follow each of `mask`; `carry` is 1 when one of it stood before the block.
inline Mask spaces_after(Mask mask, Mask spaces, Mask carry) {
  const Mask begins = (mask << 1 | carry) & spaces;
  return spaces & ~(spaces + begins);
}

inline Mask mask_of_spaces(const char* text) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint8_t, kBlock> d;
  Mask mask = 0;
  for (std::size_t at = 0; at < kBlock; at += hn::Lanes(d)) {
    std::uint8_t stored[8] = {};
    hn::StoreMaskBits(d,
                      hn::Eq(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + at),
                             hn::Set(d, static_cast<std::uint8_t>(' '))),
                      stored);
    Mask found = 0;
    std::memcpy(&found, stored, 8);
    mask |= found << at;
  }
  return mask;
}

}  // namespace
}  // namespace rill::serve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
