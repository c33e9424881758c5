#pragma once

#include <span>
#include <string_view>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// Which arguments of an op's kernels lie in host memory although the device has its own:
//   "shape"                            the argument of this name, for all types
//   "x,y [T: int32]"                   these two, when attribute T is int32
//   "x,y,axis [T: int32] or axis [T: float,double; Tidx: int32]"
//                                      whatever applies; where nothing does, what all have in
//                                      common
struct HostArguments {
  std::string_view op, rule;
};

// Those of TensorFlow's GPU kernels, by op: shapes, axes and the like, and whatever is int32. Every
// op with such a kernel is listed, also without host arguments.
std::span<const HostArguments> gpu_host_arguments();
// nullptr when TensorFlow has no GPU kernel of that op.
const HostArguments* find_gpu_host_arguments(std::string_view op);

// Whether arguments and results of such a type, of functions that run on a device with memory of
// its own, lie in that memory.
bool is_in_device_memory(DType type);

// Fills in where the arguments of a node with this kernel lie. Objects (strings, handles, variants)
// are always the host's.
void set_argument_memory(KernelNode& node, const KernelEntry& entry);

}  // namespace rill
