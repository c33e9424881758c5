#include "rill/ops/array/values/index_values.h"

namespace rill {

Dims read_dims(const Tensor& t) {
  Dims dims;
  for (std::int64_t i = 0; i < t.element_count(); ++i) dims.push_back(int_at(t, i));
  return dims;
}

}  // namespace rill
