#pragma once

#include <cstdint>

namespace rill {

// The arithmetic of Winograd's convolution of three by three taps, which computes tiles of two by
// two results from four by four pixels with 16 products a channel instead of 36. Pixels and taps
// are turned into 16 values, values of the same place are multiplied as matrices, and the products
// are turned back into results. Turning takes additions only, and halves of taps.
inline constexpr int kWinogradPlaces = 16;
inline constexpr std::int64_t kWinogradChunk = 16;  // channels of images that stand together

// Values of tiles stand as [chunk of channels][tile][channel of the chunk], those of taps, of
// results' gradients and of products as [channel or tile][panel_width]. Of taps that are two in a
// row or column the last four values are zero: places that are nullptr are left out.
struct WinogradKernel {
  std::int64_t panel_width;  // channels of results that are computed together

  // One tile of 16 pixels; chunks of values lie `chunk_step` apart.
  void (*turn_tile)(const float* const* pixels, std::int64_t chunks, std::int64_t chunk_step,
                    float* const* places);
  // One panel of nine taps; nullptr is zero. Channels of taps lie `channel_step` apart.
  void (*turn_taps)(const float* const* taps, std::int64_t channel_step, std::int64_t channels,
                    float* const* places);
  // Values of `tiles` tiles at one place times a panel's: writes [tile][panel_width].
  void (*multiply)(const float* values, std::int64_t tiles, std::int64_t chunks, const float* panel,
                   float* products);
  // One tile of results from its products, which lie `place_step` apart, to four pixels. Those
  // that are nullptr are outside.
  void (*turn_back)(const float* products, std::int64_t place_step, float* const* pixels);

  // The way from the gradient of results to that of taps: one tile of four pixels, of which
  // nullptr is zero, to values that lie `place_step` apart;
  void (*turn_gradient)(const float* const* pixels, std::int64_t place_step, float* values);
  // values of tiles at one place, transposed, times those of gradients, added to [channel][width];
  void (*add_products)(const float* values, std::int64_t tiles, std::int64_t chunks,
                       const float* gradients, float* sums);
  // one panel of such sums back to nine taps, of which nullptr are not wanted.
  void (*turn_sums)(const float* const* places, std::int64_t channel_step, std::int64_t channels,
                    float* const* taps);
};

// For the instruction set at hand.
const WinogradKernel& winograd_kernel();

}  // namespace rill
