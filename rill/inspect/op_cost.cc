#include "rill/inspect/op_cost.h"

#include <algorithm>

#include "rill/graph/op.h"

namespace rill::inspect {
namespace {

bool has(const KernelWork& work, std::uint64_t traits) {
  return work.op != nullptr && work.op->has(traits);
}

double moved_bytes(const KernelWork& work) {
  constexpr std::uint64_t kMovesNothing =
      kForwards | kIdentity | kSwitch | kMerge | kEnter | kExit | kMetadata | kReadsVariable;
  if (has(work, kMovesNothing)) return 0;
  double read = 0, written = 0;
  for (const TensorSize& given : work.inputs) read += given.bytes();
  for (const TensorSize& made : work.outputs) written += made.bytes();
  return (has(work, kPicks) ? std::min(read, written) : read) + written;
}

}  // namespace

OpCost op_cost(const KernelWork& work) {
  OpCost cost{.bytes = moved_bytes(work)};
  const bool is_stated = work.op != nullptr && work.op->cost != nullptr;
  cost.is_known = is_stated || has(work, kElementwise | kForwards);
  if (is_stated || has(work, kElementwise)) cost.flops = flops_of(work);
  return cost;
}

Roofline roofline(const OpCost& cost, DType dtype, const Peaks& peaks) {
  const double flops = dtype == DType::f64 ? peaks.double_flops : peaks.float_flops;
  const double bytes = cost.bytes <= Peaks::kCached ? peaks.cache_bytes : peaks.memory_bytes;
  const double computing = flops > 0 ? cost.flops / flops : 0;
  const double moving = bytes > 0 ? cost.bytes / bytes : 0;
  return {.seconds = std::max(computing, moving), .by_memory = moving >= computing};
}

}  // namespace rill::inspect
