#include "rill/ops/nn/winograd_rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/winograd_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand: sums are multiplied and added in one instruction.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// As many tiles times two vectors of channels as registers hold sums of.
#if HWY_TARGET == HWY_AVX3
constexpr int kTiles = 14;
#elif HWY_TARGET == HWY_AVX2
constexpr int kTiles = 6;
#else
constexpr int kTiles = 4;
#endif

// At most a chunk's channels, which vectors of any processor may exceed.
using WinogradLanes = hn::CappedTag<float, kWinogradChunk>;
using WinogradVec = hn::Vec<WinogradLanes>;
constexpr auto kWinogradLanes = static_cast<std::int64_t>(HWY_MIN(HWY_LANES(float), 16));
constexpr std::int64_t kPanelWidth = 2 * kWinogradLanes;

void winograd_turn_tile(const float* const* pixels, std::int64_t chunks, std::int64_t chunk_step,
                        std::int64_t place_step, float* values) {
  const WinogradLanes d;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk, values += chunk_step)
    for (std::int64_t lane = 0; lane < kWinogradChunk; lane += kWinogradLanes) {
      const std::int64_t channel = chunk * kWinogradChunk + lane;
      WinogradVec rows[4][4];
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) {
        const WinogradVec p0 = hn::LoadU(d, pixels[x] + channel);
        const WinogradVec p1 = hn::LoadU(d, pixels[4 + x] + channel);
        const WinogradVec p2 = hn::LoadU(d, pixels[8 + x] + channel);
        const WinogradVec p3 = hn::LoadU(d, pixels[12 + x] + channel);
        rows[0][x] = hn::Sub(p0, p2);
        rows[1][x] = hn::Add(p1, p2);
        rows[2][x] = hn::Sub(p2, p1);
        rows[3][x] = hn::Sub(p1, p3);
      }
      float* to = values + lane;
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y, to += 4 * place_step) {
        hn::StoreU(hn::Sub(rows[y][0], rows[y][2]), d, to);
        hn::StoreU(hn::Add(rows[y][1], rows[y][2]), d, to + place_step);
        hn::StoreU(hn::Sub(rows[y][2], rows[y][1]), d, to + 2 * place_step);
        hn::StoreU(hn::Sub(rows[y][1], rows[y][3]), d, to + 3 * place_step);
      }
    }
}

// Four values of three taps.
HWY_INLINE void winograd_turn_taps(WinogradVec t0, WinogradVec t1, WinogradVec t2,
                                   WinogradVec* values, int step) {
  const WinogradVec half = hn::Set(WinogradLanes(), 0.5f);
  const WinogradVec ends = hn::Add(t0, t2);
  values[0] = t0;
  values[step] = hn::Mul(half, hn::Add(ends, t1));
  values[2 * step] = hn::Mul(half, hn::Sub(ends, t1));
  values[3 * step] = t2;
}

void winograd_turn_panel(const float* filter, std::int64_t tap_step, std::int64_t channel_step,
                         std::int64_t channels, float* panel) {
  const WinogradLanes d;
  for (std::int64_t channel = 0; channel < channels; ++channel, filter += channel_step)
    for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
      WinogradVec rows[4 * 3];
#pragma GCC unroll 3
      for (int x = 0; x < 3; ++x) {
        const float* const taps = filter + x * tap_step + lane;
        winograd_turn_taps(hn::LoadU(d, taps), hn::LoadU(d, taps + 3 * tap_step),
                           hn::LoadU(d, taps + 6 * tap_step), rows + x, 3);
      }
      float* to = panel + channel * kPanelWidth + lane;
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y) {
        WinogradVec values[4];
        winograd_turn_taps(rows[3 * y], rows[3 * y + 1], rows[3 * y + 2], values, 1);
        for (int x = 0; x < 4; ++x, to += channels * kPanelWidth) hn::StoreU(values[x], d, to);
      }
    }
}

// `count` tiles. Each product is summed in the same order whatever the count.
template <int count>
void winograd_multiply_tiles(const float* values, std::int64_t chunk_step, std::int64_t chunks,
                             const float* panel, float* products) {
  const WinogradLanes d;
  WinogradVec low[count], high[count];
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) low[i] = high[i] = hn::Zero(d);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk, values += chunk_step)
    for (std::int64_t k = 0; k < kWinogradChunk; ++k, panel += kPanelWidth) {
      const WinogradVec f0 = hn::LoadU(d, panel), f1 = hn::LoadU(d, panel + kWinogradLanes);
      const float* const from = values + k;
#pragma GCC unroll 16
      for (int i = 0; i < count; ++i) {
        const WinogradVec x = hn::Set(d, from[i * kWinogradChunk]);
        low[i] = hn::MulAdd(x, f0, low[i]);
        high[i] = hn::MulAdd(x, f1, high[i]);
      }
    }
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i, products += kPanelWidth) {
    hn::StoreU(low[i], d, products);
    hn::StoreU(high[i], d, products + kWinogradLanes);
  }
}

using WinogradBlock = void (*)(const float*, std::int64_t, std::int64_t, const float*, float*);

template <int... count>
WinogradBlock winograd_block(std::int64_t tiles, std::integer_sequence<int, count...>) {
  static constexpr WinogradBlock kBlocks[] = {winograd_multiply_tiles<count + 1>...};
  return kBlocks[tiles - 1];
}

// In blocks of about the same size, as small ones leave the processor idle.
void winograd_multiply(const float* values, std::int64_t tiles, std::int64_t chunks,
                       const float* panel, float* products) {
  const std::int64_t chunk_step = tiles * kWinogradChunk, blocks = (tiles + kTiles - 1) / kTiles;
  for (std::int64_t block = 0, tile = 0; block < blocks; ++block) {
    const std::int64_t count = (tiles - tile) / (blocks - block);
    winograd_block(count, std::make_integer_sequence<int, kTiles>())(
        values + tile * kWinogradChunk, chunk_step, chunks, panel, products + tile * kPanelWidth);
    tile += count;
  }
}

void winograd_turn_back(const float* products, std::int64_t place_step, float* const* pixels) {
  const WinogradLanes d;
  for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
    WinogradVec rows[2][4];
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) {
      const float* const from = products + x * place_step + lane;
      const WinogradVec p1 = hn::LoadU(d, from + 4 * place_step);
      const WinogradVec p2 = hn::LoadU(d, from + 8 * place_step);
      rows[0][x] = hn::Add(hn::Add(hn::LoadU(d, from), p1), p2);
      rows[1][x] = hn::Sub(hn::Sub(p1, p2), hn::LoadU(d, from + 12 * place_step));
    }
#pragma GCC unroll 2
    for (int y = 0; y < 2; ++y) {
      if (pixels[2 * y] != nullptr)
        hn::StoreU(hn::Add(hn::Add(rows[y][0], rows[y][1]), rows[y][2]), d, pixels[2 * y] + lane);
      if (pixels[2 * y + 1] != nullptr)
        hn::StoreU(hn::Sub(hn::Sub(rows[y][1], rows[y][2]), rows[y][3]), d,
                   pixels[2 * y + 1] + lane);
    }
  }
}

}  // namespace

WinogradKernel made_winograd() {
  return {kPanelWidth, winograd_turn_tile, winograd_turn_panel, winograd_multiply,
          winograd_turn_back};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(made_winograd);

const WinogradKernel& winograd_kernel() {
  static const WinogradKernel found = HWY_DYNAMIC_DISPATCH(made_winograd)();
  return found;
}

}  // namespace rill
#endif
