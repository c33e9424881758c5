#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// What is multiplied: bfloat16 summed as float, or unsigned bytes summed as 32-bit integers that
// wrap around.
enum class TileElement : unsigned char { kBfloat16, kByte };

// A tile is 16 rows of 64 bytes; a panel is two tiles side by side or one above the other, for each
// step of the depth: 32 rows of A, 32 columns of B.
constexpr std::int64_t kTileRows = 16, kTileRowBytes = 64, kTileBytes = kTileRows * kTileRowBytes;
constexpr std::int64_t kPanelWidth = 2 * kTileRows, kPanelStepBytes = 2 * kTileBytes;

constexpr std::int64_t tile_depth(TileElement element) {  // of one step
  return element == TileElement::kBfloat16 ? 32 : 64;
}

// One block of 32 x 32 results: upper and lower 16 rows of A, whose rows are `a_stride` bytes apart
// and whose steps stand `a_steps[i]` bytes from the first, times a panel of B.
struct TileBlock {
  const std::byte *upper, *lower;
  std::ptrdiff_t a_stride;
  const std::ptrdiff_t* a_steps;
  std::int64_t step_count;
  const std::byte* b;
  // Where the upper and the lower 16 rows of results go: 32 of 4 bytes each, `stride` bytes apart.
  struct Target {
    std::byte* first;
    std::ptrdiff_t stride;
  };
  Target upper_out, lower_out;
};
using TileBlockFn = void (*)(const TileBlock& block);
TileBlockFn find_tile_block(TileElement element);

// While it lives, this thread's tiles have the size that blocks want.
class TilesInUse {
 public:
  TilesInUse();
  ~TilesInUse();
  TilesInUse(const TilesInUse&) = delete;
  TilesInUse& operator=(const TilesInUse&) = delete;
};

}  // namespace rill
