#include "rill/ops/math/matmul/gemm_panels.h"

#include <algorithm>
#include <array>
#include <span>

#include "rill/ops/math/matmul/panel_kernels.h"

namespace rill {
namespace {

// A panel of B of so many rows stays in a cache while those of A pass by; shorter ones read and
// write C more often.
constexpr std::int64_t kDepth = 512;
// Packed factors are no larger than that, unless B is kept: products beyond it are made of several.
constexpr std::int64_t kMostPacked = std::int64_t{8} << 20;  // elements of each factor
constexpr double kTileFlops = 2e6;                           // worth a thread
constexpr double kMostTiles = 96;
constexpr double kLongestTileFlops = 4e9;  // a step that nobody waits for ends between two tiles
constexpr double kNanosToPack = 0.3;       // an element
// Each vector of a factor is packed for all those of the other: it takes many for that to pay.
constexpr std::int64_t kMinPanelRows = 128, kMinPanelColumns = 128, kMinPanelDepth = 32;
constexpr double kMinPanelFlops = 2e6;

std::int64_t pieces(std::int64_t total, std::int64_t each) { return (total + each - 1) / each; }

// Places of C and of the factors that a product is made of.
struct Corner {
  std::int64_t row = 0, column = 0;
};

PanelSource source_of_a(const Product& p, std::int64_t row) {
  const auto* const a = static_cast<const float*>(p.a);
  return p.transpose_a ? PanelSource{a + row, 1, p.m} : PanelSource{a + row * p.k, p.k, 1};
}
PanelSource source_of_b(const Product& p, std::int64_t column) {
  const auto* const b = static_cast<const float*>(p.b);
  return p.transpose_b ? PanelSource{b + column * p.k, p.k, 1} : PanelSource{b + column, 1, p.n};
}

void pack_one(const PackedFactor& to, const PanelSource& source, PackPanel pack,
              std::int64_t number) {
  const std::int64_t part = number / to.panels, index = number % to.panels;
  const PanelSource here{
      source.from + index * to.width * source.step + part * kDepth * source.depth_step, source.step,
      source.depth_step};
  pack(here, std::min(to.width, to.count - index * to.width), to.depth_at(part),
       to.panel(part, index));
}

// What is packed before a product; either may be there already.
struct Packing {
  const PackedFactor* to;
  PanelSource source;
  PackPanel pack;
};

void pack_all(const KernelCall& call, std::span<const Packing> factors) {
  std::int64_t panels = 0;
  double elements = 0;
  for (const Packing& f : factors) {
    panels += f.to->panels * f.to->parts();
    elements += static_cast<double>(f.to->values.element_count());
  }
  const double nanos = kNanosToPack * elements / static_cast<double>(panels);
  call.parallel_for(
      static_cast<std::size_t>(panels), nanos, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          std::int64_t number = i;
          const Packing* f = factors.data();
          for (; number >= f->to->panels * f->to->parts(); ++f)
            number -= f->to->panels * f->to->parts();
          pack_one(*f->to, f->source, f->pack, number);
        }
      });
}

// In panels; more tiles than threads, so that none waits long for another.
struct TileSize {
  std::int64_t rows, columns;
};

TileSize tile_size(std::int64_t row_panels, std::int64_t column_panels, double flops) {
  const double wanted =
      std::max(std::min(kMostTiles, flops / kTileFlops), flops / kLongestTileFlops);
  const PanelKernels& kernels = panel_kernels();
  TileSize t{row_panels, column_panels};
  const auto count = [&] { return pieces(row_panels, t.rows) * pieces(column_panels, t.columns); };
  while (static_cast<double>(count()) * 1.5 < wanted && (t.rows > 1 || t.columns > 1)) {
    const bool rows_are_longer = t.rows * kernels.rows >= t.columns * kernels.columns;
    std::int64_t& side = t.columns == 1 || (rows_are_longer && t.rows > 1) ? t.rows : t.columns;
    side = (side + 1) / 2;
  }
  return t;
}

// The rows and columns of C from `at` on that the packed factors make.
void multiply_packed(const KernelCall& call, const Product& p, const PackedFactor& rows,
                     const PackedFactor& columns, Corner at, const ProductRowDone* done) {
  const PanelKernels& kernels = panel_kernels();
  const double flops = 2.0 * static_cast<double>(rows.count * columns.count) *
                       static_cast<double>(std::max<std::int64_t>(p.k, 1));
  const TileSize size = tile_size(rows.panels, columns.panels, flops);
  const std::int64_t across = pieces(columns.panels, size.columns);
  const auto multiply_tile = [&](std::int64_t i) {
    const std::int64_t row_panel = i / across * size.rows, row = row_panel * kernels.rows;
    const std::int64_t column_panel = i % across * size.columns;
    const std::int64_t column = column_panel * kernels.columns;
    const std::int64_t m = std::min(size.rows * kernels.rows, rows.count - row);
    const std::int64_t n = std::min(size.columns * kernels.columns, columns.count - column);
    float* const c = static_cast<float*>(p.c) + (at.row + row) * p.n + at.column + column;
    for (std::int64_t part = 0; part < rows.parts(); ++part)
      kernels.multiply(rows.panel(part, row_panel), columns.panel(part, column_panel),
                       rows.depth_at(part), m, n, c, p.n, part > 0);
    if (done == nullptr) return;
    const std::int64_t begin = at.column + column;
    for (std::int64_t r = 0; r < m; ++r) (*done)(c + r * p.n, at.row + row + r, begin, begin + n);
  };
  const auto tiles = static_cast<std::size_t>(pieces(rows.panels, size.rows) * across);
  call.parallel_for(tiles, 1e9, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) multiply_tile(static_cast<std::int64_t>(i));
  });
}

std::int64_t most_vectors(const Product& p) {
  return std::max(kMostPacked / p.k, 8 * panel_kernels().columns);
}

bool panels_pay(const Product& p, std::int64_t min_rows) {
  return p.m >= min_rows && p.n >= kMinPanelColumns && p.k >= kMinPanelDepth &&
         p.flops() >= kMinPanelFlops;
}

}  // namespace

PackedFactor::PackedFactor(const KernelCall& call, std::int64_t count, std::int64_t depth,
                           std::int64_t width)
    : count(count),
      depth(depth),
      width(width),
      panels(pieces(count, width)),
      values(DType::f32, {panels * width * depth}, call.device().allocator(MemoryKind::host)) {}

std::int64_t PackedFactor::parts() const { return pieces(depth, kDepth); }
std::int64_t PackedFactor::depth_at(std::int64_t part) const {
  return std::min(kDepth, depth - part * kDepth);
}
float* PackedFactor::panel(std::int64_t part, std::int64_t index) const {
  return values.data<float>() + part * kDepth * panels * width + index * width * depth_at(part);
}

PackedFactor packed_b(const KernelCall& call, const Product& p) {
  const PanelKernels& kernels = panel_kernels();
  PackedFactor b(call, p.n, p.k, kernels.columns);
  pack_all(call, std::array{Packing{&b, source_of_b(p, 0), kernels.pack_columns}});
  return b;
}

bool panels_pay(const Product& p) { return panels_pay(p, kMinPanelRows); }
bool packed_panels_pay(const Product& p) { return panels_pay(p, panel_kernels().rows); }

void multiply_panels(const KernelCall& call, const Product& p, const PackedFactor& b,
                     ProductRowDone done) {
  const PanelKernels& kernels = panel_kernels();
  const std::int64_t most = most_vectors(p);
  for (std::int64_t row = 0; row < p.m; row += most) {
    const PackedFactor a(call, std::min(most, p.m - row), p.k, kernels.rows);
    pack_all(call, std::array{Packing{&a, source_of_a(p, row), kernels.pack_rows}});
    multiply_packed(call, p, a, b, {row, 0}, &done);
  }
}

void multiply_panels(const KernelCall& call, const Product& p) {
  const PanelKernels& kernels = panel_kernels();
  const std::int64_t most = most_vectors(p);
  for (std::int64_t column = 0; column < p.n; column += most) {
    const PackedFactor b(call, std::min(most, p.n - column), p.k, kernels.columns);
    for (std::int64_t row = 0; row < p.m; row += most) {
      const PackedFactor a(call, std::min(most, p.m - row), p.k, kernels.rows);
      const std::array factors{Packing{&a, source_of_a(p, row), kernels.pack_rows},
                               Packing{&b, source_of_b(p, column), kernels.pack_columns}};
      pack_all(call, std::span(factors).first(row == 0 ? 2 : 1));
      multiply_packed(call, p, a, b, {row, column}, nullptr);
    }
  }
}

}  // namespace rill
