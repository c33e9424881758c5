#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

struct ClipByNormOptions {
  OptionalInput axes = {};  // all dimensions when absent
  std::string name = {};
};
// t * clip_norm / max(|t|, clip_norm): `t` scaled down, where its L2 norm over `axes` is larger, to
// the norm `clip_norm`. Of rows the values are. The derivative at zero is defined. Throws
// InvalidArgument where clip_norm would broadcast `t` to another shape.
Gradient clip_by_norm(const Gradient& t, const Input& clip_norm,
                      const ClipByNormOptions& options = {},
                      std::source_location at = std::source_location::current());
Output clip_by_norm(const Input& t, const Input& clip_norm, const ClipByNormOptions& options = {},
                    std::source_location at = std::source_location::current());

struct ClipOptions {
  std::string name = {};
};
// The same for the norm divided by the number of elements. Zeros become NaN, as in TensorFlow.
Output clip_by_average_norm(const Input& t, const Input& clip_norm, const ClipOptions& options = {},
                            std::source_location at = std::source_location::current());

// sqrt(sum of |t|**2) over all tensors together; empty gradients do not count. Throws
// InvalidArgument where there is none that counts.
Output global_norm(const std::vector<Gradient>& t_list, const ClipOptions& options = {},
                   std::source_location at = std::source_location::current());

struct ClipByGlobalNormOptions {
  OptionalInput use_norm = {};  // the global norm where it is known already
  std::string name = {};
};
// All tensors scaled down together, by clip_norm / max(norm, clip_norm), so that their global norm
// is at most `clip_norm`, and the norm that they had. Directions are kept, which clipping them one
// by one would not do. A norm that is not finite makes them NaN, so that the failure shows. Empty
// gradients stay empty.
//
//   auto [clipped, norm] = clip_by_global_norm(gradients, 5.0);
std::pair<std::vector<Gradient>, Output> clip_by_global_norm(
    const std::vector<Gradient>& t_list, const Input& clip_norm,
    const ClipByGlobalNormOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill
