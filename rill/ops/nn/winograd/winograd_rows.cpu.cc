#include "rill/ops/nn/winograd/winograd_rows.h"

#include <utility>

#define HWY_TARGET_INCLUDE "rill/ops/nn/winograd/winograd_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand: sums are multiplied and added in one instruction.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// As many tiles, or channels of images, times two vectors of channels of results as registers hold
// sums of.
#if HWY_TARGET == HWY_AVX3
constexpr int kTiles = 14, kChannels = 8;
#elif HWY_TARGET == HWY_AVX2
constexpr int kTiles = 6, kChannels = 4;
#else
constexpr int kTiles = 4, kChannels = 4;
#endif

// Not more than a chunk's channels.
using WinogradLanes = hn::CappedTag<float, kWinogradChunk>;
using WinogradVec = hn::Vec<WinogradLanes>;
constexpr auto kWinogradLanes = static_cast<std::int64_t>(HWY_MIN(HWY_LANES(float), 16));
constexpr std::int64_t kPanelWidth = 2 * kWinogradLanes;

HWY_INLINE WinogradVec winograd_load(const float* from) { return hn::LoadU(WinogradLanes(), from); }
HWY_INLINE WinogradVec winograd_load(const float* from, std::int64_t at) {
  return from == nullptr ? hn::Zero(WinogradLanes()) : winograd_load(from + at);
}
HWY_INLINE void winograd_store(WinogradVec value, float* to) {
  hn::StoreU(value, WinogradLanes(), to);
}

// The first `rows` by `columns` places.
template <int rows, int columns>
void winograd_turn_part(const float* const* pixels, std::int64_t chunks, std::int64_t chunk_step,
                        float* const* places) {
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
    for (std::int64_t lane = 0; lane < kWinogradChunk; lane += kWinogradLanes) {
      const std::int64_t channel = chunk * kWinogradChunk + lane;
      WinogradVec turned[4][4];
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) {
        const WinogradVec p0 = winograd_load(pixels[x] + channel);
        const WinogradVec p1 = winograd_load(pixels[4 + x] + channel);
        const WinogradVec p2 = winograd_load(pixels[8 + x] + channel);
        turned[0][x] = hn::Sub(p0, p2);
        turned[1][x] = hn::Add(p1, p2);
        turned[2][x] = hn::Sub(p2, p1);
        if constexpr (rows == 4)
          turned[3][x] = hn::Sub(p1, winograd_load(pixels[12 + x] + channel));
      }
      const std::int64_t at = chunk * chunk_step + lane;
#pragma GCC unroll 4
      for (int y = 0; y < rows; ++y) {
        const WinogradVec* const row = turned[y];
        winograd_store(hn::Sub(row[0], row[2]), places[4 * y] + at);
        winograd_store(hn::Add(row[1], row[2]), places[4 * y + 1] + at);
        winograd_store(hn::Sub(row[2], row[1]), places[4 * y + 2] + at);
        if constexpr (columns == 4) winograd_store(hn::Sub(row[1], row[3]), places[4 * y + 3] + at);
      }
    }
}

void winograd_turn_tile(const float* const* pixels, std::int64_t chunks, std::int64_t chunk_step,
                        float* const* places) {
  const bool all_rows = places[12] != nullptr, all_columns = places[3] != nullptr;
  const auto turn = all_rows ? (all_columns ? winograd_turn_part<4, 4> : winograd_turn_part<4, 3>)
                             : (all_columns ? winograd_turn_part<3, 4> : winograd_turn_part<3, 3>);
  turn(pixels, chunks, chunk_step, places);
}

// Four values of three taps, `step` apart.
HWY_INLINE void winograd_turn_three(WinogradVec t0, WinogradVec t1, WinogradVec t2,
                                    WinogradVec* values, int step) {
  const WinogradVec half = hn::Set(WinogradLanes(), 0.5f);
  const WinogradVec ends = hn::Add(t0, t2);
  values[0] = t0;
  values[step] = hn::Mul(half, hn::Add(ends, t1));
  values[2 * step] = hn::Mul(half, hn::Sub(ends, t1));
  values[3 * step] = t2;
}

void winograd_turn_taps(const float* const* taps, std::int64_t channel_step, std::int64_t channels,
                        float* const* places) {
  for (std::int64_t channel = 0; channel < channels; ++channel)
    for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
      const std::int64_t from = channel * channel_step + lane, to = channel * kPanelWidth + lane;
      WinogradVec rows[4 * 3];
#pragma GCC unroll 3
      for (int x = 0; x < 3; ++x)
        winograd_turn_three(winograd_load(taps[x], from), winograd_load(taps[3 + x], from),
                            winograd_load(taps[6 + x], from), rows + x, 3);
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y) {
        WinogradVec values[4];
        winograd_turn_three(rows[3 * y], rows[3 * y + 1], rows[3 * y + 2], values, 1);
        for (int x = 0; x < 4; ++x)
          if (places[4 * y + x] != nullptr) winograd_store(values[x], places[4 * y + x] + to);
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
      const WinogradVec f0 = winograd_load(panel), f1 = winograd_load(panel + kWinogradLanes);
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
    winograd_store(low[i], products);
    winograd_store(high[i], products + kWinogradLanes);
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
  for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
    WinogradVec rows[2][4];
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) {
      const float* const from = products + x * place_step + lane;
      const WinogradVec p1 = winograd_load(from + 4 * place_step);
      const WinogradVec p2 = winograd_load(from + 8 * place_step);
      rows[0][x] = hn::Add(hn::Add(winograd_load(from), p1), p2);
      rows[1][x] = hn::Sub(hn::Sub(p1, p2), winograd_load(from + 12 * place_step));
    }
#pragma GCC unroll 2
    for (int y = 0; y < 2; ++y) {
      const WinogradVec* const row = rows[y];
      float *const left = pixels[2 * y], *const right = pixels[2 * y + 1];
      if (left != nullptr) winograd_store(hn::Add(hn::Add(row[0], row[1]), row[2]), left + lane);
      if (right != nullptr) winograd_store(hn::Sub(hn::Sub(row[1], row[2]), row[3]), right + lane);
    }
  }
}

void winograd_turn_gradient(const float* const* pixels, std::int64_t place_step, float* values) {
  for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
    WinogradVec rows[4][2];
#pragma GCC unroll 2
    for (int x = 0; x < 2; ++x) {
      const WinogradVec p0 = winograd_load(pixels[x], lane),
                        p1 = winograd_load(pixels[2 + x], lane);
      rows[0][x] = p0;
      rows[1][x] = hn::Add(p0, p1);
      rows[2][x] = hn::Sub(p0, p1);
      rows[3][x] = hn::Neg(p1);
    }
    float* to = values + lane;
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y, to += 4 * place_step) {
      winograd_store(rows[y][0], to);
      winograd_store(hn::Add(rows[y][0], rows[y][1]), to + place_step);
      winograd_store(hn::Sub(rows[y][0], rows[y][1]), to + 2 * place_step);
      winograd_store(hn::Neg(rows[y][1]), to + 3 * place_step);
    }
  }
}

void winograd_add_products(const float* values, std::int64_t tiles, std::int64_t chunks,
                           const float* gradients, float* sums) {
  const WinogradLanes d;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk, values += tiles * kWinogradChunk)
    for (std::int64_t channel = 0; channel < kWinogradChunk;
         channel += kChannels, sums += kChannels * kPanelWidth) {
      WinogradVec low[kChannels], high[kChannels];
#pragma GCC unroll 8
      for (int i = 0; i < kChannels; ++i) {
        low[i] = winograd_load(sums + i * kPanelWidth);
        high[i] = winograd_load(sums + i * kPanelWidth + kWinogradLanes);
      }
      const float* gradient = gradients;
      const float* from = values + channel;
      for (std::int64_t tile = 0; tile < tiles;
           ++tile, gradient += kPanelWidth, from += kWinogradChunk) {
        const WinogradVec g0 = winograd_load(gradient),
                          g1 = winograd_load(gradient + kWinogradLanes);
#pragma GCC unroll 8
        for (int i = 0; i < kChannels; ++i) {
          const WinogradVec x = hn::Set(d, from[i]);
          low[i] = hn::MulAdd(x, g0, low[i]);
          high[i] = hn::MulAdd(x, g1, high[i]);
        }
      }
#pragma GCC unroll 8
      for (int i = 0; i < kChannels; ++i) {
        winograd_store(low[i], sums + i * kPanelWidth);
        winograd_store(high[i], sums + i * kPanelWidth + kWinogradLanes);
      }
    }
}

// Three taps of four sums, both `step` apart.
HWY_INLINE void winograd_turn_four(const WinogradVec* sums, WinogradVec* taps, int step) {
  const WinogradVec half = hn::Set(WinogradLanes(), 0.5f);
  const WinogradVec middle = hn::Mul(half, hn::Add(sums[step], sums[2 * step]));
  taps[0] = hn::Add(sums[0], middle);
  taps[step] = hn::Mul(half, hn::Sub(sums[step], sums[2 * step]));
  taps[2 * step] = hn::Add(middle, sums[3 * step]);
}

void winograd_turn_sums(const float* const* places, std::int64_t channel_step,
                        std::int64_t channels, float* const* taps) {
  for (std::int64_t channel = 0; channel < channels; ++channel)
    for (std::int64_t lane = 0; lane < kPanelWidth; lane += kWinogradLanes) {
      const std::int64_t from = channel * kPanelWidth + lane, to = channel * channel_step + lane;
      WinogradVec sums[16], rows[12];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) sums[i] = winograd_load(places[i], from);
#pragma GCC unroll 4
      for (int x = 0; x < 4; ++x) winograd_turn_four(sums + x, rows + x, 4);
#pragma GCC unroll 3
      for (int y = 0; y < 3; ++y) {
        WinogradVec row[3];
        winograd_turn_four(rows + 4 * y, row, 1);
        for (int x = 0; x < 3; ++x)
          if (taps[3 * y + x] != nullptr) winograd_store(row[x], taps[3 * y + x] + to);
      }
    }
}

}  // namespace

WinogradKernel made_winograd() {
  return {kPanelWidth,        winograd_turn_tile,     winograd_turn_taps,    winograd_multiply,
          winograd_turn_back, winograd_turn_gradient, winograd_add_products, winograd_turn_sums};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(WinogradKernel, winograd_kernel, made_winograd);

}  // namespace rill
#endif
