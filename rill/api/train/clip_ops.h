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
  std::optional<Input> axes;  // all dimensions when absent
  std::string name;
};
// `t` scaled down, where its L2 norm over `axes` is larger, to the norm `clip_norm`. Of rows the
// values are.
Gradient clip_by_norm(const Gradient& t, const Input& clip_norm,
                      const ClipByNormOptions& options = {},
                      std::source_location at = std::source_location::current());
Output clip_by_norm(const Input& t, const Input& clip_norm, const ClipByNormOptions& options = {},
                    std::source_location at = std::source_location::current());

struct ClipOptions {
  std::string name;
};
// The same for the norm divided by the number of elements.
Output clip_by_average_norm(const Input& t, const Input& clip_norm, const ClipOptions& options = {},
                            std::source_location at = std::source_location::current());

// The L2 norm of all tensors together; empty gradients do not count.
Output global_norm(const std::vector<Gradient>& t_list, const ClipOptions& options = {},
                   std::source_location at = std::source_location::current());

struct ClipByGlobalNormOptions {
  std::optional<Input> use_norm;  // the global norm where it is known already
  std::string name;
};
// All tensors scaled down together so that their global norm is at most `clip_norm`, and the norm
// that they had. An infinite norm makes them NaN.
std::pair<std::vector<Gradient>, Output> clip_by_global_norm(
    const std::vector<Gradient>& t_list, const Input& clip_norm,
    const ClipByGlobalNormOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill
