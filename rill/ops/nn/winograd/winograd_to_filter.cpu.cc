#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/nn/winograd/conv_winograd.h"
#include "rill/ops/nn/winograd/winograd_tiles.h"

namespace rill {
namespace {

// Sums of the products of some blocks each, which are added up in the end: as many as keep some
// threads busy, fewer where they are large.
constexpr std::int64_t kMaxWinogradSums = 8, kMinWinogradSums = 2,
                       kMaxWinogradSumElements = 2 << 20;

// Adds the products of blocks of tiles to one sum, on one thread.
class SumWork {
 public:
  SumWork(const KernelCall& call, const ConvProblem& p, const WinogradParts& parts,
          const WinogradTiles& tiles, const float* images, const float* gradient, float* sum)
      : p_(p),
        parts_(parts),
        all_(tiles),
        gradient_(gradient),
        sum_(sum),
        values_(call, p, parts, tiles, images),
        gradients_(
            scratch_floats(call, kWinogradPlaces * tiles.max_in_block() * kernel_.panel_width)) {}

  void add(std::int64_t block) {
    const std::int64_t first = block * all_.block_rows;
    const std::int64_t end = std::min(all_.rows, first + all_.block_rows);
    values_.turn(first, end);
    const std::int64_t tiles = values_.tiles(), width = kernel_.panel_width;
    const std::int64_t chunks = p_.in_channels / kWinogradChunk;
    for (std::int64_t channel = 0; channel < p_.out_channels; channel += width) {
      turn_gradients(first, end, channel);
      float* sum = sum_ + channel * parts_.total * p_.in_channels;
      for (int place = 0; place < kWinogradPlaces; ++place) {
        const std::int64_t parts = parts_.count(place);
        kernel_.add_products(values_.at(place), tiles, parts * chunks,
                             gradients_.data<float>() + place * tiles * width, sum);
        sum += parts * p_.in_channels * width;
      }
    }
  }

 private:
  void turn_gradients(std::int64_t first, std::int64_t end, std::int64_t channel) {
    const std::int64_t width = p_.dims[1].out, place_step = values_.tiles() * kernel_.panel_width;
    float* to = gradients_.data<float>();
    for (std::int64_t row = first; row < end; ++row) {
      const float* const top = gradient_ + all_.result_row(row) * width * p_.out_channels + channel;
      const bool has_two_rows = 2 * (row % all_.in_column) + 1 < p_.dims[0].out;
      for (std::int64_t x = 0; x < width; x += 2, to += kernel_.panel_width) {
        const float* const left = top + x * p_.out_channels;
        const float* const below = has_two_rows ? left + width * p_.out_channels : nullptr;
        const bool has_two = x + 1 < width;
        const float* const pixels[] = {left, has_two ? left + p_.out_channels : nullptr, below,
                                       has_two && has_two_rows ? below + p_.out_channels : nullptr};
        kernel_.turn_gradient(pixels, place_step, to);
      }
    }
  }

  const WinogradKernel& kernel_ = winograd_kernel();
  const ConvProblem& p_;
  const WinogradParts& parts_;
  const WinogradTiles& all_;
  const float* gradient_;
  float* sum_;
  WinogradValues values_;
  Tensor gradients_;
};

// Adds up one panel of all sums, in their order, and turns it back.
void finish_panel(const ConvProblem& p, const WinogradParts& parts, float* sums, std::int64_t count,
                  std::int64_t size, std::int64_t i, float* filter) {
  static const BinaryRow add = find_add_rows(DType::f32).both;
  const WinogradKernel& kernel = winograd_kernel();
  const std::int64_t part = p.in_channels * kernel.panel_width, panel = parts.total * part;
  float* const sum = sums + i * panel;
  for (std::int64_t s = 1; s < count; ++s)
    add(sum, sum, sum + s * size, static_cast<std::size_t>(panel));
  for_winograd_parts(p, parts, [&](const std::int64_t* taps, const std::int64_t* places) {
    const float* from[kWinogradPlaces];
    float* to[9];
    for (int t = 0; t < kWinogradPlaces; ++t)
      from[t] = places[t] < 0 ? nullptr : sum + places[t] * part;
    for (int t = 0; t < 9; ++t)
      to[t] = taps[t] < 0
                  ? nullptr
                  : filter + taps[t] * p.in_channels * p.out_channels + i * kernel.panel_width;
    kernel.turn_sums(from, p.out_channels, p.in_channels, to);
  });
}

}  // namespace

void winograd_to_filter(const KernelCall& call, const ConvProblem& p, const float* images,
                        const float* gradient, float* filter) {
  log_winograd(call);
  const WinogradParts parts(p);
  const WinogradTiles tiles(p);
  const std::int64_t size = parts.total * p.in_channels * p.out_channels;
  const std::int64_t wanted =
      std::clamp(kMaxWinogradSumElements / size, kMinWinogradSums, kMaxWinogradSums);
  const std::int64_t blocks = (tiles.blocks + wanted - 1) / wanted;  // of one sum
  const std::int64_t count = (tiles.blocks + blocks - 1) / blocks;
  const Tensor sums = scratch_floats(call, count * size);
  const double flops = 2.0 * static_cast<double>(size) * static_cast<double>(tiles.count());
  const double nanos = kWinogradNanosPerFlop * flops / static_cast<double>(count);
  call.parallel_for(
      static_cast<std::size_t>(count), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          float* const sum = sums.data<float>() + i * size;
          std::fill_n(sum, size, 0.0f);
          SumWork work(call, p, parts, tiles, images, gradient, sum);
          for (std::int64_t b = i * blocks; b < std::min(tiles.blocks, (i + 1) * blocks); ++b)
            work.add(b);
        }
      });
  const std::int64_t panels = p.out_channels / winograd_kernel().panel_width;
  const double panel_nanos = 0.2 * static_cast<double>(count * size) / static_cast<double>(panels);
  call.parallel_for(static_cast<std::size_t>(panels), panel_nanos,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        finish_panel(p, parts, sums.data<float>(), count, size,
                                     static_cast<std::int64_t>(i), filter);
                    });
}

}  // namespace rill
