#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/resource.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/metric_kinds.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras::metrics {
namespace {

// Sums of values, and of what counts them where the result is a mean.
class Reduced : public Metric {
 public:
  Reduced(const std::string& name, const MetricOptions& options, bool is_mean)
      : Metric(name, options), total_(add_weight("total")) {
    if (is_mean) count_ = add_weight("count");
  }

  Node& update_state(const std::vector<Output>& values,
                     const std::optional<Output>& sample_weight) override {
    require(values.size() == 1, name(), " takes one tensor of values, got ", values.size());
    return gather(values[0], sample_weight);
  }
  Output result() override {
    return count_ ? raw::DivNoNan(total_, count_) : raw::Identity(total_);
  }

 protected:
  Node& gather(Output values, const std::optional<Output>& sample_weight) {
    Output x = rill::cast(values, dtype());
    Output count;
    if (sample_weight) {
      const Output weights = rill::cast(fitted(x, *sample_weight), dtype());
      x = x * weights;
      if (count_) count = reduce_sum(weights * ones_like(x));
    } else if (count_) {
      count = rill::cast(rill::size(x), dtype());
    }
    Node* const first = &total_.assign_add_op(reduce_sum(x));
    if (!count_) return *first;
    const ControlDependencies after(std::span(&first, 1));
    return count_.assign_add_op(count);
  }

 private:
  // Weights of examples stand for the means of what the examples hold.
  static Output fitted(Output& x, Output weights) {
    const int rank = x.shape().rank(), given = weights.shape().rank();
    if (rank >= 0 && given >= 0 && rank > given &&
        !(rank == given + 1 && x.shape().dim(given) == 1)) {
      std::vector<std::int64_t> inner;
      for (int i = given; i < rank; ++i) inner.push_back(i);
      if (!inner.empty()) x = reduce_mean(x, {.axis = Input(math_parts_vector(inner))});
      return weights;
    }
    return fitted_weights(weights, x);
  }
  static Tensor math_parts_vector(const std::vector<std::int64_t>& values) {
    Tensor axes(DType::i32, Shape({static_cast<std::int64_t>(values.size())}));
    std::copy(values.begin(), values.end(), axes.data<std::int32_t>());
    return axes;
  }

  Variable total_, count_;
};

// The mean of a function of truth and prediction.
class MeanOf : public Reduced {
 public:
  MeanOf(LossFunction function, const std::string& name, const MetricOptions& options)
      : Reduced(name, options, true), of_(std::move(function)) {}
  Node& update_state(const std::vector<Output>& values,
                     const std::optional<Output>& sample_weight) override {
    require(values.size() == 2, name(), " takes the truth and a prediction");
    return gather(of_(rill::cast(values[0], dtype()), rill::cast(values[1], dtype())),
                  sample_weight);
  }

 private:
  LossFunction of_;
};

class RootMeanSquared : public MeanOf {
 public:
  using MeanOf::MeanOf;
  Output result() override { return raw::Sqrt(MeanOf::result()); }
};

// The mean of each element of equally shaped tensors.
class MeanTensor : public Metric {
 public:
  explicit MeanTensor(const MetricOptions& options) : Metric("mean_tensor", options) {}
  Node& update_state(const std::vector<Output>& values,
                     const std::optional<Output>& sample_weight) override {
    Output x = rill::cast(values.at(0), dtype());
    if (!total_) {
      total_ = add_weight("total", x.shape().full());
      count_ = add_weight("count", x.shape().full());
    }
    require(x.shape().is_compatible(total_.shape()),
            "MeanTensor input values must always have the same shape. Expected shape (set during "
            "the first call): ",
            total_.shape(), ". Got: ", x.shape());
    Output count = ones_like(x);
    if (sample_weight) {
      const Output weights = rill::cast(fitted_weights(*sample_weight, x), dtype());
      count = count * weights;
      x = x * weights;
    }
    Node* const first = &total_.assign_add_op(x);
    const ControlDependencies after(std::span(&first, 1));
    return count_.assign_add_op(count);
  }
  Output result() override {
    if (!total_)
      raise(Code::kFailedPrecondition,
            "MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
            "`.update_state(value)` before retrieving the result.");
    return raw::DivNoNan(total_, count_);
  }

 private:
  Variable total_, count_;
};

using Function = LossFunction (*)(const MetricOptions& o);
struct Kind {
  const char* class_name;
  const char* name;
  Function make;
};
constexpr Kind kMeans[] = {
    {"Accuracy", "accuracy", [](const MetricOptions&) -> LossFunction { return accuracy; }},
    {"BinaryAccuracy", "binary_accuracy",
     [](const MetricOptions& o) -> LossFunction {
       return [t = o.threshold](Output a, Output b) { return binary_accuracy(a, b, t); };
     }},
    {"CategoricalAccuracy", "categorical_accuracy",
     [](const MetricOptions&) -> LossFunction { return categorical_accuracy; }},
    {"SparseCategoricalAccuracy", "sparse_categorical_accuracy",
     [](const MetricOptions&) -> LossFunction { return sparse_categorical_accuracy; }},
    {"TopKCategoricalAccuracy", "top_k_categorical_accuracy",
     [](const MetricOptions& o) -> LossFunction {
       return [k = o.k](Output a, Output b) { return top_k_categorical_accuracy(a, b, k); };
     }},
    {"SparseTopKCategoricalAccuracy", "sparse_top_k_categorical_accuracy",
     [](const MetricOptions& o) -> LossFunction {
       return [k = o.k](Output a, Output b) { return sparse_top_k_categorical_accuracy(a, b, k); };
     }},
    {"CosineSimilarity", "cosine_similarity",
     [](const MetricOptions& o) -> LossFunction {
       return [l = o.loss](Output a, Output b) { return losses::cosine_proximity(a, b, l); };
     }},
    {"MeanRelativeError", "mean_relative_error",
     [](const MetricOptions& o) -> LossFunction {
       return [n = o.normalizer.value_or(Input(1.0))](Output a, Output b) {
         const Output scale = as_tensor(n, "normalizer", base_type(b.dtype()));
         return raw::DivNoNan(rill::abs(a - b), scale);
       };
     }},
    {"LogCoshError", "logcosh",
     [](const MetricOptions&) -> LossFunction { return losses::logcosh; }},
};

// Classes that are means of a loss are called as the loss's class is.
constexpr const char* kLosses =
    " MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError"
    " Hinge SquaredHinge CategoricalHinge KLDivergence Poisson BinaryCrossentropy"
    " CategoricalCrossentropy SparseCategoricalCrossentropy ";

}  // namespace

MetricRef mean_of(LossFunction function, const MetricOptions& options) {
  return std::make_shared<MeanOf>(std::move(function), "mean", options);
}

MetricRef make_mean(const std::string& class_name, const MetricOptions& o) {
  if (class_name == "Mean") return std::make_shared<Reduced>("mean", o, true);
  if (class_name == "Sum") return std::make_shared<Reduced>("sum", o, false);
  if (class_name == "MeanTensor") return std::make_shared<MeanTensor>(o);
  if (class_name == "RootMeanSquaredError")
    return std::make_shared<RootMeanSquared>(
        [](Output a, Output b) { return raw::SquaredDifference(b, a); }, "root_mean_squared_error",
        o);
  for (const Kind& kind : kMeans)
    if (class_name == kind.class_name) return std::make_shared<MeanOf>(kind.make(o), kind.name, o);
  if (std::string_view(kLosses).find(" " + class_name + " ") != std::string_view::npos)
    return std::make_shared<MeanOf>(losses::get(class_name, o.loss), losses::full_name(class_name),
                                    o);
  return nullptr;
}

MetricRef make(const std::string& class_name, const MetricOptions& options) {
  MetricRef made = make_mean(class_name, options);
  if (!made) made = make_confusion(class_name, options);
  require(made != nullptr, "Unknown metric: ", class_name);
  made->class_name = class_name;
  made->made_with = options;
  return made;
}

namespace {

bool names_accuracy(const std::string& name) { return name == "acc" || name == "accuracy"; }
bool names_crossentropy(const std::string& name) { return name == "crossentropy" || name == "ce"; }

// Which of the three kinds of accuracy or cross entropy fits an output.
std::string fitting_class(bool is_accuracy, Output y_pred, const PartialShape& target,
                          const std::string& loss_name) {
  const PartialShape shape = y_pred.shape();
  const std::int64_t classes = shape.rank() > 0 ? shape.dim(shape.rank() - 1) : -1;
  if (classes == 1 || loss_name == "binary_crossentropy")
    return is_accuracy ? "BinaryAccuracy" : "BinaryCrossentropy";
  const bool fewer = target.has_rank() &&
                     (target.rank() < shape.rank() ||
                      (target.rank() > 0 && target.dim(target.rank() - 1) == 1 && classes != 1));
  if (loss_name == "sparse_categorical_crossentropy" || fewer)
    return is_accuracy ? "SparseCategoricalAccuracy" : "SparseCategoricalCrossentropy";
  return is_accuracy ? "CategoricalAccuracy" : "CategoricalCrossentropy";
}

}  // namespace

MetricRef for_output(const std::string& name, Output y_pred, const PartialShape& target,
                     const std::string& loss_name) {
  if (names_accuracy(name) || names_crossentropy(name)) {
    const bool is_accuracy = names_accuracy(name);
    return make(fitting_class(is_accuracy, y_pred, target, loss_name),
                {.name = is_accuracy ? "acc" : "ce"});
  }
  for (const Kind& kind : kMeans)
    if (name == kind.name || name == kind.class_name) return make(kind.class_name);
  const std::string full = losses::full_name(name);
  return mean_of(losses::get(name), {.name = full});
}

}  // namespace rill::keras::metrics
