#include "rill/kernel/kernel_fit.h"

#include <algorithm>

#include "rill/graph/function.h"

namespace rill {
namespace {

// The value of the op's `which`-th attribute of kind type, invalid when it has fewer.
DType type_attr(const Op& op, const AttrMap& attrs, int which) {
  for (const AttrSpec& spec : op.attrs) {
    if (spec.kind != AttrKind::kType || spec.is_list || which-- > 0) continue;
    return attr<DType>(attrs, spec.name);
  }
  return DType::invalid;
}

}  // namespace

bool types_fit(const KernelEntry& entry, const Op& op, const AttrMap& attrs) {
  return (entry.types.empty() || entry.types.contains(type_attr(op, attrs, 0))) &&
         (entry.types2.empty() || entry.types2.contains(type_attr(op, attrs, 1)));
}

bool kernel_fits(const KernelRegistry& kernels, const Node& node, std::string_view device_type) {
  if (node.graph().functions()->find(node.op().name) != nullptr)
    return kernels.has_kernel("PartitionedCall", device_type);  // which calls that function
  return std::ranges::any_of(
      kernels.entries(node.op().name, device_type),
      [&](const KernelEntry* entry) { return types_fit(*entry, node.op(), node.attrs()); });
}

}  // namespace rill
