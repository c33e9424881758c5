#pragma once

#include <source_location>
#include <string>

#include "rill/api/sparse/sparse_tensor.h"

namespace rill {

struct EditDistanceOptions {
  bool normalize = true;
  std::string name = "edit_distance";
};
// How many changes lead from each sequence of `hypothesis` to that of `truth`: insertions,
// deletions and replacements (Levenshtein's distance), over the last dimension. `normalize` divides
// by the truth's length; where that is 0 the result is infinite, or 0 if both are empty.
Output edit_distance(const SparseTensor& hypothesis, const SparseTensor& truth,
                     const EditDistanceOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill
