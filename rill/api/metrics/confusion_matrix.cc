#include "rill/api/metrics/confusion_matrix.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/segments.h"
#include "rill/api/math/squeezable.h"

namespace rill {
namespace {

using namespace math_parts;

Output non_negative(Output x, const char* what) {
  Node& check = debugging::assert_non_negative(
      x, {.message = str_cat("`", what, "` contains negative values")});
  return with_dependencies({&check}, x);
}

Output below(Output x, Output bound, const char* what) {
  Node& check = debugging::assert_less(x, bound, {.message = str_cat("`", what, "` out of bound")});
  return with_dependencies({&check}, x);
}

Output square_shape(const Input& count) {
  if (!count.is_value()) return raw::Pack({count, count}, {.name = "stack"});
  const std::int64_t n = known_integers(count, "num_classes").at(0);
  return current_scope().constant(int_vector({n, n}), "stack");
}

}  // namespace

Output confusion_matrix(const Input& given_labels, const Input& given_predictions,
                        const ConfusionMatrixOptions& options, std::source_location at) {
  const Block in(options.name, "confusion_matrix", at);
  Output labels = as_tensor(given_labels, "labels");
  Output predictions = as_tensor(given_predictions, "predictions");
  const LabelsAndPredictions alike = remove_squeezable_dimensions(labels, predictions);
  labels = alike.labels, predictions = alike.predictions;
  predictions = cast(predictions, DType::i64);
  labels = cast(labels, DType::i64);
  labels = non_negative(labels, "labels");
  predictions = non_negative(predictions, "predictions");
  OptionalInput classes = options.num_classes;
  if (classes) {
    const Output bound = cast(*classes, DType::i64);
    labels = below(labels, bound, "labels");
    predictions = below(predictions, bound, "predictions");
  } else {
    const Output most = reduce_max(predictions);
    classes = operators::add(raw::Maximum(most, reduce_max(labels)), 1, at);
  }
  std::optional<Output> values;
  if (options.weights) {
    values = as_tensor(*options.weights, "weights");
    require(predictions.shape().is_compatible(values->shape()), "Shapes ",
            shape_text(predictions.shape()), " and ", shape_text(values->shape()),
            " are incompatible");
    values = cast(*values, options.dtype);
  }
  const Output shape = square_shape(*classes);
  const Output indices = raw::Pack({labels, predictions}, {.axis = 1, .name = "stack"});
  if (!values) values = ones_like(predictions, {.dtype = options.dtype});
  return raw::ScatterNd(indices, *values, cast(shape, DType::i64));
}

}  // namespace rill
