#pragma once

#include <cstdint>
#include <string_view>

namespace rill {

// Quick ways to compute that are taken where the shapes of a call, or the plan of a step, allow
// them. What is computed without one is the same within rounding. The environment's
// RILL_KERNELS_OFF names, with commas between them, those to do without.
enum class KernelWay : std::uint8_t {
  kConvGathered,    // conv:gathered: large filters at few positions as one product
  kConvProduct,     // conv:product: gradients of large filters of points as one product
  kConvWinograd,    // conv:winograd: tiles of results from fewer products
  kConvOneChannel,  // conv:one_channel: images of one channel by loops of our own
  kConvOneDnn,      // conv:onednn: convolutions by oneDNN
  kDepthwiseTaps,   // depthwise:three_taps: neighbours that see the same taps share them
  kPoolRows,        // pool:rows: windows by vectors of channels
  kPackedFactor,    // matmul:packed: products with a factor that is kept packed
  kRegexSet,        // regex:set: replaces characters of a set without asking RE2
  kSparseInOrder,   // sparse:in_order: elements that are in the order of rows stay where they are
  kTiles,           // tiles: the processor's tile registers
  kInPlace,         // in_place: results in the memory of inputs that nobody needs any more
  kPlainLoops,      // plain_loops: loops without branches run without frame bookkeeping
  kSideBySide,      // side_by_side: nodes that do not need each other at once
};
inline constexpr int kKernelWayCount = 14;

std::string_view name_of(KernelWay way);

// Whether to take the way; to be asked last, when everything else allows it.
bool takes(KernelWay way);
// Whether RILL_KERNELS_OFF names a kernel's label, as "matmul:onednn"; its op's last kernel runs
// all the same.
bool is_switched_off(std::string_view label);

// For tests: does without a way, in all sessions, as long as it lives.
class WithoutWay {
 public:
  explicit WithoutWay(KernelWay way);
  ~WithoutWay();
  WithoutWay(const WithoutWay&) = delete;
  WithoutWay& operator=(const WithoutWay&) = delete;

  int declined() const;  // how often it would have been taken

 private:
  const KernelWay way_;
  const int before_;
  const bool was_off_;
};

}  // namespace rill
