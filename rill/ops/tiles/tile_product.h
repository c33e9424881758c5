#pragma once

#include <vector>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/tiles/tile_pack.h"

namespace rill {

// A second factor in the order of tiles. Panels of 32 columns, each of `step_count` steps.
struct TileMatrix {
  Tensor bytes;
  std::int64_t depth = 0, columns = 0, step_count = 0;

  std::int64_t panel_count() const { return (columns + kPanelWidth - 1) / kPanelWidth; }
  const std::byte* panel(std::int64_t i) const {
    return static_cast<const std::byte*>(bytes.raw_data()) + i * step_count * kPanelStepBytes;
  }
};

// `depth` rows of `columns`. Where the depth is several runs of equal length, each of them is
// filled up to whole steps of its own.
TileMatrix packed_for_tiles(const KernelCall& call, const TileOperand& b, std::int64_t depth,
                            std::int64_t columns, std::int64_t run_count = 1);

// Told of results on the thread that made them: elements [begin, end) of row `row` stand at `at`,
// floats or 32-bit integers.
using TileRowDone =
    FunctionRef<void(void* at, std::int64_t row, std::int64_t begin, std::int64_t end)>;

// Dense rows of C (float or 32-bit integers) = A B for A of `rows`, none of the sizes zero. The
// same bits with every number of threads.
void multiply_tiles(const KernelCall& call, std::int64_t rows, const TileOperand& a,
                    const TileMatrix& b, void* c, TileRowDone done);

// Steps of a packed panel of A, for TileBlock::a_steps.
std::vector<std::ptrdiff_t> panel_steps(std::int64_t step_count);

}  // namespace rill
