#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/metric_kinds.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras::metrics {
namespace {

constexpr double kNone = -1e10;  // lower than any prediction

// The four kinds of right and wrong answers.
enum Answer { kTruePositive, kFalseNegative, kTrueNegative, kFalsePositive };
constexpr const char* kNames[] = {"true_positives", "false_negatives", "true_negatives",
                                  "false_positives"};

Tensor floats(const std::vector<double>& values) {
  Tensor t(DType::f32, Shape({static_cast<std::int64_t>(values.size())}));
  std::copy(values.begin(), values.end(), t.data<float>());
  return t;
}

Output column(Output x, std::int64_t index) {
  const int rank = x.shape().rank();
  std::vector<std::int64_t> begin(rank, 0), end(rank, 0);
  const std::int64_t last = std::int64_t{1} << (rank - 1);
  begin[rank - 1] = index;
  end[rank - 1] = index + 1;
  return strided_slice(x, rill::parts::ints(begin), rill::parts::ints(end),
                       {.begin_mask = last - 1, .end_mask = last - 1, .shrink_axis_mask = last});
}

// Counts answers for each of several thresholds.
class Confusion : public Metric {
 public:
  Confusion(const std::string& name, const MetricOptions& o, std::vector<double> thresholds)
      : Metric(name, o),
        thresholds_(std::move(thresholds)),
        top_k_(o.top_k),
        class_id_(o.class_id) {}

  std::vector<double> thresholds() const override { return thresholds_; }

  Node& update_state(const std::vector<Output>& values,
                     const std::optional<Output>& sample_weight) override {
    require(values.size() == 2, name(), " takes the truth and a prediction");
    Output truth = rill::cast(values[0], dtype()), guess = rill::cast(values[1], dtype());
    if (guess.shape().rank() > 0 && truth.shape().rank() == guess.shape().rank() - 1 &&
        guess.shape().dim(guess.shape().rank() - 1) == 1)
      guess = rill::squeeze(guess, {.axis = {-1}});
    if (top_k_) guess = only_top(guess);
    if (class_id_) {
      truth = column(truth, *class_id_);
      guess = column(guess, *class_id_);
    }
    std::optional<Output> weights;
    if (sample_weight)
      weights = rill::cast(fitted_weights(*sample_weight, guess), dtype()) * ones_like(guess);
    return count(parts::reshape_to(truth, {1, -1}), parts::reshape_to(guess, {1, -1}), weights);
  }

 protected:
  Variable counter(Answer answer, const char* weight_name = nullptr) {
    counters_.push_back(
        {answer, add_weight(weight_name ? weight_name : kNames[answer],
                            Shape({static_cast<std::int64_t>(thresholds_.size())}))});
    return counters_.back().second;
  }
  // One number where there is one threshold.
  Output given(Output results) const {
    return thresholds_.size() == 1 ? rill::parts::item(results, 0) : results;
  }

 private:
  Output only_top(Output guess) const {
    require(guess.shape().rank() > 0, "top_k needs predictions of known rank");
    const std::int64_t classes = guess.shape().dim(guess.shape().rank() - 1);
    require(classes > 0, "top_k needs a known number of classes");
    const Output best = raw::TopKV2(guess, static_cast<int>(*top_k_), {.sorted = false}).indices;
    const Output mask = reduce_sum(one_hot(best, classes), {.axis = Input(-2)});
    return guess * mask + kNone * (1.0 - mask);
  }

  Node& count(Output truth, Output guess, const std::optional<Output>& weights) {
    const std::int64_t n = static_cast<std::int64_t>(thresholds_.size());
    const Output limits =
        parts::reshape_to(rill::cast(Input(floats(thresholds_)), dtype()), {n, 1});
    const Output positive = raw::Greater(guess, limits);
    const Output is_true = rill::cast(truth, DType::boolean);
    const Output flat_weights = weights ? parts::reshape_to(*weights, {1, -1}) : Output();
    std::vector<Node*> updates;
    for (const auto& [answer, variable] : counters_) {
      const bool wants_true = answer == kTruePositive || answer == kFalseNegative;
      const bool wants_positive = answer == kTruePositive || answer == kFalsePositive;
      const Output label = wants_true ? is_true : raw::LogicalNot(is_true);
      const Output hit = wants_positive ? positive : raw::LogicalNot(positive);
      Output counted = rill::cast(raw::LogicalAnd(label, hit), dtype());
      if (weights) counted = counted * flat_weights;
      updates.push_back(&variable.assign_add_op(reduce_sum(counted, {.axis = Input(1)})));
    }
    return group(updates);
  }

  std::vector<double> thresholds_;
  std::optional<std::int64_t> top_k_, class_id_;
  std::vector<std::pair<Answer, Variable>> counters_;
};

const std::vector<double>& checked_thresholds(const MetricOptions& o) {
  for (const double threshold : o.thresholds)
    require(threshold >= 0 && threshold <= 1,
            "Threshold values must be in [0, 1]. Invalid value: ", threshold);
  return o.thresholds;
}
std::vector<double> thresholds_or(const MetricOptions& o, double otherwise) {
  return o.thresholds.empty() ? std::vector<double>{otherwise} : checked_thresholds(o);
}
std::vector<double> spread_thresholds(const MetricOptions& o, std::int64_t least_count) {
  std::vector<double> all{-backend::epsilon()};
  if (!o.thresholds.empty()) {
    std::vector<double> sorted = checked_thresholds(o);
    std::ranges::sort(sorted);
    all.insert(all.end(), sorted.begin(), sorted.end());
  } else {
    require(o.num_thresholds >= least_count, "`num_thresholds` must be > ", least_count - 1, ".");
    if (o.num_thresholds == 1) return {0.5};
    for (std::int64_t i = 0; i < o.num_thresholds - 2; ++i)
      all.push_back(static_cast<double>(i + 1) / static_cast<double>(o.num_thresholds - 1));
  }
  all.push_back(1.0 + backend::epsilon());
  return all;
}

// How many answers of one kind there were.
class Answers : public Confusion {
 public:
  Answers(const std::string& name, Answer answer, const MetricOptions& o)
      : Confusion(name, o, thresholds_or(o, 0.5)), count_(counter(answer, "accumulator")) {}
  Output result() override { return given(raw::Identity(count_)); }

 private:
  Variable count_;
};

// True positives among all that were said to be positive, or are.
class Ratio : public Confusion {
 public:
  Ratio(const std::string& name, Answer beside, const MetricOptions& o)
      : Confusion(name, o, thresholds_or(o, o.top_k ? kNone : 0.5)),
        right_(counter(kTruePositive)),
        wrong_(counter(beside)) {}
  Output result() override {
    return given(raw::DivNoNan(right_.value(), raw::AddV2(right_, wrong_)));
  }

 private:
  Variable right_, wrong_;
};

class AllFour : public Confusion {
 public:
  AllFour(const std::string& name, const MetricOptions& o, std::int64_t least_thresholds)
      : Confusion(name, o, spread_thresholds(o, least_thresholds)),
        tp_(counter(kTruePositive)),
        tn_(counter(kTrueNegative)),
        fp_(counter(kFalsePositive)),
        fn_(counter(kFalseNegative)) {}

 protected:
  Variable tp_, tn_, fp_, fn_;
};

class AreaUnderCurve : public AllFour {
 public:
  AreaUnderCurve(const std::string& name, const MetricOptions& o)
      : AllFour(name, o, 2), curve_(o.curve), how_(o.summation_method) {
    require(curve_ == "ROC" || curve_ == "PR", "Invalid AUC curve value \"", curve_, "\".");
    require(how_ == "interpolation" || how_ == "minoring" || how_ == "majoring",
            "Invalid AUC summation method value \"", how_, "\".");
  }
  Output result() override {
    if (curve_ == "PR" && how_ == "interpolation") return interpolated_precision();
    const Output recall = raw::DivNoNan(tp_, raw::AddV2(tp_, fn_));
    Output x, y;
    if (curve_ == "ROC") {
      x = raw::DivNoNan(fp_, raw::AddV2(fp_, tn_));
      y = recall;
    } else {
      x = recall;
      y = raw::DivNoNan(tp_, raw::AddV2(tp_, fp_));
    }
    const Output left = head(y), right = tail(y);
    const Output height = how_ == "interpolation" ? (left + right) / 2.0
                          : how_ == "minoring"    ? raw::Minimum(left, right)
                                                  : raw::Maximum(left, right);
    return reduce_sum((head(x) - tail(x)) * height);
  }

 private:
  Output head(Output x) const {
    return rill::parts::range_of(x, {}, static_cast<std::int64_t>(thresholds().size()) - 1);
  }
  Output tail(Output x) const { return rill::parts::range_of(x, 1, {}); }

  // Between two thresholds true positives are a line of the positives.
  Output interpolated_precision() {
    const Output tp = tp_.value(), p = raw::AddV2(tp_, fp_), zero = parts::number(0, tp);
    const Output dtp = head(tp) - tail(tp), dp = head(p) - tail(p);
    const Output slope = raw::DivNoNan(dtp, raw::Maximum(dp, zero));
    const Output offset = tail(tp) - slope * tail(p);
    const Output both = raw::LogicalAnd(raw::Greater(head(p), zero), raw::Greater(tail(p), zero));
    const Output ratio =
        where(both, raw::DivNoNan(head(p), raw::Maximum(tail(p), zero)), ones_like(tail(p)));
    const Output positives = tail(tp) + tail(raw::Identity(fn_));
    return reduce_sum(
        raw::DivNoNan(slope * (dtp + offset * raw::Log(ratio)), raw::Maximum(positives, zero)));
  }

  std::string curve_, how_;
};

// The best of one rate where the other is nearest to what is asked for.
class RateAtRate : public AllFour {
 public:
  RateAtRate(const std::string& name, const MetricOptions& o, bool sensitivity)
      : AllFour(name, o, 1), value_(o.value), sensitivity_(sensitivity) {
    require(value_ >= 0 && value_ <= 1, "the rate must be in the range [0, 1], got ", value_);
  }
  Output result() override {
    const Output sensitivities = raw::DivNoNan(tp_, raw::AddV2(tp_, fn_));
    const Output specificities = raw::DivNoNan(tn_, raw::AddV2(tn_, fp_));
    const Output asked = sensitivity_ ? specificities : sensitivities;
    const Output answer = sensitivity_ ? sensitivities : specificities;
    const Output reached = raw::GreaterEqual(asked, parts::number(value_, asked));
    // The largest of those where the asked rate is reached; none: 0.
    const Output allowed = where(reached, answer, zeros_like(answer));
    return reduce_max(allowed);
  }

 private:
  double value_;
  bool sensitivity_;
};

// How far predicted classes and true ones cover each other, on average over the classes.
class MeanIoU : public Metric {
 public:
  explicit MeanIoU(const MetricOptions& o)
      : Metric("mean_io_u", o),
        classes_(o.num_classes),
        total_(add_weight("total_confusion_matrix", Shape({o.num_classes, o.num_classes}))) {}
  Node& update_state(const std::vector<Output>& values,
                     const std::optional<Output>& sample_weight) override {
    require(values.size() == 2, name(), " takes the truth and a prediction");
    const Output truth = flat(rill::cast(values[0], DType::i64));
    const Output guess = flat(rill::cast(values[1], DType::i64));
    Output weights = sample_weight ? flat(rill::cast(*sample_weight, dtype()))
                                   : rill::cast(ones_like(truth), dtype());
    const Output place = stack({truth, guess}, {.axis = 1});
    const Output matrix =
        raw::ScatterNd(place, weights, Tensor::vector<std::int64_t>({classes_, classes_}));
    return total_.assign_add_op(matrix);
  }
  Output result() override {
    const Output matrix = total_.value();
    const Output rows = reduce_sum(matrix, {.axis = Input(0)}),
                 columns = reduce_sum(matrix, {.axis = Input(1)});
    const Output hits = raw::MatrixDiagPart(matrix);
    const Output covered = (rows + columns) - hits;
    const Output valid = rill::cast(raw::NotEqual(covered, parts::number(0, covered)), dtype());
    return raw::DivNoNan(reduce_sum(raw::DivNoNan(hits, covered)), reduce_sum(valid));
  }

 private:
  static Output flat(Output x) { return x.shape().rank() == 1 ? x : parts::reshape_to(x, {-1}); }
  std::int64_t classes_;
  Variable total_;
};

}  // namespace

MetricRef make_confusion(const std::string& class_name, const MetricOptions& o) {
  constexpr std::pair<const char*, Answer> kAnswers[] = {{"TruePositives", kTruePositive},
                                                         {"FalseNegatives", kFalseNegative},
                                                         {"TrueNegatives", kTrueNegative},
                                                         {"FalsePositives", kFalsePositive}};
  for (const auto& [name, answer] : kAnswers)
    if (class_name == name) return std::make_shared<Answers>(kNames[answer], answer, o);
  if (class_name == "Precision") return std::make_shared<Ratio>("precision", kFalsePositive, o);
  if (class_name == "Recall") return std::make_shared<Ratio>("recall", kFalseNegative, o);
  if (class_name == "AUC") return std::make_shared<AreaUnderCurve>("auc", o);
  if (class_name == "SensitivityAtSpecificity")
    return std::make_shared<RateAtRate>("sensitivity_at_specificity", o, true);
  if (class_name == "SpecificityAtSensitivity")
    return std::make_shared<RateAtRate>("specificity_at_sensitivity", o, false);
  if (class_name == "MeanIoU") return std::make_shared<class MeanIoU>(o);
  return nullptr;
}

}  // namespace rill::keras::metrics
