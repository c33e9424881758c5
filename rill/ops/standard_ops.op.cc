#include "rill/ops/register.h"

namespace rill {

Registry& standard_ops() {
  static Registry& registry = *[] {
    auto* filled = new Registry;  // never destroyed: graphs in static storage refer to it
    register_all_ops(*filled);
    return filled;
  }();
  return registry;
}

}  // namespace rill
