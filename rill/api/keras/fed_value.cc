#include "rill/api/keras/fed_value.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/math/casts.h"
#include "rill/graph/tape.h"

namespace rill::keras {

Tensor fed_value(const Output& target, const Tensor& value) {
  const DType wanted = base_type(target.dtype());
  const auto is_number = [](DType type) {
    return kRealTypes.contains(type) || type == DType::boolean;
  };
  if (!value.has_value() || value.dtype() == wanted || !is_number(wanted) ||
      !is_number(value.dtype()))
    return value;
  const AsDefault eagerly(eager_graph());
  const WithoutTapes unseen;
  return cast(value, wanted).value();
}

}  // namespace rill::keras
