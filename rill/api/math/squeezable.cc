#include "rill/api/math/squeezable.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"

namespace rill {
namespace {

Output squeezed_if(int expected, Output rank_diff, Output x) {
  if (x.shape().has_rank() && !may_end_with_one(x.shape())) return x;
  return cond_one(
      raw::Equal(expected, rank_diff), [x] { return without_last(x); }, [x] { return x; });
}

}  // namespace

bool may_end_with_one(const PartialShape& shape) {
  if (!shape.has_rank()) return true;
  const int rank = shape.rank();
  return rank > 0 && (shape[rank - 1] == 1 || shape[rank - 1] == kUnknownDim);
}

Output without_last(const Input& x) { return raw::Squeeze(x, {.squeeze_dims = {-1}}); }

LabelsAndPredictions remove_squeezable_dimensions(const Input& given_labels,
                                                  const Input& given_predictions,
                                                  const RemoveSqueezableOptions& options,
                                                  std::source_location at) {
  const Block in(options.name, "remove_squeezable_dimensions", at);
  const int expected = options.expected_rank_diff;
  Output predictions = as_tensor(given_predictions);
  Output labels = as_tensor(given_labels);
  if (predictions.shape().has_rank() && labels.shape().has_rank()) {
    const int diff = predictions.shape().rank() - labels.shape().rank();
    if (diff == expected + 1 && may_end_with_one(predictions.shape())) {
      predictions = without_last(predictions);
    } else if (diff == expected - 1 && may_end_with_one(labels.shape())) {
      labels = without_last(labels);
    }
    return {labels, predictions};
  }
  const Output predictions_rank = rank(predictions);
  const Output diff = operators::sub(predictions_rank, rank(labels), at);
  predictions = squeezed_if(expected + 1, diff, predictions);
  labels = squeezed_if(expected - 1, diff, labels);
  return {labels, predictions};
}

}  // namespace rill
