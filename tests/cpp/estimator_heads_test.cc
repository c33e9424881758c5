#include <gtest/gtest.h>

#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/session.h"
#include "rill/api/estimator/heads/head.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"

namespace {

namespace tf = rill;
namespace est = rill::estimator;
using est::Mode;

class Heads : public testing::Test {
 protected:
  void SetUp() override { tf::reset_default_graph(); }

  static tf::Output column(std::initializer_list<float> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return tf::constant(tf::Tensor::of<float>({count, 1}, values));
  }
  static est::Features labels(std::initializer_list<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return {{"", tf::constant(tf::Tensor::of<std::int64_t>({count, 1}, values))}};
  }
  static tf::Output classes() {
    return tf::constant(tf::Tensor::of<float>({2, 3}, std::vector<float>{1, 2, -1, 0.5, 0, 3}));
  }
  static float number(tf::Session& session, tf::Output x) {
    return session.run(x).scalar_value<float>();
  }
  static void start(tf::Session& session) {
    session.run(tf::global_variables_initializer());
    session.run(tf::local_variables_initializer());
    session.run(tf::tables_initializer());
  }
  static std::map<std::string, float> measured(const est::EstimatorSpec& spec) {
    tf::Session session;
    start(session);
    for (const auto& [key, metric] : spec.eval_metric_ops) metric.update_op.run(session);
    std::map<std::string, float> values;
    for (const auto& [key, metric] : spec.eval_metric_ops)
      values[key] = number(session, metric.value);
    return values;
  }
  static std::vector<std::string> keys(const auto& map) {
    std::vector<std::string> found;
    for (const auto& [key, value] : map) found.push_back(key);
    return found;
  }
};

using Keys = std::vector<std::string>;

TEST_F(Heads, BinaryPredicts) {
  const auto head = est::binary_classification_head();
  EXPECT_EQ(head->logits_dimension(), 1);
  const auto spec =
      head->create_estimator_spec({.mode = Mode::kPredict, .logits = column({1.5f, -0.5f})});
  EXPECT_EQ(keys(spec.predictions), (Keys{"all_class_ids", "all_classes", "class_ids", "classes",
                                          "logistic", "logits", "probabilities"}));
  EXPECT_EQ(keys(spec.export_outputs),
            (Keys{"classification", "predict", "regression", "serving_default"}));
  EXPECT_EQ(spec.predictions.at("probabilities").node->name(), "head/predictions/probabilities");
  tf::Session session;
  const tf::Tensor ids = session.run(spec.predictions.at("class_ids"));
  EXPECT_EQ(ids.flat<std::int64_t>()[0], 1);
  EXPECT_EQ(ids.flat<std::int64_t>()[1], 0);
}

TEST_F(Heads, BinaryMeasures) {
  const auto head = est::binary_classification_head({.thresholds = {0.25}, .name = "b"});
  const auto spec = head->create_estimator_spec({.mode = Mode::kEval,
                                                 .logits = column({1.5f, -0.5f, 0.25f, 2.0f}),
                                                 .labels = labels({1, 0, 1, 0})});
  const auto values = measured(spec);
  EXPECT_FLOAT_EQ(values.at("accuracy/b"), 0.75f);
  EXPECT_FLOAT_EQ(values.at("accuracy_baseline/b"), 0.5f);
  EXPECT_FLOAT_EQ(values.at("label/mean/b"), 0.5f);
  EXPECT_FLOAT_EQ(values.at("recall/b"), 1.0f);
  EXPECT_NEAR(values.at("precision/b"), 2.0f / 3, 1e-6);
  EXPECT_FLOAT_EQ(values.at("accuracy/positive_threshold_0.25/b"), 0.5f);
  EXPECT_EQ(values.size(), 12u);
}

TEST_F(Heads, BinaryTrains) {
  tf::train::get_or_create_global_step();
  const tf::Variable net(column({0.0f, 0.0f}), {.name = "net"});
  const auto head = est::binary_classification_head({.loss_reduction = tf::losses::Reduction::SUM});
  const auto spec = head->create_estimator_spec(
      {.mode = Mode::kTrain,
       .logits = tf::as_tensor(net),
       .labels = labels({1, 0}),
       .optimizer = std::make_shared<tf::train::GradientDescentOptimizer>(0.5)});
  tf::Session session;
  start(session);
  EXPECT_NEAR(number(session, spec.loss), 2 * std::log(2.0), 1e-6);
  spec.train_op.run(session);
  EXPECT_LT(number(session, spec.loss), 1.2f);
  EXPECT_EQ(session.run(tf::as_tensor(tf::train::get_global_step())).scalar_value<std::int64_t>(),
            1);
}

TEST_F(Heads, WeightsCount) {
  const auto head = est::binary_classification_head(
      {.weight_column = "w", .loss_reduction = tf::losses::Reduction::SUM});
  const auto loss = head->create_loss({{"w", column({2.0f, 0.0f})}}, Mode::kEval,
                                      column({0.0f, 5.0f}), labels({1, 0}));
  tf::Session session;
  EXPECT_NEAR(number(session, loss.training_loss), 2 * std::log(2.0), 1e-6);
}

TEST_F(Heads, ClassesHaveNames) {
  const auto head = est::multi_class_head(3, {.label_vocabulary = {"a", "b", "c"}});
  const auto spec = head->create_estimator_spec({.mode = Mode::kPredict, .logits = classes()});
  tf::Session session;
  start(session);
  const tf::Tensor names = session.run(spec.predictions.at("classes"));
  EXPECT_EQ(names.flat<std::string>()[0], "b");
  EXPECT_EQ(names.flat<std::string>()[1], "c");
}

TEST_F(Heads, ManyLabels) {
  const auto head = est::multi_label_head(3, {.classes_for_class_based_metrics = {1}});
  const auto truth = tf::constant(
      tf::Tensor::of<std::int64_t>({2, 3}, std::vector<std::int64_t>{1, 0, 1, 0, 1, 1}));
  const auto spec = head->create_estimator_spec(
      {.mode = Mode::kEval, .logits = classes(), .labels = {{"", truth}}});
  EXPECT_EQ(keys(measured(spec)),
            (Keys{"auc", "auc/class1", "auc_precision_recall", "auc_precision_recall/class1",
                  "average_loss", "probability_mean/class1"}));
}

TEST_F(Heads, RegressionOfCounts) {
  const auto head = est::poisson_regression_head({.compute_full_loss = false});
  const auto spec = head->create_estimator_spec({.mode = Mode::kPredict, .logits = column({1.0f})});
  tf::Session session;
  EXPECT_NEAR(
      number(session, tf::constant(session.run(spec.predictions.at("predictions")).reshaped({}))),
      std::exp(1.0f), 1e-5);
}

TEST_F(Heads, GatheringHeadsMeasure) {
  const auto head = est::BinaryClassHead();
  const auto spec = head->create_estimator_spec({.mode = Mode::kEval,
                                                 .logits = column({1.5f, -0.5f, 0.25f, 2.0f}),
                                                 .labels = labels({1, 0, 1, 0})});
  const auto values = measured(spec);
  EXPECT_FLOAT_EQ(values.at("accuracy"), 0.75f);
  EXPECT_FLOAT_EQ(values.at("accuracy_baseline"), 0.5f);
  EXPECT_EQ(values.size(), 9u);
}

TEST_F(Heads, GatheringHeadsGiveParts) {
  const auto head = est::MultiClassHead(3);
  const auto& parts = dynamic_cast<const est::HeadParts&>(*head);
  EXPECT_EQ(keys(parts.predictions(classes(), {"class_ids"})), (Keys{"class_ids"}));
  EXPECT_THROW(parts.predictions(classes(), {"nothing"}), rill::Error);
  EXPECT_EQ(parts.metrics().size(), 2u);
}

TEST_F(Heads, SeveralObjectives) {
  const auto head = est::multi_head(
      {est::binary_classification_head({.name = "b"}), est::regression_head({.name = "r"})},
      {1.0, 2.0});
  EXPECT_EQ(head->name(), "b_r");
  EXPECT_EQ(head->logits_dimension(), 2);
  const auto logits = tf::constant(tf::Tensor::of<float>({2, 2}, std::vector<float>{1, 2, 0, 1}));
  const auto spec = head->create_estimator_spec(
      {.mode = Mode::kEval,
       .logits = logits,
       .labels = {{"b", labels({1, 0}).at("")}, {"r", column({2.0f, 0.0f})}}});
  const auto values = measured(spec);
  EXPECT_FLOAT_EQ(values.at("loss/r"), 0.5f);
  tf::Session session;
  EXPECT_NEAR(number(session, spec.loss), values.at("loss/b") + 2 * values.at("loss/r"), 1e-5);
}

TEST_F(Heads, Refuse) {
  EXPECT_THROW(est::binary_classification_head({.thresholds = {1.0}}), rill::Error);
  EXPECT_THROW(est::multi_class_head(2), rill::Error);
  EXPECT_THROW(est::regression_head({.label_dimension = 0}), rill::Error);
  EXPECT_THROW(est::multi_head({}), rill::Error);
  EXPECT_THROW(est::multi_head({est::regression_head()}), rill::Error);
  const auto head = est::binary_classification_head();
  EXPECT_THROW(head->create_estimator_spec({.mode = Mode::kEval, .logits = column({1.0f})}),
               rill::Error);
  EXPECT_THROW(head->create_estimator_spec(
                   {.mode = Mode::kTrain, .logits = column({1.0f}), .labels = labels({1})}),
               rill::Error);
}

}  // namespace
