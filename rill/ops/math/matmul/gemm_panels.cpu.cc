#include "rill/ops/math/matmul/gemm_panels.h"

#include <algorithm>

namespace rill {
namespace {

constexpr std::int64_t kDepth = 192;  // a panel of B of so many rows fills half a first-level cache
// Packed factors are no larger than that: products beyond it are made of several.
constexpr std::int64_t kMostPacked = std::int64_t{8} << 20;  // elements of each factor
constexpr double kTileFlops = 8e6;                           // worth a thread
constexpr double kMostTiles = 96;
constexpr double kLongestTileFlops = 4e9;  // a step that nobody waits for ends between two tiles
constexpr double kNanosToPack = 0.3;       // an element
constexpr std::int64_t kMinPanelRows = 48, kMinPanelColumns = 32, kMinPanelDepth = 32;
constexpr double kMinPanelFlops = 2e6;

std::int64_t pieces(std::int64_t total, std::int64_t each) { return (total + each - 1) / each; }

// A factor in panels of `width` vectors, in parts of the depth: all panels of the first part, then
// those of the next.
struct PackedFactor {
  PackedFactor(const KernelCall& call, std::int64_t count, std::int64_t depth, std::int64_t width)
      : count(count),
        depth(depth),
        width(width),
        panels(pieces(count, width)),
        values(DType::f32, {panels * width * depth}, call.device().allocator(MemoryKind::host)) {}
  std::int64_t depth_at(std::int64_t part) const { return std::min(kDepth, depth - part * kDepth); }
  float* panel(std::int64_t part, std::int64_t index) const {
    return values.data<float>() + part * kDepth * panels * width + index * width * depth_at(part);
  }

  std::int64_t count, depth, width, panels;
  Tensor values;
};

using PackPanel = decltype(PanelKernels::pack_rows);

void pack_one(const PackedFactor& to, const PanelSource& source, PackPanel pack,
              std::int64_t number) {
  const std::int64_t part = number / to.panels, index = number % to.panels;
  const PanelSource here{
      source.from + index * to.width * source.step + part * kDepth * source.depth_step, source.step,
      source.depth_step};
  pack(here, std::min(to.width, to.count - index * to.width), to.depth_at(part),
       to.panel(part, index));
}

// Whole panels of rows and columns; more of them than threads, so that none waits long for another.
struct TileSize {
  std::int64_t rows, columns;  // in panels
};

TileSize tile_size(std::int64_t row_panels, std::int64_t column_panels, double flops) {
  const double wanted =
      std::max(std::min(kMostTiles, flops / kTileFlops), flops / kLongestTileFlops);
  const PanelKernels& kernels = panel_kernels();
  TileSize t{row_panels, column_panels};
  while (static_cast<double>(pieces(row_panels, t.rows) * pieces(column_panels, t.columns)) * 1.5 <
             wanted &&
         (t.rows > 1 || t.columns > 1)) {
    const bool rows_are_longer = t.rows * kernels.rows >= t.columns * kernels.columns;
    std::int64_t& side = t.columns == 1 || (rows_are_longer && t.rows > 1) ? t.rows : t.columns;
    side = (side + 1) / 2;
  }
  return t;
}

// One of the products that a large one is made of. `columns` are packed with the first of them.
void multiply_packed(const KernelCall& call, const Product& p, std::int64_t ldc,
                     const PanelSource& a, const PanelSource& b, const PackedFactor& columns,
                     bool is_first) {
  const PanelKernels& kernels = panel_kernels();
  const PackedFactor rows(call, p.m, p.k, kernels.rows);
  const std::int64_t parts = pieces(p.k, kDepth), row_panels = rows.panels * parts;
  const std::int64_t panels = row_panels + (is_first ? columns.panels * parts : 0);
  const double elements =
      static_cast<double>((p.m + (is_first ? p.n : 0)) * p.k) / static_cast<double>(panels);
  call.parallel_for(static_cast<std::size_t>(panels), kNanosToPack * elements,
                    [&](std::size_t begin, std::size_t end) {
                      const auto last = static_cast<std::int64_t>(end);
                      for (auto i = static_cast<std::int64_t>(begin); i < last; ++i)
                        if (i < row_panels)
                          pack_one(rows, a, kernels.pack_rows, i);
                        else
                          pack_one(columns, b, kernels.pack_columns, i - row_panels);
                    });
  const TileSize size = tile_size(rows.panels, columns.panels, p.flops());
  const std::int64_t across = pieces(columns.panels, size.columns);
  const auto tiles = static_cast<std::size_t>(pieces(rows.panels, size.rows) * across);
  call.parallel_for(tiles, 1e9, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
      const std::int64_t row = i / across * size.rows, column = i % across * size.columns;
      const std::int64_t m = std::min(size.rows * kernels.rows, p.m - row * kernels.rows);
      const std::int64_t n =
          std::min(size.columns * kernels.columns, p.n - column * kernels.columns);
      float* const c =
          static_cast<float*>(p.c) + row * kernels.rows * ldc + column * kernels.columns;
      for (std::int64_t part = 0; part < parts; ++part)
        kernels.multiply(rows.panel(part, row), columns.panel(part, column), rows.depth_at(part), m,
                         n, c, ldc, part > 0);
    }
  });
}

}  // namespace

bool panels_pay(const Product& p) {
  return p.m >= kMinPanelRows && p.n >= kMinPanelColumns && p.k >= kMinPanelDepth &&
         p.flops() >= kMinPanelFlops;
}

void multiply_panels(const KernelCall& call, const Product& p) {
  const PanelKernels& kernels = panel_kernels();
  const std::int64_t most =
      std::max<std::int64_t>(kMostPacked / std::max<std::int64_t>(p.k, 1), 8 * kernels.columns);
  const PanelSource a{static_cast<const float*>(p.a), p.transpose_a ? 1 : p.k,
                      p.transpose_a ? p.m : 1};
  const PanelSource b{static_cast<const float*>(p.b), p.transpose_b ? p.k : 1,
                      p.transpose_b ? 1 : p.n};
  for (std::int64_t column = 0; column < p.n; column += most) {
    Product part = p;
    part.n = std::min(most, p.n - column);
    const PackedFactor columns(call, part.n, p.k, kernels.columns);
    for (std::int64_t row = 0; row < p.m; row += most) {
      part.m = std::min(most, p.m - row);
      part.c = static_cast<float*>(p.c) + row * p.n + column;
      multiply_packed(call, part, p.n, {a.from + row * a.step, a.step, a.depth_step},
                      {b.from + column * b.step, b.step, b.depth_step}, columns, row == 0);
    }
  }
}

}  // namespace rill
