#include "rill/ops/tiles/tile_product.h"

#include <algorithm>
#include <cstring>

namespace rill {
namespace {

// What a task works on stays in the second-level cache: panels of A, and results.
constexpr std::int64_t kGroupBytes = 512 << 10, kResultBytes = 512 << 10, kMaxTogether = 16;
constexpr double kTaskFlops = 30e6;  // worth another thread
constexpr double kMaxTasks = 16;     // for more threads; caches may want more
constexpr double kNanosPerPacked = 0.1, kFlopsPerNano = 800;
constexpr std::int64_t kPackedTogether = 8, kStepsTogether = 4;  // panels whose rows are neighbours

Tensor new_bytes(const KernelCall& call, std::int64_t count) {
  return Tensor(DType::u8, {count}, call.device().allocator(MemoryKind::host));
}

std::int64_t cut(std::int64_t total, std::int64_t part) { return (total + part - 1) / part; }

// Groups of panels of A times slices of panels of B, by shape alone.
struct Grid {
  Grid(std::int64_t row_panels, std::int64_t column_panels, std::int64_t steps, double flops) {
    const double wanted = std::clamp(flops / kTaskFlops, 1.0, kMaxTasks);
    const std::int64_t most = std::min(kGroupBytes / (steps * kPanelStepBytes), kMaxTogether);
    group = std::clamp<std::int64_t>(most, 1, row_panels);
    groups = cut(row_panels, group);
    const std::int64_t kept = kResultBytes / (group * kPanelWidth * kPanelWidth * 4);
    const auto apart = static_cast<std::int64_t>(wanted / static_cast<double>(groups));
    slice = std::min(std::max<std::int64_t>(kept, 1),
                     cut(column_panels, std::clamp<std::int64_t>(apart, 1, column_panels)));
    slices = cut(column_panels, slice);
  }
  std::int64_t group, groups, slice, slices;
};

// Where the results of a block go: to C, or where they reach beyond it to a buffer first.
class BlockTarget {
 public:
  BlockTarget(std::byte* c, std::int64_t row_bytes, std::int64_t rows, std::int64_t columns)
      : c_(c), row_bytes_(row_bytes), rows_(rows), columns_(columns) {}

  bool is_whole() const { return rows_ == kPanelWidth && columns_ == kPanelWidth; }
  void aim(TileBlock& block) {
    const std::int64_t stride = is_whole() ? row_bytes_ : 2 * kTileRowBytes;
    block.upper_out = {is_whole() ? c_ : buffer_, stride};
    block.lower_out = {block.upper_out.first + kTileRows * stride, stride};
  }
  void finish() const {
    if (is_whole()) return;
    for (std::int64_t r = 0; r < rows_; ++r)
      std::memcpy(c_ + r * row_bytes_, buffer_ + r * 2 * kTileRowBytes,
                  static_cast<std::size_t>(columns_) * 4);
  }

 private:
  std::byte* c_;
  std::int64_t row_bytes_, rows_, columns_;
  alignas(64) std::byte buffer_[kPanelWidth * kPanelWidth * 4];
};

}  // namespace

std::vector<std::ptrdiff_t> panel_steps(std::int64_t step_count) {
  std::vector<std::ptrdiff_t> steps(static_cast<std::size_t>(step_count));
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = static_cast<std::ptrdiff_t>(i) * kPanelStepBytes;
  return steps;
}

TileMatrix packed_for_tiles(const KernelCall& call, const TileOperand& b, std::int64_t depth,
                            std::int64_t columns, std::int64_t run_count) {
  const std::int64_t run = depth / run_count, run_steps = tile_steps(b.source, run);
  TileMatrix packed{{}, depth, columns, run_steps * run_count};
  const std::int64_t panel = packed.step_count * kPanelStepBytes;
  packed.bytes = new_bytes(call, packed.panel_count() * panel);
  auto* const out = static_cast<std::byte*>(packed.bytes.raw_data());
  const std::int64_t chunks = cut(packed.panel_count(), kPackedTogether);
  const double nanos = kNanosPerPacked * static_cast<double>(kPackedTogether * kPanelWidth * depth);
  const std::int64_t rows_together = kStepsTogether * tile_depth(tile_element(b.source));
  // Columns of one run of the depth, from its row `k` on, as far as they are packed at a time.
  const auto pack = [&](std::int64_t p, std::int64_t r, std::int64_t k) {
    TileOperand part = b;
    part.data = static_cast<const std::byte*>(b.data) +
                (r * run + k) * (b.turned ? 1 : b.stride) * source_bytes(b.source);
    const std::int64_t step = r * run_steps + tile_steps(b.source, k);
    pack_tile_columns(part, p * kPanelWidth, std::min(kPanelWidth, columns - p * kPanelWidth),
                      std::min(rows_together, run - k), out + p * panel + step * kPanelStepBytes);
  };
  call.parallel_for(
      static_cast<std::size_t>(chunks), nanos, [&](std::size_t begin, std::size_t end) {
        const auto last =
            std::min(packed.panel_count(), static_cast<std::int64_t>(end) * kPackedTogether);
        for (auto c = static_cast<std::int64_t>(begin) * kPackedTogether; c < last;
             c += kPackedTogether)
          for (std::int64_t r = 0; r < run_count; ++r)
            for (std::int64_t k = 0; k < run; k += rows_together)
              for (std::int64_t p = c; p < std::min(last, c + kPackedTogether); ++p) pack(p, r, k);
      });
  return packed;
}

void multiply_tiles(const KernelCall& call, std::int64_t rows, const TileOperand& a,
                    const TileMatrix& b, void* c, TileRowDone done) {
  const std::int64_t steps = b.step_count, panel = steps * kPanelStepBytes;
  const std::int64_t row_panels = cut(rows, kPanelWidth), columns = b.columns;
  const double flops =
      2.0 * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(b.depth);
  const Grid grid(row_panels, b.panel_count(), steps, flops);
  const auto pack = [&](std::int64_t p, std::byte* to) {
    pack_tile_rows(a, p * kPanelWidth, std::min(kPanelWidth, rows - p * kPanelWidth), b.depth, to);
  };
  // What several tasks read is packed before them.
  const bool shared = grid.slices > 1;
  const Tensor packed = new_bytes(call, shared ? row_panels * panel : 0);
  auto* const all = static_cast<std::byte*>(packed.raw_data());
  if (shared)
    call.parallel_for(static_cast<std::size_t>(row_panels),
                      kNanosPerPacked * static_cast<double>(kPanelWidth * b.depth),
                      [&](std::size_t begin, std::size_t end) {
                        for (auto p = static_cast<std::int64_t>(begin);
                             p < static_cast<std::int64_t>(end); ++p)
                          pack(p, all + p * panel);
                      });
  const TileBlockFn run = find_tile_block(tile_element(a.source));
  const std::vector<std::ptrdiff_t> a_steps = panel_steps(steps);
  auto* const out = static_cast<std::byte*>(c);
  const auto multiply_task = [&](std::int64_t task, std::byte* own) {
    const std::int64_t first_row = task / grid.slices * grid.group,
                       end_row = std::min(row_panels, first_row + grid.group),
                       first = task % grid.slices * grid.slice,
                       last = std::min(b.panel_count(), first + grid.slice);
    for (std::int64_t i = first_row; !shared && i < end_row; ++i)
      pack(i, own + (i - first_row) * panel);
    const std::byte* const left = shared ? all + first_row * panel : own;
    {
      const TilesInUse tiles;
      for (std::int64_t j = first; j < last; ++j)
        for (std::int64_t i = first_row; i < end_row; ++i) {
          const std::byte* const x = left + (i - first_row) * panel;
          BlockTarget target(out + (i * kPanelWidth * columns + j * kPanelWidth) * 4, columns * 4,
                             std::min(kPanelWidth, rows - i * kPanelWidth),
                             std::min(kPanelWidth, columns - j * kPanelWidth));
          TileBlock block{x, x + kTileBytes, kTileRowBytes, a_steps.data(), steps, b.panel(j), {},
                          {}};
          target.aim(block);
          run(block);
          target.finish();
        }
    }
    const std::int64_t begin = first * kPanelWidth, end = std::min(columns, last * kPanelWidth);
    for (std::int64_t r = first_row * kPanelWidth; r < std::min(rows, end_row * kPanelWidth); ++r)
      done(out + (r * columns + begin) * 4, r, begin, end);
  };
  const std::int64_t tasks = grid.groups * grid.slices;
  call.parallel_for(
      static_cast<std::size_t>(tasks), flops / kFlopsPerNano / static_cast<double>(tasks),
      [&](std::size_t begin, std::size_t end) {
        const Tensor own = new_bytes(call, shared ? 0 : grid.group * panel);
        for (std::size_t t = begin; t < end; ++t)
          multiply_task(static_cast<std::int64_t>(t), static_cast<std::byte*>(own.raw_data()));
      });
}

}  // namespace rill
