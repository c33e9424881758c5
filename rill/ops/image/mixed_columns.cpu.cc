#include "rill/ops/image/mixed_columns.h"

#include <algorithm>
#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/image/mixed_columns.cpu.cc"
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Four elements a pixel: its three and the one that follows.
typedef float MixedPixel __attribute__((vector_size(16)));

HWY_INLINE MixedPixel mixed_pixel(const float* from) {
  MixedPixel four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

HWY_INLINE MixedPixel mixed_pixel(const std::uint8_t* from) {
  std::uint32_t four;
  std::memcpy(&four, from, sizeof four);
#if HWY_TARGET == HWY_SCALAR
  // Bytes are widened step by step, as the vectors of every processor can do it.
  typedef std::uint8_t Bytes __attribute__((vector_size(16)));
  typedef std::uint16_t Shorts __attribute__((vector_size(16)));
  typedef std::int32_t Ints __attribute__((vector_size(16)));
  const Bytes wider =
      __builtin_shuffle(Bytes(Ints{static_cast<std::int32_t>(four)}), Bytes{},
                        Bytes{0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
  const Shorts widest =
      __builtin_shuffle(Shorts(wider), Shorts{}, Shorts{0, 8, 1, 9, 2, 10, 3, 11});
  return __builtin_convertvector(Ints(widest), MixedPixel);
#else
  namespace hn = hwy::HWY_NAMESPACE;
  const auto bytes =
      hn::BitCast(hn::FixedTag<std::uint8_t, 4>(), hn::Set(hn::FixedTag<std::uint32_t, 1>(), four));
  const auto ints = hn::PromoteTo(hn::FixedTag<std::int32_t, 4>(), bytes);
  return MixedPixel(hn::ConvertTo(hn::FixedTag<float, 4>(), ints).raw);
#endif
}

template <class T>
void mix_one(float* out, const T* row, const MixedColumn& column) {
  for (int c = 0; c < 3; ++c) {
    const auto left = static_cast<float>(row[column.lower + c]);
    const auto right = static_cast<float>(row[column.upper + c]);
    out[c] = left + (right - left) * column.distance;
  }
}

// A pixel at once, with the element that follows: the next pixel writes over what comes of that.
// The last pixels of a row have none.
template <class T>
void mix_rgb_row(float* out, const T* row, std::int64_t row_size, const MixedColumn* columns,
                 std::int64_t count) {
  std::int64_t safe = count - 1;
  while (safe > 0 && std::max(columns[safe - 1].lower, columns[safe - 1].upper) + 4 > row_size)
    --safe;
  std::int64_t i = 0;
  for (; i < safe; ++i, out += 3) {
    const MixedPixel left = mixed_pixel(row + columns[i].lower);
    const MixedPixel right = mixed_pixel(row + columns[i].upper);
    const MixedPixel mixed = left + (right - left) * columns[i].distance;
    std::memcpy(out, &mixed, sizeof mixed);
  }
  for (; i < count; ++i, out += 3) mix_one(out, row, columns[i]);
}

}  // namespace

void mix_rgb_floats(float* out, const float* row, std::int64_t row_size, const MixedColumn* columns,
                    std::int64_t count) {
  mix_rgb_row(out, row, row_size, columns, count);
}
void mix_rgb_bytes(float* out, const std::uint8_t* row, std::int64_t row_size,
                   const MixedColumn* columns, std::int64_t count) {
  mix_rgb_row(out, row, row_size, columns, count);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(mix_rgb_floats);
HWY_EXPORT(mix_rgb_bytes);

void mix_rgb(float* out, const std::uint8_t* row, std::int64_t row_size,
             std::span<const MixedColumn> columns) {
  HWY_DYNAMIC_DISPATCH(mix_rgb_bytes)
  (out, row, row_size, columns.data(), static_cast<std::int64_t>(columns.size()));
}
void mix_rgb(float* out, const float* row, std::int64_t row_size,
             std::span<const MixedColumn> columns) {
  HWY_DYNAMIC_DISPATCH(mix_rgb_floats)
  (out, row, row_size, columns.data(), static_cast<std::int64_t>(columns.size()));
}

}  // namespace rill
#endif
