#include "rill/api/estimator/heads/checks.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/feature_column/columns.h"
#include "rill/api/feature_column/scope_state.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"

namespace rill::estimator {
namespace {

bool one_rank_less(Output x, Output logits) {
  return x.shape().has_rank() && logits.shape().has_rank() &&
         x.shape().rank() == logits.shape().rank() - 1;
}

std::optional<std::int64_t> last_dim(Output x) {
  if (!x.shape().has_rank() || x.shape().rank() == 0) return {};
  const std::int64_t last = x.shape().dim(x.shape().rank() - 1);
  return last < 0 ? std::nullopt : std::optional(last);
}

Output all_but_last(Output shape) { return slice(shape, {SliceRange{.stop = Input(-1)}}); }

Output with_last_size(Output logits_shape, std::int64_t size, const std::string& name = "concat") {
  const Output batch = all_but_last(logits_shape);
  return concat({batch, parts::ints({size})}, 0, {.name = name});
}

std::string label_shape_message(Generation generation, std::int64_t dimension) {
  return str_cat("labels shape must be [D0, D1, ... DN, ", dimension,
                 "]. Suggested Fix: check your n_classes argument to the ",
                 generation == Generation::kFirst ? "estimator" : "head",
                 " and/or the shape of your label.");
}

void require_dense(const data::Component& part, std::int64_t dimension) {
  require(part.spec().kind != data::ComponentKind::kSparse,
          "SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, ..., "
          "DN, ",
          dimension, "], e.g. [batch_size, ", dimension,
          "]. Suggested Fix (1): Check the label feature in your data. Each example must contain ",
          dimension,
          " value(s). If not, your choice of label was probably incorrect. Suggested Fix (2): In "
          "your input_fn, use tf.sparse_tensor_to_dense() to turn labels into a Tensor.");
}

void require_last(Output labels, std::int64_t dimension) {
  const auto last = last_dim(labels);
  require(!last || *last == dimension,
          "Mismatched label shape. Expected labels dimension=", dimension, ".  Received ",
          last.value_or(0),
          ". Suggested Fix:If your classifier expects one-hot encoding label,check your n_classes "
          "argument to the estimator and/or the shape of your label. Otherwise, check the shape of "
          "your label.");
}

// The step fails unless the labels have the shape of the logits but for the last dimension.
Output with_shape_of(Generation generation, Output labels, Output logits, std::int64_t dimension,
                     const std::string& name) {
  const std::string message = label_shape_message(generation, dimension);
  Output labels_shape, logits_shape;
  if (generation == Generation::kFirst) {
    labels_shape = shape(labels);
    logits_shape = shape(logits);
  }
  Node* has_rank = &assert_rank_at_least(labels, 2, {.message = message});
  const ControlDependencies ranked(std::span(&has_rank, 1));
  require_last(labels, dimension);
  if (generation == Generation::kSecond) logits_shape = shape(logits);
  const Output expected = with_last_size(logits_shape, dimension);
  if (generation == Generation::kSecond) labels_shape = shape(labels);
  Node* fits = &assert_equal(expected, labels_shape,
                             {.data = std::vector<Input>{"expected_labels_shape: ", expected,
                                                         "labels_shape: ", labels_shape},
                              .message = message});
  const ControlDependencies fitting(std::span(&fits, 1));
  return raw::Identity(labels, {.name = name});
}

// What the column of weights makes of the features.
Output column_tensor(const Features& features, const WeightColumn& column) {
  namespace fc = feature_column;
  const auto* key = std::get_if<std::string>(&column);
  const fc::ColumnRef found = key ? fc::numeric_column(*key) : std::get<fc::ColumnRef>(column);
  const auto* numbers = dynamic_cast<const fc::DenseColumn*>(found.get());
  require_type(numbers != nullptr,
               "Weight column must be either a string or _DenseColumn. Given: ", found->text());
  fc::ScopeState state({}, true);
  fc::FeatureTransformationCache cache(features);
  return numbers->get_dense_tensor(cache, state);
}

constexpr char kWeightsShape[] = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]";
constexpr char kLogitWeightsShape[] =
    "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, "
    "logits_dimension]";

Node& assert_weights(Output weights_shape, Output logits_shape, bool per_logit) {
  const std::vector<Input> shown = {"logits_shape: ", logits_shape,
                                    "weights_shape: ", weights_shape};
  const Output supported = with_last_size(logits_shape, 1);
  if (!per_logit)
    return assert_equal(supported, weights_shape, {.data = shown, .message = kWeightsShape});
  const Output whole = reduce_all(raw::Equal(logits_shape, weights_shape));
  const Output single = reduce_all(raw::Equal(supported, weights_shape));
  const Output fits = reduce_any(parts::list_of({whole, single}));
  std::vector<Input> data = {kLogitWeightsShape};
  data.insert(data.end(), shown.begin(), shown.end());
  return assert_true(fits, data);
}

}  // namespace

const data::Component& lone_label(Generation generation, const Features& labels) {
  const auto found = labels.find("");
  require(found != labels.end(),
          "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check "
          "that your data ",
          generation == Generation::kFirst ? "contain" : "contains",
          " your label feature. Check that your input_fn properly parses and returns labels.");
  return found->second;
}

Output dense_labels(Generation generation, const Features& labels, Output logits,
                    std::int64_t dimension) {
  const data::Component& part = lone_label(generation, labels);
  const Block in({}, "labels", call_site());
  require_dense(part, dimension);
  Output tensor = part.tensor();
  if (one_rank_less(tensor, logits)) tensor = expand_dims(tensor, -1);
  return with_shape_of(generation, tensor, logits, dimension, in.own_name());
}

Output checked_logits(Generation generation, Output given, std::int64_t dimension) {
  const Block in({}, "logits", call_site());
  const Output logits = cast(given, DType::f32);
  const Output logits_shape = shape(logits);
  const std::string text = generation == Generation::kFirst
                               ? str_cat("logits_dimension=", dimension)
                               : std::string("logits_dimension");
  Node* has_rank =
      &assert_rank_at_least(logits, 2,
                            {.data = std::vector<Input>{logits_shape},
                             .message = "logits shape must be [D0, D1, ... DN, logits_dimension]"});
  const ControlDependencies ranked(std::span(&has_rank, 1));
  if (const auto last = last_dim(logits)) {
    require(*last == dimension, "logits shape must be [D0, D1, ... DN, ", text, "], got ",
            shape_text(logits.shape()), ".");
    return logits;
  }
  Node* fits =
      &assert_equal(static_cast<int>(dimension), slice(logits_shape, {Input(-1)}),
                    {.data = std::vector<Input>{logits_shape},
                     .message = str_cat("logits shape must be [D0, D1, ... DN, ", text, "]")});
  const ControlDependencies fitting(std::span(&fits, 1));
  return raw::Identity(logits, {.name = in.own_name()});
}

Input checked_weights(const Features& features, const WeightColumn& column, Output logits,
                      bool per_logit) {
  const Block in({}, "weights", call_site());
  if (std::holds_alternative<std::monostate>(column)) return 1.0;
  Output weights = column_tensor(features, column);
  require(kRealTypes.contains(weights.dtype()),
          "Weight column should be castable to float. Given dtype: <dtype: '",
          dtype_text(weights.dtype()), "'>");
  weights = cast(weights, DType::f32, {.name = "weights"});
  const Output weights_shape = shape(weights, {.name = "weights_shape"});
  const Output logits_shape = shape(logits, {.name = "logits_shape"});
  if (one_rank_less(weights, logits)) {
    Node* fits = &assert_equal(all_but_last(logits_shape), weights_shape,
                               {.data = std::vector<Input>{"logits_shape: ", logits_shape,
                                                           "weights_shape: ", weights_shape},
                                .message = per_logit ? kLogitWeightsShape : kWeightsShape});
    const ControlDependencies fitting(std::span(&fits, 1));
    return expand_dims(weights, -1, {.name = in.own_name()});
  }
  Node* fits = &assert_weights(weights_shape, logits_shape, per_logit);
  const ControlDependencies fitting(std::span(&fits, 1));
  return raw::Identity(weights, {.name = in.own_name()});
}

Output checked_range(Generation generation, Output labels, std::int64_t n_classes,
                     const std::string& message) {
  const bool first = generation == Generation::kFirst;
  const Block in({}, first ? "assert_range" : "check_label_range", call_site());
  const auto text = [&](const char* one, const char* two) {
    return !message.empty() ? message : std::string(first ? one : two);
  };
  const Output largest = as_tensor(Input(n_classes - 1), "Const", labels.dtype());
  Node* checks[] = {
      &assert_less_equal(
          labels, largest,
          {.message = text("Labels must <= n_classes - 1", "Labels must be <= n_classes - 1")}),
      &assert_non_negative(labels, {.message = text("Labels must >= 0", "Labels must be >= 0")})};
  const ControlDependencies checked(checks);
  return raw::Identity(labels);
}

Output called_loss(const LossFn& loss_fn, Output labels, Output logits, const Features& features,
                   std::int64_t dimension) {
  const Block in({}, "call_loss_fn", call_site());
  const Output loss = loss_fn(labels, logits, features);
  const Output logits_shape = shape(logits, {.name = "logits_shape"});
  const Output expected = with_last_size(logits_shape, dimension, "expected_loss_shape");
  const Output loss_shape = shape(loss, {.name = "loss_shape"});
  Node* fits = &assert_true(
      reduce_all(raw::Equal(loss_shape, expected)),
      {str_cat("loss_fn must return Tensor of shape [D0, D1, ... DN, ", dimension, "]. "),
       "logits_shape: ", logits_shape, "loss_shape: ", loss_shape},
      {.name = "check_loss_shape"});
  const ControlDependencies fitting(std::span(&fits, 1));
  return raw::Identity(loss);
}

void require_thresholds(const std::vector<double>& thresholds, const char* message) {
  for (const double threshold : thresholds)
    require(threshold > 0 && threshold < 1, message, threshold, ".");
}

void require_reduction(losses::Reduction reduction) {
  require(reduction != losses::Reduction::NONE,
          "Invalid loss_reduction: ", losses::reduction_text(reduction));
}

}  // namespace rill::estimator
