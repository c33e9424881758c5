#include "rill/ops/data/function/group_key.h"

namespace rill {

std::int64_t int_result(const DataFunction& function, Element arguments, const char* what) {
  Element results;
  call_or_end(function, arguments, results, true);
  require(results.size() == 1 && results[0].dtype() == DType::i64 && results[0].rank() == 0, what,
          " must return a scalar int64.");
  return results[0].scalar_value<std::int64_t>();
}

}  // namespace rill
