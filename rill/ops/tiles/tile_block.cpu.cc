#include "rill/ops/tiles/tile_block.h"

#include "rill/base/error.h"

#if defined(__x86_64__)

#include <immintrin.h>

namespace rill {
namespace {

#define RILL_TILES __attribute__((target("amx-tile,amx-bf16,amx-int8")))

struct TileSizes {
  std::uint8_t palette = 1, first_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileSizes) == 64);
alignas(64) const TileSizes kSizes;

// Tiles 0 to 3 hold the results, 4 and 5 A, 6 and 7 B.
template <TileElement element>
RILL_TILES void run_block(const TileBlock& block) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  const std::byte* b = block.b;
  for (std::int64_t i = 0; i < block.step_count; ++i, b += kPanelStepBytes) {
    _tile_loadd(4, block.upper + block.a_steps[i], block.a_stride);
    _tile_loadd(6, b, kTileRowBytes);
    _tile_loadd(5, block.lower + block.a_steps[i], block.a_stride);
    _tile_loadd(7, b + kTileBytes, kTileRowBytes);
    if constexpr (element == TileElement::kBfloat16) {
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    } else {
      _tile_dpbuud(0, 4, 6);
      _tile_dpbuud(1, 4, 7);
      _tile_dpbuud(2, 5, 6);
      _tile_dpbuud(3, 5, 7);
    }
  }
  const TileBlock::Target upper = block.upper_out, lower = block.lower_out;
  _tile_stored(0, upper.first, upper.stride);
  _tile_stored(1, upper.first + kTileRowBytes, upper.stride);
  _tile_stored(2, lower.first, lower.stride);
  _tile_stored(3, lower.first + kTileRowBytes, lower.stride);
}

RILL_TILES void take_tiles() { _tile_loadconfig(&kSizes); }
RILL_TILES void leave_tiles() { _tile_release(); }

}  // namespace

TileBlockFn find_tile_block(TileElement element) {
  return element == TileElement::kBfloat16 ? run_block<TileElement::kBfloat16>
                                           : run_block<TileElement::kByte>;
}

TilesInUse::TilesInUse() { take_tiles(); }
TilesInUse::~TilesInUse() { leave_tiles(); }

}  // namespace rill

#else

namespace rill {

TileBlockFn find_tile_block(TileElement) {
  raise(Code::kUnimplemented, "this processor has no tiles");
}
TilesInUse::TilesInUse() { raise(Code::kUnimplemented, "this processor has no tiles"); }
TilesInUse::~TilesInUse() = default;

}  // namespace rill

#endif
