#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::nn {

struct SoftmaxOptions {
  int axis = -1;
  std::string name = {};
};
// exp(logits) / sum(exp(logits)) along an axis, the largest logit taken out first so that nothing
// overflows. Throws InvalidArgument when there is no such axis, or the rank is not known and the
// axis is not the last.
Output softmax(const Input& logits, const SoftmaxOptions& options = {},
               std::source_location at = std::source_location::current());
// Its logarithm, more exact than log(softmax(x)) where probabilities are small.
Output log_softmax(const Input& logits, const SoftmaxOptions& options = {},
                   std::source_location at = std::source_location::current());

}  // namespace rill::nn
