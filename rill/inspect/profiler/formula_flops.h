#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rill/inspect/profiler/profiled_node.h"

namespace tensorflow {
class NodeDef;
}

namespace rill::profiler {

// The floating-point operations of a node as TensorFlow's profiler counts them, so that figures can
// be compared: 0 for ops that it does not count and where a shape is not known. What a kernel
// really takes, fused ones included, is graph/kernel_work.h.
std::int64_t formula_flops(const tensorflow::NodeDef& node, std::span<const Dims> inputs,
                           const Dims& output);

}  // namespace rill::profiler
