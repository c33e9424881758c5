#pragma once

#include <cstdint>

namespace rill {

// The arithmetic of Winograd's convolution of three by three taps, which computes tiles of two by
// two results from four by four pixels with 16 products a channel instead of 36. Pixels and taps
// are turned into 16 values, values of the same place are multiplied as matrices, and the products
// are turned back into results. Turning takes additions only, and halves of taps.
inline constexpr std::int64_t kWinogradPlaces = 16;
inline constexpr std::int64_t kWinogradChunk = 16;  // channels of images that stand together

// Values of tiles stand as [place][chunk of channels][tile][channel of the chunk].
struct WinogradKernel {
  std::int64_t panel_width;  // channels of results that are computed together

  // One tile: `pixels` are those of its four rows. Values are written for every chunk, which lie
  // `chunk_step` apart, and for every place, which lie `place_step` apart.
  void (*turn_tile)(const float* const* pixels, std::int64_t chunks, std::int64_t chunk_step,
                    std::int64_t place_step, float* values);
  // One panel of a filter [3, 3, channels, results]: taps lie `tap_step` apart, channels
  // `channel_step`. Writes [place][channel][panel_width].
  void (*turn_panel)(const float* filter, std::int64_t tap_step, std::int64_t channel_step,
                     std::int64_t channels, float* panel);
  // Values of `tiles` tiles at one place times a panel's: writes [tile][panel_width].
  void (*multiply)(const float* values, std::int64_t tiles, std::int64_t chunks, const float* panel,
                   float* products);
  // One tile of results from its products, which lie `place_step` apart, to four pixels. Those
  // that are nullptr are outside.
  void (*turn_back)(const float* products, std::int64_t place_step, float* const* pixels);
};

// For the instruction set at hand.
const WinogradKernel& winograd_kernel();

}  // namespace rill
