#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rill {

// Fast paths that are taken where the shapes of a call, or the plan of a step, allow them. Results
// without one are the same within rounding. The environment's RILL_KERNELS_OFF lists those to leave
// out, with commas between them.
enum class FastPath : std::uint8_t {
  kConvIm2col,      // conv:im2col: large filters at few positions as one product
  kConvProduct,     // conv:product: filter gradients of large 1x1 convolutions as one product
  kConvWinograd,    // conv:winograd: tiles of results from fewer products
  kConvOneChannel,  // conv:one_channel: images of one channel by loops of our own
  kConvOneDnn,      // conv:onednn: convolutions by oneDNN
  kDepthwiseTaps,   // depthwise:three_taps: neighbours that see the same taps share them
  kPoolRows,        // pool:rows: windows by vectors of channels
  kPackedMatMul,    // matmul:packed: products with pre-packed weights
  kPanels,          // matmul:panels: large products by loops of our own, packed by all threads
  kRegexSet,        // regex:set: replaces characters of a set without asking RE2
  kSparseInOrder,   // sparse:in_order: elements that are in the order of rows stay where they are
  kTiles,           // tiles: the processor's tile registers
  kInPlace,         // in_place: results in the memory of inputs that nobody needs any more
  kPlainLoops,      // plain_loops: loops without branches run without frame bookkeeping
  kInterOp,         // inter_op: independent nodes run in parallel
};
inline constexpr int kFastPathCount = 15;

std::string_view name_of(FastPath path);
// The path of this name, or of one that it had earlier.
std::optional<FastPath> find_fast_path(std::string_view name);

// Whether to take the path; to be asked last, when everything else allows it.
bool takes(FastPath path);
// Whether RILL_KERNELS_OFF names a kernel's label, as "matmul:onednn"; its op's last kernel runs
// all the same.
bool is_switched_off(std::string_view label);

// For tests: switches a path off, in all sessions, as long as it lives.
class WithoutFastPath {
 public:
  explicit WithoutFastPath(FastPath path);
  ~WithoutFastPath();
  WithoutFastPath(const WithoutFastPath&) = delete;
  WithoutFastPath& operator=(const WithoutFastPath&) = delete;

  int declined() const;  // how often it would have been taken

 private:
  const FastPath path_;
  const int before_;
  const bool was_off_;
};

}  // namespace rill
