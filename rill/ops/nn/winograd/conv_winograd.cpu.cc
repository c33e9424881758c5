#include "rill/ops/nn/winograd/conv_winograd.h"

#include "rill/kernel/fast_paths.h"
#include "rill/ops/array/slice/transpose_tiles.h"
#include "rill/ops/nn/winograd/winograd_tiles.h"

namespace rill {
namespace {

constexpr std::int64_t kMinWinogradChannels = 32, kResultStep = 32, kLongestSide = 7;
constexpr std::int64_t kMinTiles = 64, kMinTilesPrepacked = 32;
// Of values of a row of tiles, which is a block at least, and of a turned filter.
constexpr double kMaxRowElements = 2 << 20, kMaxFilterElements = 32 << 20;

// Works on one block after the other, on one thread.
class BlockWork {
 public:
  BlockWork(const KernelCall& call, const ConvProblem& p, const WinogradParts& parts,
            const WinogradTiles& tiles, const float* images, const float* filter, float* results)
      : p_(p),
        parts_(parts),
        all_(tiles),
        filter_(filter),
        results_(results),
        values_(call, p, parts, tiles, images),
        products_(
            scratch_floats(call, kWinogradPlaces * tiles.max_in_block() * kernel_.panel_width)) {}

  // Returns where its results are.
  std::pair<std::int64_t, std::int64_t> run(std::int64_t block) {
    const std::int64_t first = block * all_.block_rows;
    const std::int64_t end = std::min(all_.rows, first + all_.block_rows);
    values_.turn(first, end);
    const std::int64_t tiles = values_.tiles(), width = kernel_.panel_width;
    const std::int64_t chunks = p_.in_channels / kWinogradChunk;
    for (std::int64_t channel = 0; channel < p_.out_channels; channel += width) {
      const float* filter = filter_ + channel * parts_.total * p_.in_channels;
      for (int place = 0; place < kWinogradPlaces; ++place) {
        const std::int64_t parts = parts_.count(place);
        kernel_.multiply(values_.at(place), tiles, parts * chunks, filter,
                         products_.data<float>() + place * tiles * width);
        filter += parts * p_.in_channels * width;
      }
      turn_back(first, end, channel);
    }
    const std::int64_t row = p_.dims[1].out * p_.out_channels;
    return {all_.result_row(first) * row, all_.result_row(end) * row};
  }

 private:
  void turn_back(std::int64_t first, std::int64_t end, std::int64_t channel) {
    const std::int64_t width = p_.dims[1].out, place_step = values_.tiles() * kernel_.panel_width;
    const float* from = products_.data<float>();
    for (std::int64_t row = first; row < end; ++row) {
      float* const top = results_ + all_.result_row(row) * width * p_.out_channels + channel;
      const bool has_two_rows = 2 * (row % all_.in_column) + 1 < p_.dims[0].out;
      for (std::int64_t x = 0; x < width; x += 2, from += kernel_.panel_width) {
        float* const left = top + x * p_.out_channels;
        float* const below = has_two_rows ? left + width * p_.out_channels : nullptr;
        const bool has_two = x + 1 < width;
        float* const pixels[] = {left, has_two ? left + p_.out_channels : nullptr, below,
                                 has_two && has_two_rows ? below + p_.out_channels : nullptr};
        kernel_.turn_back(from, place_step, pixels);
      }
    }
  }

  const WinogradKernel& kernel_ = winograd_kernel();
  const ConvProblem& p_;
  const WinogradParts& parts_;
  const WinogradTiles& all_;
  const float* filter_;
  float* results_;
  WinogradValues values_;
  Tensor products_;
};

}  // namespace

bool suits_winograd(const ConvProblem& p, bool is_prepacked) {
  // Without wide vectors oneDNN's loops are quicker.
  if (p.dims.size() != 2 || winograd_kernel().panel_width < kWinogradChunk) return false;
  for (const WindowDim& d : p.dims)
    if (d.size < 3 || d.size > kLongestSide || d.size % 2 == 0 || d.stride != 1 || d.dilation != 1)
      return false;
  if (p.in_channels < kMinWinogradChannels || p.in_channels % kWinogradChunk != 0) return false;
  if (p.out_channels < kMinWinogradChannels || p.out_channels % kResultStep != 0) return false;
  const WinogradTiles tiles(p);
  const double elements = static_cast<double>(WinogradParts(p).total * p.in_channels);
  if (elements * static_cast<double>(tiles.in_row) > kMaxRowElements ||
      elements * static_cast<double>(p.out_channels) > kMaxFilterElements)
    return false;
  // A tile that reaches beyond the results costs as much as another one.
  return p.batch * p.positions() >= 3 * tiles.count() &&
         tiles.count() >= (is_prepacked ? kMinTilesPrepacked : kMinTiles) &&
         takes(FastPath::kConvWinograd);
}

Tensor winograd_filter(const KernelCall& call, const ConvProblem& p, const float* filter) {
  const WinogradKernel& kernel = winograd_kernel();
  const WinogradParts parts(p);
  const std::int64_t part = p.in_channels * kernel.panel_width, panel = parts.total * part;
  const std::int64_t panels = p.out_channels / kernel.panel_width;
  Tensor turned = scratch_floats(call, panels * panel);
  const auto turn = [&](std::int64_t i) {
    for_winograd_parts(p, parts, [&](const std::int64_t* taps, const std::int64_t* places) {
      const float* from[9];
      float* to[kWinogradPlaces];
      for (int t = 0; t < 9; ++t)
        from[t] = taps[t] < 0
                      ? nullptr
                      : filter + taps[t] * p.in_channels * p.out_channels + i * kernel.panel_width;
      for (int t = 0; t < kWinogradPlaces; ++t)
        to[t] = places[t] < 0 ? nullptr : turned.data<float>() + i * panel + places[t] * part;
      kernel.turn_taps(from, p.out_channels, p.in_channels, to);
    });
  };
  const double nanos = 0.25 * static_cast<double>(panel);
  call.parallel_for(static_cast<std::size_t>(panels), nanos,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) turn(static_cast<std::int64_t>(i));
                    });
  return turned;
}

Tensor winograd_gradient_filter(const KernelCall& call, const ConvProblem& p, const float* filter) {
  constexpr std::int64_t kTogether = 64;  // channels
  const std::int64_t in = p.in_channels, out = p.out_channels, taps = p.taps();
  const std::int64_t bands = (in + kTogether - 1) / kTogether;
  const Tensor plain = scratch_floats(call, taps * in * out);
  call.parallel_for(
      static_cast<std::size_t>(taps * bands), 0.3 * static_cast<double>(kTogether * out),
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const std::int64_t tap = i / bands, first = i % bands * kTogether;
          transpose_tiles(sizeof(float), {.dst = plain.data<float>() + (tap * in + first) * out,
                                          .src = filter + (taps - 1 - tap) * in * out + first,
                                          .dst_stride = out,
                                          .src_stride = in,
                                          .rows = std::min(kTogether, in - first),
                                          .columns = out});
        }
      });
  return winograd_filter(call, p, plain.data<float>());
}

void conv_winograd(const KernelCall& call, const ConvProblem& p, const float* images,
                   const Tensor& turned_filter, float* results, const RangeDone& done) {
  log_winograd(call);
  const WinogradParts parts(p);
  const WinogradTiles tiles(p);
  const double flops = 2.0 * static_cast<double>(parts.total * tiles.count()) *
                       static_cast<double>(p.in_channels) * static_cast<double>(p.out_channels);
  const double nanos = kWinogradNanosPerFlop * flops / static_cast<double>(tiles.blocks);
  call.parallel_for(
      static_cast<std::size_t>(tiles.blocks), nanos, [&](std::size_t begin, std::size_t end) {
        BlockWork work(call, p, parts, tiles, images, turned_filter.data<float>(), results);
        for (std::size_t i = begin; i < end; ++i) {
          const auto [from, to] = work.run(static_cast<std::int64_t>(i));
          if (done) done(from, to);
        }
      });
}

}  // namespace rill
