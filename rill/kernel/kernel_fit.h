#pragma once

#include <string_view>

#include "rill/graph/node.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

// True when the kernel is for the types that a node with these attributes has.
bool types_fit(const KernelEntry& entry, const Op& op, const AttrMap& attrs);

// True when some kernel for that type of device takes the node's op and types.
bool kernel_fits(const KernelRegistry& kernels, const Node& node, std::string_view device_type);

}  // namespace rill
