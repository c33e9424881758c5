#include "rill/api/metrics/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/metrics/contrib.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using metrics::Metric;

class MetricsApi : public testing::Test {
 protected:
  // Counts once and returns the value.
  template <class T = float>
  T counted(const Metric& metric, const std::vector<Feed>& feeds = {}) {
    session_.run(local_variables_initializer());
    session_.run(metric.update_op, feeds);
    return session_.run(metric.value).template scalar_value<T>();
  }
  Output floats(std::initializer_list<float> values) {
    return constant(Tensor::vector<float>(values));
  }
  Output ints(std::initializer_list<std::int64_t> values) {
    return constant(Tensor::vector<std::int64_t>(values));
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
};

TEST_F(MetricsApi, mean_over_steps_and_reset) {
  const Output x = placeholder(DType::f32, {kUnknownDim});
  const Metric mean = metrics::mean(x);
  EXPECT_EQ(mean.value.name(), "mean/value:0");
  EXPECT_EQ(mean.update_op.name(), "mean/update_op:0");
  EXPECT_TRUE(global_variables().empty());
  ASSERT_EQ(local_variables().size(), 2u);
  EXPECT_EQ(local_variables()[0].name(), "mean/total:0");
  Node& reset = metrics::reset();
  session_.run(reset);
  const auto add = [&](std::initializer_list<float> batch) {
    return session_.run(mean.update_op, {{x, Tensor::vector<float>(batch)}}).scalar_value<float>();
  };
  EXPECT_FLOAT_EQ(add({1, 2}), 1.5f);
  EXPECT_FLOAT_EQ(add({6}), 3);
  EXPECT_FLOAT_EQ(session_.run(mean.value).scalar_value<float>(), 3);
  session_.run(reset);
  EXPECT_FLOAT_EQ(session_.run(mean.value).scalar_value<float>(), 0);
}

TEST_F(MetricsApi, reset_of_one_scope) {
  const Metric a = metrics::mean(floats({2}), {.name = "a"});
  const Metric b = metrics::mean(floats({4}), {.name = "b"});
  session_.run(local_variables_initializer());
  session_.run(std::vector<Output>{a.update_op, b.update_op});
  session_.run(metrics::reset("a"));
  EXPECT_FLOAT_EQ(session_.run(a.value).scalar_value<float>(), 0);
  EXPECT_FLOAT_EQ(session_.run(b.value).scalar_value<float>(), 4);
}

TEST_F(MetricsApi, errors) {
  const Output labels = floats({1, 2}), predictions = floats({3, 2});
  EXPECT_FLOAT_EQ(counted(metrics::mean_absolute_error(labels, predictions)), 1);
  EXPECT_FLOAT_EQ(counted(metrics::mean_squared_error(labels, predictions)), 2);
  EXPECT_FLOAT_EQ(counted(metrics::root_mean_squared_error(labels, predictions)), std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(counted(metrics::mean_relative_error(labels, predictions, floats({1, 4}))), 1);
  EXPECT_FLOAT_EQ(
      counted(metrics::mean_squared_error(labels, predictions, {.weights = floats({1, 3})})), 1);
  EXPECT_FLOAT_EQ(counted(metrics::percentage_below(labels, 1.5)), 0.5f);
  EXPECT_FLOAT_EQ(counted(metrics::accuracy(ints({1, 2, 3}), ints({1, 2, 0}))), 2.0f / 3);
}

TEST_F(MetricsApi, truths) {
  const Output labels = ints({1, 0, 1, 1}), predictions = ints({1, 1, 0, 1});
  EXPECT_FLOAT_EQ(counted(metrics::true_positives(labels, predictions)), 2);
  EXPECT_FLOAT_EQ(counted(metrics::true_negatives(labels, predictions)), 0);
  EXPECT_FLOAT_EQ(counted(metrics::false_positives(labels, predictions)), 1);
  EXPECT_FLOAT_EQ(counted(metrics::false_negatives(labels, predictions)), 1);
  EXPECT_FLOAT_EQ(counted(metrics::precision(labels, predictions)), 2.0f / 3);
  EXPECT_FLOAT_EQ(counted(metrics::recall(labels, predictions)), 2.0f / 3);
}

TEST_F(MetricsApi, thresholds_and_area) {
  const Output labels = ints({0, 0, 1, 1}), scores = floats({0.1f, 0.4f, 0.35f, 0.8f});
  EXPECT_NEAR(counted(metrics::auc(labels, scores)), 0.75f, 1e-3f);
  EXPECT_NEAR(counted(metrics::auc(labels, scores,
                                   {.curve = "PR", .summation_method = "careful_interpolation"})),
              0.83f, 0.05f);
  const Metric precision = metrics::precision_at_thresholds(labels, scores, {0.2, 0.5});
  session_.run(local_variables_initializer());
  session_.run(precision.update_op);
  const Tensor values = session_.run(precision.value);
  EXPECT_NEAR(values.data<float>()[0], 2.0f / 3, 1e-5f);
  EXPECT_NEAR(values.data<float>()[1], 1, 1e-5f);
  EXPECT_NEAR(counted(metrics::sensitivity_at_specificity(labels, scores, 1.0)), 0.5f, 1e-5f);
  EXPECT_NEAR(counted(metrics::specificity_at_sensitivity(labels, scores, 1.0)), 0.5f, 1e-5f);
  EXPECT_THROW(metrics::auc(labels, scores, {.curve = "XY"}), Error);
  EXPECT_THROW(metrics::auc(labels, scores, {.summation_method = "no"}), Error);
  EXPECT_THROW(metrics::sensitivity_at_specificity(labels, scores, 1.5), Error);
}

TEST_F(MetricsApi, classes_and_sets) {
  EXPECT_FLOAT_EQ(counted(metrics::mean_iou(ints({0, 1, 1}), ints({0, 1, 0}), 2)), 0.5f);
  EXPECT_FLOAT_EQ(counted(metrics::mean_per_class_accuracy(ints({0, 1, 1}), ints({0, 1, 0}), 2)),
                  0.75f);
  const Output labels = constant(Tensor::of<std::int64_t>({2, 1}, {1, 0}));
  const Output scores = constant(Tensor::of<float>({2, 3}, {0.1f, 0.6f, 0.3f, 0.2f, 0.5f, 0.3f}));
  EXPECT_DOUBLE_EQ(counted<double>(metrics::precision_at_k(labels, scores, 1)), 0.5);
  EXPECT_DOUBLE_EQ(counted<double>(metrics::recall_at_k(labels, scores, 1, {.class_id = 1})), 1);
  EXPECT_DOUBLE_EQ(counted<double>(metrics::average_precision_at_k(labels, scores, 3)),
                   (1 + 1.0 / 3) / 2);
  EXPECT_THROW(metrics::average_precision_at_k(labels, scores, 0), Error);
}

TEST_F(MetricsApi, collections_are_told) {
  const Metric mean =
      metrics::mean(floats({1}), {.metrics_collections = {"m"}, .updates_collections = {"u", "v"}});
  EXPECT_EQ(get_tensor_collection("m"), std::vector<Output>{mean.value});
  EXPECT_EQ(get_tensor_collection("v"), std::vector<Output>{mean.update_op});
}

TEST_F(MetricsApi, contributed) {
  namespace contributed = contrib::metrics;
  const Output x = floats({1, 2, 3}), y = floats({2, 4, 7});
  EXPECT_NEAR(counted(contributed::streaming_covariance(x, y)), 2.5f, 1e-5f);
  EXPECT_NEAR(counted(contributed::streaming_pearson_correlation(x, y)), 0.99339927f, 1e-5f);
  EXPECT_FLOAT_EQ(counted(contributed::count(x)), 3);
  EXPECT_NEAR(counted(contributed::f1_score(ints({0, 0, 1, 1}), floats({0.1f, 0.4f, 0.35f, 0.8f}))),
              0.8f, 1e-4f);
  const Output accuracy = contributed::accuracy(ints({1, 2}), ints({1, 1}));
  EXPECT_FLOAT_EQ(session_.run(accuracy).scalar_value<float>(), 0.5f);
  EXPECT_THROW(contributed::accuracy(x, y), Error);
}

TEST_F(MetricsApi, contributed_rates) {
  namespace contributed = contrib::metrics;
  const Output labels = ints({1, 0, 1, 0}), predictions = ints({1, 1, 0, 1});
  EXPECT_FLOAT_EQ(counted(contributed::streaming_false_positive_rate(predictions, labels)), 1);
  EXPECT_FLOAT_EQ(counted(contributed::streaming_false_negative_rate(predictions, labels)), 0.5f);
  EXPECT_DOUBLE_EQ(counted<double>(contributed::cohen_kappa(labels, labels, 2)), 1);
  EXPECT_DOUBLE_EQ(counted<double>(contributed::cohen_kappa(labels, predictions, 2)), -0.5);
}

TEST_F(MetricsApi, everything_so_far) {
  const Output x = placeholder(DType::f32, {kUnknownDim, 1});
  const Metric all = contrib::metrics::streaming_concat(x, {.max_size = 4});
  session_.run(metrics::reset());
  const auto add = [&](std::initializer_list<float> batch) {
    const Tensor rows = Tensor::of<float>({static_cast<std::int64_t>(batch.size()), 1}, batch);
    return session_.run(all.update_op, {{x, rows}}).scalar_value<std::int32_t>();
  };
  EXPECT_EQ(add({1, 2, 3}), 3);
  EXPECT_EQ(add({4, 5}), 4);
  const Tensor found = session_.run(all.value);
  EXPECT_EQ(found.shape(), (Shape{4, 1}));
  EXPECT_EQ(found.data<float>()[3], 4);
}

}  // namespace
}  // namespace rill
