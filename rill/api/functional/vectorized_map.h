#pragma once

#include <functional>
#include <source_location>
#include <vector>

#include "rill/api/functional/functional_ops.h"

namespace rill {

// map_fn() of elements that do not depend on each other, with results of any number and type: `fn`
// is built once more to find out. The iterations of the loop overlap.
std::vector<Output> vectorized_map(const MapFn& fn, const Inputs& elems,
                                   std::source_location at = std::source_location::current());
Output vectorized_map(const std::function<Output(Output)>& fn, const Input& elems,
                      std::source_location at = std::source_location::current());

}  // namespace rill
