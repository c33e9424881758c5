#pragma once

#include "rill/ops/tiles/tile_block.h"

namespace rill {

// What operands are before they are packed; floats are rounded to bfloat16, to nearest even.
enum class TileSource : unsigned char { kFloat, kBfloat16, kByte };

constexpr TileElement tile_element(TileSource source) {
  return source == TileSource::kByte ? TileElement::kByte : TileElement::kBfloat16;
}
constexpr std::int64_t source_bytes(TileSource source) {
  return source == TileSource::kFloat ? 4 : source == TileSource::kBfloat16 ? 2 : 1;
}
constexpr std::int64_t tile_steps(TileSource source, std::int64_t depth) {
  const std::int64_t one = tile_depth(tile_element(source));
  return (depth + one - 1) / one;
}

// A matrix whose elements stand together along its rows or, if `turned`, along its columns; lines
// are `stride` elements apart.
struct TileOperand {
  TileSource source;
  const void* data;
  std::int64_t stride;
  bool turned;
};

// Rows [first, first + count) of A, which has `depth` columns, as a panel; count <= 32, the rest is
// zero. The two tiles of a step stand together.
void pack_tile_rows(const TileOperand& a, std::int64_t first, std::int64_t count,
                    std::int64_t depth, std::byte* panel);
// Columns [first, first + count) of B, which has `depth` rows.
void pack_tile_columns(const TileOperand& b, std::int64_t first, std::int64_t count,
                       std::int64_t depth, std::byte* panel);

// Plain rows: floats to bfloat16 and back.
void narrow_for_tiles(std::uint16_t* out, const float* x, std::int64_t count);

}  // namespace rill
