#include "rill/api/core/gradients.h"

namespace rill {

std::vector<Gradient> gradients(const Differentiated& ys, const Differentiated& xs,
                                const GradientOptions& options, std::source_location at) {
  Scope scope = here(at);
  return gradients(scope, std::span(ys), std::span(xs), options);
}

}  // namespace rill
