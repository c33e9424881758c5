#include "rill/api/keras/losses.h"

#include <cmath>

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/custom_objects.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace losses {
namespace {

Output like(Output y_true, Output y_pred) { return rill::cast(y_true, base_type(y_pred.dtype())); }
Output mean_last(Output x) { return reduce_mean(x, {.axis = Input(-1)}); }
Output sum_over(Output x, int axis) { return reduce_sum(x, {.axis = Input(axis)}); }
Output at_least(Output x, double least) { return raw::Maximum(x, least); }

// Labels that are 0 or 1 become -1 or 1; others stay.
Output signed_labels(Output y_true) {
  const Output zeros = raw::Equal(y_true, parts::number(0, y_true));
  const Output ones = raw::Equal(y_true, parts::number(1, y_true));
  const Output binary = reduce_all(raw::LogicalOr(zeros, ones));
  return cond_one(
      binary, [&] { return 2.0 * y_true - 1.0; }, [&] { return raw::Identity(y_true); });
}

}  // namespace

Output mean_squared_error(Output y_true, Output y_pred) {
  return mean_last(raw::SquaredDifference(y_pred, like(y_true, y_pred)));
}
Output mean_absolute_error(Output y_true, Output y_pred) {
  return mean_last(rill::abs(y_pred - like(y_true, y_pred)));
}
Output mean_absolute_percentage_error(Output y_true, Output y_pred) {
  const Output truth = like(y_true, y_pred);
  const Output part = rill::abs((truth - y_pred) / at_least(rill::abs(truth), backend::epsilon()));
  return 100.0 * mean_last(part);
}
Output mean_squared_logarithmic_error(Output y_true, Output y_pred) {
  const Output truth = like(y_true, y_pred);
  const Output first = raw::Log(at_least(y_pred, backend::epsilon()) + 1.0);
  const Output second = raw::Log(at_least(truth, backend::epsilon()) + 1.0);
  return mean_last(raw::SquaredDifference(first, second));
}
Output squared_hinge(Output y_true, Output y_pred) {
  const Output truth = signed_labels(like(y_true, y_pred));
  return mean_last(raw::Square(at_least(1.0 - truth * y_pred, 0)));
}
Output hinge(Output y_true, Output y_pred) {
  const Output truth = signed_labels(like(y_true, y_pred));
  return mean_last(at_least(1.0 - truth * y_pred, 0));
}
Output categorical_hinge(Output y_true, Output y_pred) {
  const Output truth = like(y_true, y_pred);
  const Output right = sum_over(truth * y_pred, -1);
  const Output wrong = reduce_max((1.0 - truth) * y_pred, {.axis = Input(-1)});
  return at_least((wrong - right) + 1.0, 0);
}
Output huber_loss(Output y_true, Output y_pred, const LossOptions& o) {
  const DType dtype = backend::floatx();
  const Output error = rill::abs(rill::cast(y_pred, dtype) - rill::cast(y_true, dtype));
  const Output square = raw::Minimum(error, parts::number(o.delta, error));
  return mean_last(0.5 * raw::Square(square) + o.delta * (error - square));
}
Output logcosh(Output y_true, Output y_pred) {
  const Output error = y_pred - like(y_true, y_pred);
  return mean_last((error + raw::Softplus(-2.0 * error)) - std::log(2.0));
}
Output categorical_crossentropy(Output y_true, Output y_pred, const LossOptions& o) {
  Output truth = like(y_true, y_pred);
  if (o.label_smoothing != 0) {
    const Output classes =
        rill::cast(parts::dim_of(truth, truth.shape().rank() - 1), base_type(y_pred.dtype()));
    truth = truth * (1.0 - o.label_smoothing) + o.label_smoothing / classes;
  }
  return backend::categorical_crossentropy(truth, y_pred,
                                           {.from_logits = o.from_logits, .axis = o.axis});
}
Output sparse_categorical_crossentropy(Output y_true, Output y_pred, const LossOptions& o) {
  return backend::sparse_categorical_crossentropy(y_true, y_pred,
                                                  {.from_logits = o.from_logits, .axis = o.axis});
}
Output binary_crossentropy(Output y_true, Output y_pred, const LossOptions& o) {
  Output truth = like(y_true, y_pred);
  if (o.label_smoothing != 0) truth = truth * (1.0 - o.label_smoothing) + 0.5 * o.label_smoothing;
  return mean_last(backend::binary_crossentropy(truth, y_pred, o.from_logits));
}
Output kullback_leibler_divergence(Output y_true, Output y_pred) {
  const Output truth = clip_by_value(like(y_true, y_pred), backend::epsilon(), 1.0);
  const Output guess = clip_by_value(y_pred, backend::epsilon(), 1.0);
  return sum_over(truth * raw::Log(truth / guess), -1);
}
Output poisson(Output y_true, Output y_pred) {
  return mean_last(y_pred - like(y_true, y_pred) * raw::Log(y_pred + backend::epsilon()));
}
Output cosine_proximity(Output y_true, Output y_pred, const LossOptions& o) {
  const Output truth = backend::l2_normalize(like(y_true, y_pred), o.axis);
  const Output guess = backend::l2_normalize(y_pred, o.axis);
  return sum_over(truth * guess, o.axis);
}

namespace {

struct Known {
  const char* name;
  const char* class_name;
  const char* other_names;
  LossFunction (*make)(const LossOptions& options);
};

template <Output (*function)(Output, Output)>
LossFunction plain(const LossOptions&) {
  return function;
}
template <Output (*function)(Output, Output, const LossOptions&)>
LossFunction with_options(const LossOptions& o) {
  return [o](Output y_true, Output y_pred) { return function(y_true, y_pred, o); };
}

constexpr Known kKnown[] = {
    {"mean_squared_error", "MeanSquaredError", " mse MSE ", plain<mean_squared_error>},
    {"mean_absolute_error", "MeanAbsoluteError", " mae MAE ", plain<mean_absolute_error>},
    {"mean_absolute_percentage_error", "MeanAbsolutePercentageError", " mape MAPE ",
     plain<mean_absolute_percentage_error>},
    {"mean_squared_logarithmic_error", "MeanSquaredLogarithmicError", " msle MSLE ",
     plain<mean_squared_logarithmic_error>},
    {"squared_hinge", "SquaredHinge", "", plain<squared_hinge>},
    {"hinge", "Hinge", "", plain<hinge>},
    {"categorical_hinge", "CategoricalHinge", "", plain<categorical_hinge>},
    {"huber_loss", "Huber", " huber ", with_options<huber_loss>},
    {"logcosh", "LogCosh", " LogCoshError log_cosh ", plain<logcosh>},
    {"categorical_crossentropy", "CategoricalCrossentropy", "",
     with_options<categorical_crossentropy>},
    {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", "",
     with_options<sparse_categorical_crossentropy>},
    {"binary_crossentropy", "BinaryCrossentropy", " bce BCE ", with_options<binary_crossentropy>},
    {"kullback_leibler_divergence", "KLDivergence", " kld KLD kl_divergence ",
     plain<kullback_leibler_divergence>},
    {"poisson", "Poisson", "", plain<poisson>},
    {"cosine_similarity", "CosineSimilarity", " cosine_proximity cosine ",
     with_options<cosine_proximity>},
};

const Known& find(const std::string& name) {
  for (const Known& known : kKnown)
    if (name == known.name || name == known.class_name ||
        std::string_view(known.other_names).find(" " + name + " ") != std::string_view::npos)
      return known;
  raise(Code::kInvalidArgument, "Unknown loss function: ", name);
}

}  // namespace

LossFunction get(const std::string& name, const LossOptions& options) {
  if (const CustomObject* custom = find_custom_object(name); custom && custom->loss)
    return custom->loss;
  const Known& known = find(name);
  return NamedLoss{known.name, known.class_name, options, known.make(options)};
}
std::string full_name(const std::string& name) {
  const CustomObject* const custom = find_custom_object(name);
  return custom && custom->loss ? name : find(name).name;
}

}  // namespace losses

namespace {

Output without_last_dim(Output x) { return rill::squeeze(x, {.axis = {-1}}); }

// Where one of the ranks is known in the step only.
Output fitted_in_step(Output weights, Output values) {
  const Output given = rill::rank(weights), more = given - rill::rank(values);
  const auto same = [&] { return weights; };
  const auto expanded = [&] {
    return cond_one(
        raw::Equal(more, -1), [&] { return expand_dims(weights, -1); }, same);
  };
  const auto adjusted = [&] {
    return cond_one(
        raw::Equal(more, 1), [&] { return without_last_dim(weights); }, expanded);
  };
  return cond_one(raw::Equal(given, 0), same, adjusted);
}

}  // namespace

Output fitted_weights(Output weights, Output values) {
  const int rank = values.shape().rank(), given = weights.shape().rank();
  if (given == 0) return weights;
  if (rank < 0 || given < 0) return fitted_in_step(weights, values);
  if (given == rank + 1) return without_last_dim(weights);
  if (given == rank - 1) return expand_dims(weights, -1);
  return weights;
}

namespace {

Output weighted_and_reduced(Output losses, const std::optional<Output>& weights,
                            Reduction reduction) {
  Output weighted = losses;
  if (weights)
    weighted = losses * rill::cast(fitted_weights(*weights, losses), base_type(losses.dtype()));
  if (reduction == Reduction::kNone) return weighted;
  const Output sum = reduce_sum(weighted);
  if (reduction == Reduction::kSum) return sum;
  const Output count = rill::cast(rill::size(weighted), base_type(losses.dtype()));
  return raw::DivNoNan(sum, count, {.name = "value"});
}

}  // namespace

Output weighted_loss(Output losses, const std::optional<Output>& weights, Reduction reduction,
                     std::source_location at) {
  const Block in("", "weighted_loss", at);
  const DType dtype = base_type(losses.dtype());
  if (kFloatTypes.contains(dtype)) return weighted_and_reduced(losses, weights, reduction);
  const Output made = weighted_and_reduced(rill::cast(losses, DType::f32), weights, reduction);
  return rill::cast(made, dtype);
}

Output Loss::operator()(Output y_true, Output y_pred, const std::optional<Output>& sample_weight,
                        std::source_location at) const {
  const Block in("", name.empty() ? "loss" : name, at);
  return weighted_loss(of(y_true, y_pred), sample_weight, reduction);
}

}  // namespace rill::keras
