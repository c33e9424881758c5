#include "rill/ops/register_kernels.h"

namespace rill {

KernelRegistry& standard_kernels() {
  static KernelRegistry& registry = *[] {
    auto* filled = new KernelRegistry;  // never destroyed, like the ops
    register_all_kernels(*filled);
    return filled;
  }();
  return registry;
}

}  // namespace rill
