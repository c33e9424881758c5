#include "rill/api/math/search.h"

#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"

namespace rill {

Output argmax(const Input& input, const ArgmaxOptions& options, std::source_location at) {
  return raw::ArgMax(input, options.axis,
                     {.output_type = options.output_type, .name = options.name}, at);
}

Output argmin(const Input& input, const ArgmaxOptions& options, std::source_location at) {
  return raw::ArgMin(input, options.axis,
                     {.output_type = options.output_type, .name = options.name}, at);
}

Output math::in_top_k(const Input& predictions, const Input& targets, const Input& k,
                      const MathOptions& options, std::source_location at) {
  const Block in(options.name, "in_top_k", at);
  return raw::InTopKV2(predictions, targets, k, {.name = options.name});
}

}  // namespace rill
