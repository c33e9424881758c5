#include "rill/ops/nn/convolve_winograd.h"

#include <cstdlib>
#include <string_view>

#include "rill/ops/nn/winograd_rows.h"

namespace rill {
namespace {

constexpr std::int64_t kFewestChannels = 32, kResultStep = 32;
constexpr std::int64_t kFewestTiles = 192, kFewestTilesOfKept = 64;
constexpr std::int64_t kMostTilesOfRow = 1024;
// Of values of a block of tiles, which stay in the second-level cache, and of tiles.
constexpr std::int64_t kBlockBytes = 1 << 20, kMostTiles = 112;
constexpr double kNanosPerFlop = 0.01;

bool is_allowed() {
  static const bool allowed = [] {
    const char* wanted = std::getenv("RILL_WINOGRAD");
    return wanted == nullptr || std::string_view(wanted) != "0";
  }();
  return allowed;
}

Tensor new_floats(const KernelCall& call, std::int64_t count) {
  return Tensor(DType::f32, {count}, call.device().allocator(MemoryKind::host));
}

// The tiles of all images, row by row; blocks of whole rows, cut by the shape alone.
struct Tiles {
  explicit Tiles(const ConvProblem& p)
      : in_columns((p.dims[1].out + 1) / 2),
        in_rows((p.dims[0].out + 1) / 2),
        rows(p.batch * in_rows) {
    const std::int64_t bytes =
        kWinogradPlaces * p.in_channels * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t most = std::clamp<std::int64_t>(kBlockBytes / bytes, 1, kMostTiles);
    std::int64_t count = (rows * in_columns + most - 1) / most;
    // Some threads are evenly busy.
    count = count > 2 ? (count + 3) / 4 * 4 : 2;
    block_rows = std::max<std::int64_t>(1, (rows + count - 1) / count);
    blocks = (rows + block_rows - 1) / block_rows;
  }
  std::int64_t count() const { return rows * in_columns; }

  std::int64_t in_columns, in_rows, rows, block_rows = 1, blocks = 1;
};

// Works on one block after the other, on one thread.
class BlockWork {
 public:
  BlockWork(const KernelCall& call, const ConvProblem& p, const Tiles& tiles, const float* images,
            const float* filter, float* results)
      : p_(p),
        all_(tiles),
        images_(images),
        filter_(filter),
        results_(results),
        values_(new_floats(call,
                           kWinogradPlaces * tiles.block_rows * tiles.in_columns * p.in_channels)),
        products_(new_floats(
            call, kWinogradPlaces * tiles.block_rows * tiles.in_columns * kernel_.panel_width)),
        zeros_(static_cast<std::size_t>(p.in_channels), 0.0f) {}

  // Returns where its results are.
  std::pair<std::int64_t, std::int64_t> run(std::int64_t block) {
    first_ = block * all_.block_rows;
    end_ = std::min(all_.rows, first_ + all_.block_rows);
    const std::int64_t tiles = (end_ - first_) * all_.in_columns;
    turn_tiles(tiles);
    const std::int64_t width = kernel_.panel_width, panel = p_.in_channels * width;
    for (std::int64_t channel = 0; channel < p_.out_channels; channel += width) {
      const float* const filter = filter_ + channel * kWinogradPlaces * p_.in_channels;
      for (std::int64_t place = 0; place < kWinogradPlaces; ++place)
        kernel_.multiply(values_.data<float>() + place * tiles * p_.in_channels, tiles,
                         p_.in_channels / kWinogradChunk, filter + place * panel,
                         products_.data<float>() + place * tiles * width);
      turn_back(tiles, channel);
    }
    const std::int64_t row = p_.dims[1].out * p_.out_channels;
    return {result_row(first_) * row, result_row(end_) * row};
  }

 private:
  // The first row of results, among all images, of a row of tiles.
  std::int64_t result_row(std::int64_t tile_row) const {
    return tile_row / all_.in_rows * p_.dims[0].out + 2 * (tile_row % all_.in_rows);
  }

  void turn_tiles(std::int64_t tiles) {
    float* to = values_.data<float>();
    for (std::int64_t row = first_; row < end_; ++row)
      for (std::int64_t column = 0; column < all_.in_columns; ++column, to += kWinogradChunk) {
        const float* pixels[16];
        find_pixels(row, column, pixels);
        kernel_.turn_tile(pixels, p_.in_channels / kWinogradChunk, tiles * kWinogradChunk,
                          tiles * p_.in_channels, to);
      }
  }

  // Outside the image there are zeros.
  void find_pixels(std::int64_t row, std::int64_t column, const float** pixels) const {
    const WindowDim &rows = p_.dims[0], &columns = p_.dims[1];
    const float* const image = images_ + row / all_.in_rows * p_.image_size();
    const std::int64_t top = rows.start(2 * (row % all_.in_rows)), left = columns.start(2 * column);
    for (std::int64_t y = top; y < top + 4; ++y)
      for (std::int64_t x = left; x < left + 4; ++x) {
        const bool inside = y >= 0 && y < rows.in && x >= 0 && x < columns.in;
        *pixels++ = inside ? image + (y * columns.in + x) * p_.in_channels : zeros_.data();
      }
  }

  void turn_back(std::int64_t tiles, std::int64_t channel) {
    const std::int64_t width = p_.dims[1].out;
    const float* from = products_.data<float>();
    for (std::int64_t row = first_; row < end_; ++row) {
      float* const top = results_ + result_row(row) * width * p_.out_channels + channel;
      const bool has_two_rows = 2 * (row % all_.in_rows) + 1 < p_.dims[0].out;
      for (std::int64_t x = 0; x < width; x += 2, from += kernel_.panel_width) {
        float* const left = top + x * p_.out_channels;
        float* const below = has_two_rows ? left + width * p_.out_channels : nullptr;
        float* const pixels[] = {
            left, x + 1 < width ? left + p_.out_channels : nullptr, below,
            below != nullptr && x + 1 < width ? below + p_.out_channels : nullptr};
        kernel_.turn_back(from, tiles * kernel_.panel_width, pixels);
      }
    }
  }

  const WinogradKernel& kernel_ = winograd_kernel();
  const ConvProblem& p_;
  const Tiles& all_;
  const float *images_, *filter_;
  float* results_;
  Tensor values_, products_;
  std::vector<float> zeros_;
  std::int64_t first_ = 0, end_ = 0;
};

}  // namespace

bool suits_winograd(const ConvProblem& p, bool keeps_filter) {
  if (!is_allowed() || p.dims.size() != 2) return false;
  for (const WindowDim& d : p.dims)
    if (d.size != 3 || d.stride != 1 || d.dilation != 1) return false;
  if (p.in_channels < kFewestChannels || p.in_channels % kWinogradChunk != 0) return false;
  if (p.out_channels < kFewestChannels || p.out_channels % kResultStep != 0) return false;
  const Tiles tiles(p);
  // A tile that reaches beyond the results costs as much as another one.
  return tiles.in_columns <= kMostTilesOfRow && 4 * p.batch * p.positions() >= 12 * tiles.count() &&
         tiles.count() >= (keeps_filter ? kFewestTilesOfKept : kFewestTiles);
}

Tensor winograd_filter(const KernelCall& call, const ConvProblem& p, const float* filter) {
  const WinogradKernel& kernel = winograd_kernel();
  const std::int64_t panel = kWinogradPlaces * p.in_channels * kernel.panel_width;
  const std::int64_t panels = p.out_channels / kernel.panel_width;
  Tensor turned = new_floats(call, panels * panel);
  call.parallel_for(
      static_cast<std::size_t>(panels), 0.25 * static_cast<double>(panel),
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
          kernel.turn_panel(filter + i * kernel.panel_width, p.in_channels * p.out_channels,
                            p.out_channels, p.in_channels, turned.data<float>() + i * panel);
      });
  return turned;
}

Tensor winograd_gradient_filter(const KernelCall& call, const ConvProblem& p, const float* filter) {
  constexpr std::int64_t kSide = 16;  // of squares that are transposed in registers and near caches
  const std::int64_t in = p.in_channels, out = p.out_channels, taps = p.taps();
  const Tensor plain = new_floats(call, taps * in * out);
  call.parallel_for(static_cast<std::size_t>(taps * in / kSide), static_cast<double>(kSide * out),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i) {
                        const std::int64_t tap = i / (in / kSide), first = i % (in / kSide) * kSide;
                        const float* const from = filter + (taps - 1 - tap) * in * out;
                        float* const to = plain.data<float>() + tap * in * out;
                        for (std::int64_t o = 0; o < out; o += kSide)
                          for (std::int64_t c = first; c < first + kSide; ++c)
                            for (std::int64_t j = o; j < o + kSide; ++j)
                              to[c * out + j] = from[j * in + c];
                      }
                    });
  return winograd_filter(call, p, plain.data<float>());
}

void convolve_winograd(const KernelCall& call, const ConvProblem& p, const float* images,
                       const Tensor& turned_filter, float* results, const RangeDone& done) {
  const Tiles tiles(p);
  const double flops = 2.0 * static_cast<double>(kWinogradPlaces * tiles.count()) *
                       static_cast<double>(p.in_channels) * static_cast<double>(p.out_channels);
  const double nanos = kNanosPerFlop * flops / static_cast<double>(tiles.blocks);
  call.parallel_for(static_cast<std::size_t>(tiles.blocks), nanos,
                    [&](std::size_t begin, std::size_t end) {
                      BlockWork work(call, p, tiles, images, turned_filter.data<float>(), results);
                      for (std::size_t i = begin; i < end; ++i) {
                        const auto [from, to] = work.run(static_cast<std::int64_t>(i));
                        if (done) done(from, to);
                      }
                    });
}

}  // namespace rill
