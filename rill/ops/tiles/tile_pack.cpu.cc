#include "rill/ops/tiles/tile_pack.h"

#include "rill/base/error.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace rill {
namespace {

#define RILL_VECTORS \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16"), always_inline)) inline
#define RILL_VECTOR_CALL __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

RILL_VECTORS __mmask16 first16(std::int64_t count) {
  return count >= 16 ? __mmask16(0xffff) : count <= 0 ? __mmask16(0) : __mmask16((1u << count) - 1);
}
RILL_VECTORS __mmask32 first32(std::int64_t count) {
  return count >= 32 ? __mmask32(~0u) : count <= 0 ? __mmask32(0) : __mmask32((1u << count) - 1);
}
RILL_VECTORS __mmask64 first64(std::int64_t count) {
  return count >= 64 ? ~__mmask64(0) : count <= 0 ? __mmask64(0) : (__mmask64(1) << count) - 1;
}

// One row of a tile: `count` elements at x, as far as they fill it, then zeros.
template <TileSource source>
RILL_VECTORS __m512i tile_row(const void* x, std::int64_t count) {
  if constexpr (source == TileSource::kFloat) {
    const auto* f = static_cast<const float*>(x);
    const __m512 low = _mm512_maskz_loadu_ps(first16(count), f);
    const __m512 high = _mm512_maskz_loadu_ps(first16(count - 16), f + 16);
    return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
  } else if constexpr (source == TileSource::kBfloat16) {
    return _mm512_maskz_loadu_epi16(first32(count), x);
  } else {
    return _mm512_maskz_loadu_epi8(first64(count), x);
  }
}

template <TileSource source>
RILL_VECTOR_CALL void pack_lines(const std::byte* lines, std::int64_t stride, std::int64_t count,
                                 std::int64_t depth, std::byte* panel) {
  constexpr std::int64_t kStep = tile_depth(tile_element(source));
  for (std::int64_t r = 0; r < kPanelWidth; ++r) {
    const std::byte* x = lines + r * stride;
    std::byte* out = panel + r * kTileRowBytes;
    for (std::int64_t d = 0; d < depth; d += kStep, out += kPanelStepBytes)
      _mm512_storeu_si512(out, r < count ? tile_row<source>(x + d * source_bytes(source), depth - d)
                                         : _mm512_setzero_si512());
  }
}

// Sixteen columns of the rows that share a row of a tile (two or four), interleaved.
template <TileSource source>
RILL_VECTORS __m512i woven(const std::byte* x, std::int64_t stride, std::int64_t depth,
                           std::int64_t count) {
  const __mmask16 columns = first16(count);
  const __mmask16 none = 0;
  if constexpr (source == TileSource::kByte) {
    __m128i row[4];
    for (int i = 0; i < 4; ++i)
      row[i] = _mm_maskz_loadu_epi8(i < depth ? columns : none, x + i * stride);
    const __m128i low01 = _mm_unpacklo_epi8(row[0], row[1]),
                  low23 = _mm_unpacklo_epi8(row[2], row[3]),
                  high01 = _mm_unpackhi_epi8(row[0], row[1]),
                  high23 = _mm_unpackhi_epi8(row[2], row[3]);
    __m512i all = _mm512_castsi128_si512(_mm_unpacklo_epi16(low01, low23));
    all = _mm512_inserti32x4(all, _mm_unpackhi_epi16(low01, low23), 1);
    all = _mm512_inserti32x4(all, _mm_unpacklo_epi16(high01, high23), 2);
    return _mm512_inserti32x4(all, _mm_unpackhi_epi16(high01, high23), 3);
  } else {
    const __m512i order =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                         21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __mmask16 second = depth > 1 ? columns : none;
    __m512i rows;
    if constexpr (source == TileSource::kFloat) {
      const __m512 a = _mm512_maskz_loadu_ps(columns, x),
                   b = _mm512_maskz_loadu_ps(second, x + stride);
      rows = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a));
    } else {
      rows = _mm512_maskz_inserti64x4(0xff,
                                      _mm512_castsi256_si512(_mm256_maskz_loadu_epi16(columns, x)),
                                      _mm256_maskz_loadu_epi16(second, x + stride), 1);
    }
    return _mm512_permutexvar_epi16(order, rows);
  }
}

template <TileSource source>
RILL_VECTOR_CALL void weave_lines(const std::byte* lines, std::int64_t stride, std::int64_t count,
                                  std::int64_t depth, std::byte* panel) {
  constexpr std::int64_t kStep = tile_depth(tile_element(source)), kTogether = kStep / kTileRows;
  constexpr std::int64_t kTileColumns = kTileRows * source_bytes(source);
  for (std::int64_t d = 0; d < depth; d += kStep, panel += kPanelStepBytes)
    for (std::int64_t r = 0; r < kTileRows; ++r) {
      const std::int64_t k = d + r * kTogether, left = depth - k;
      std::byte* const out = panel + r * kTileRowBytes;
      if (left <= 0) {
        _mm512_storeu_si512(out, _mm512_setzero_si512());
        _mm512_storeu_si512(out + kTileBytes, _mm512_setzero_si512());
        continue;
      }
      const std::byte* const x = lines + k * stride;
      _mm512_storeu_si512(out, woven<source>(x, stride, left, count));
      _mm512_storeu_si512(out + kTileBytes,
                          woven<source>(x + kTileColumns, stride, left, count - kTileRows));
    }
}

// Turns every tile: its 32-bit words change rows for columns.
RILL_VECTOR_CALL void turn_tiles(std::byte* panel, std::int64_t tile_count) {
  const __m512i rows =
      _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                         _mm512_set1_epi32(16));
  alignas(64) std::byte tile[kTileBytes];
  for (std::int64_t t = 0; t < tile_count; ++t, panel += kTileBytes) {
    std::memcpy(tile, panel, kTileBytes);
    for (std::int64_t c = 0; c < kTileRows; ++c)
      _mm512_storeu_si512(
          panel + c * kTileRowBytes,
          _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, rows, tile + c * 4, 4));
  }
}

using PackFn = void (*)(const std::byte*, std::int64_t, std::int64_t, std::int64_t, std::byte*);

constexpr PackFn kPackLines[] = {pack_lines<TileSource::kFloat>, pack_lines<TileSource::kBfloat16>,
                                 pack_lines<TileSource::kByte>};
constexpr PackFn kWeaveLines[] = {weave_lines<TileSource::kFloat>,
                                  weave_lines<TileSource::kBfloat16>,
                                  weave_lines<TileSource::kByte>};

// Lines along the depth are packed, lines across it are woven; where a panel wants the other order
// its tiles are turned afterwards.
void pack(const TileOperand& x, std::int64_t first, std::int64_t count, std::int64_t depth,
          bool lines_along_depth, bool turns, std::byte* panel) {
  const std::int64_t size = source_bytes(x.source);
  const auto* data = static_cast<const std::byte*>(x.data);
  const auto which = static_cast<std::size_t>(x.source);
  if (lines_along_depth)
    kPackLines[which](data + first * x.stride * size, x.stride * size, count, depth, panel);
  else
    kWeaveLines[which](data + first * size, x.stride * size, count, depth, panel);
  if (turns) turn_tiles(panel, 2 * tile_steps(x.source, depth));
}

}  // namespace

void pack_tile_rows(const TileOperand& a, std::int64_t first, std::int64_t count,
                    std::int64_t depth, std::byte* panel) {
  pack(a, first, count, depth, !a.turned, a.turned, panel);
}

void pack_tile_columns(const TileOperand& b, std::int64_t first, std::int64_t count,
                       std::int64_t depth, std::byte* panel) {
  pack(b, first, count, depth, b.turned, b.turned, panel);
}

RILL_VECTOR_CALL void narrow_for_tiles(std::uint16_t* out, const float* x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += 32)
    _mm512_mask_storeu_epi16(out + i, first32(count - i),
                             tile_row<TileSource::kFloat>(x + i, count - i));
}

}  // namespace rill

#else

namespace rill {

void pack_tile_rows(const TileOperand&, std::int64_t, std::int64_t, std::int64_t, std::byte*) {
  raise(Code::kUnimplemented, "this processor has no tiles");
}
void pack_tile_columns(const TileOperand&, std::int64_t, std::int64_t, std::int64_t, std::byte*) {
  raise(Code::kUnimplemented, "this processor has no tiles");
}
void narrow_for_tiles(std::uint16_t*, const float*, std::int64_t) {
  raise(Code::kUnimplemented, "this processor has no tiles");
}

}  // namespace rill

#endif
