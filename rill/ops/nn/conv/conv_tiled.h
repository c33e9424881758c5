#pragma once

#include <mutex>
#include <optional>

#include "rill/base/function_ref.h"
#include "rill/ops/nn/window/patches.h"
#include "rill/ops/tiles/tile_product.h"

namespace rill {

// Whether the processor's tiles convolve a problem of this shape faster than floats are convolved.
bool tiles_convolve(const ConvProblem& problem, TileSource source);

// A filter [window, in, out] as conv_tiled() wants it.
TileMatrix packed_tile_filter(const KernelCall& call, const ConvProblem& problem, TileSource source,
                              const void* filter);

// A pre-packed filter, made at the first use. Safe to use from several threads at once.
class PrepackedTileFilter {
 public:
  const TileMatrix& find(FunctionRef<TileMatrix()> pack) {
    const std::lock_guard lock(mutex_);
    if (!packed_) packed_ = pack();
    return *packed_;
  }

 private:
  std::mutex mutex_;
  std::optional<TileMatrix> packed_;
};

// Convolves images, channels last, to `results`, which are floats or (of bytes) 32-bit integers;
// `pad` is what bytes outside the image are, `done` is told of results, whose rows are positions of
// all images. False when some number that is not finite would spread to neighbours: then `results`
// are of no use. The same bits with every number of threads.
bool conv_tiled(const KernelCall& call, const ConvProblem& problem, TileSource source,
                const void* images, const TileMatrix& filter, void* results, TileRowDone done,
                std::uint8_t pad = 0);

// The same of bfloat16, summed as float and rounded once.
bool conv_bfloat16(const KernelCall& call, const ConvProblem& problem, const Tensor& images,
                   const TileMatrix& filter, const Tensor& out);

}  // namespace rill
