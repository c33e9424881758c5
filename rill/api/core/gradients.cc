#include "rill/api/core/gradients.h"

#include "rill/api/core/captured_values.h"

namespace rill {

std::vector<Gradient> gradients(const Differentiated& ys, const Differentiated& xs,
                                const GradientOptions& options, std::source_location at) {
  Scope scope = here(at);
  std::vector<Output> sources;  // of eager execution: what stands for them
  for (const Output& x : xs) sources.push_back(captured_in(*default_graph(), x));
  return gradients(scope, std::span(ys), std::span(std::as_const(sources)), options);
}

}  // namespace rill
