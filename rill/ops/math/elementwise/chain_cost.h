#pragma once

#include "rill/graph/kernel_work.h"

namespace rill {

// Each of op_names on elements of the largest shape.
inline double chain_flops(const KernelWork& work) {
  const auto* const ops = work.attr<std::vector<std::string>>("op_names");
  if (ops == nullptr) return 0;
  const TensorSize& most = std::max(
      largest_tensor(work.inputs), largest_tensor(work.outputs),
      [](const TensorSize& a, const TensorSize& b) { return a.elements() < b.elements(); });
  double flops = 0;
  for (const std::string& op : *ops) flops += flops_of_part(work, op, most);
  return flops;
}

}  // namespace rill
