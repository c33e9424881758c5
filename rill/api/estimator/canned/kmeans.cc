#include "rill/api/estimator/canned/kmeans.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "rill/api/array/joining.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/session.h"
#include "rill/api/feature_column/input_layer.h"
#include "rill/api/math/reduce.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/global_step.h"
#include "rill/api/variables/state_ops.h"

namespace rill::estimator {
namespace {

// The chief chooses centers until there are all; others wait for that. Steps are counted as they
// begin, so that the one that meets the end of the input counts, too: in TensorFlow the counter
// does not wait for points, and a training whose only batch went into choosing centers is saved.
class ChooseCentersHook : public train::SessionRunHook {
 public:
  ChooseCentersHook(const contrib::factorization::KMeansTraining& graph, Output count_step,
                    bool is_chief)
      : initialized_(graph.cluster_centers_initialized),
        init_(graph.init_op),
        count_step_(count_step),
        is_chief_(is_chief) {}

  void after_create_session(Session& session, train::Coordinator& coordinator) override {
    while (!session.run(initialized_.snapshot()).scalar_value<bool>() &&
           !coordinator.should_stop()) {
      if (is_chief_)
        session.run(init_);
      else
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }
  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext& context) override {
    context.session().run(count_step_);
    return {};
  }

 private:
  Variable initialized_;
  Output init_, count_step_;
  bool is_chief_;
};

class StopAtSmallChangeHook : public train::SessionRunHook {
 public:
  StopAtSmallChangeHook(Output loss, double tolerance) : loss_(loss), tolerance_(tolerance) {}

  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override {
    return train::SessionRunArgs{.fetches = {loss_}};
  }
  void after_run(train::SessionRunContext& context,
                 const train::SessionRunValues& values) override {
    const double loss = values.results.at(0).scalar_value<float>();
    if (before_ != 0 && std::fabs(loss - before_) / (1 + std::fabs(before_)) < tolerance_)
      context.request_stop();
    before_ = loss;
  }

 private:
  Output loss_;
  double tolerance_, before_ = 0;
};

EstimatorSpec spec_of(const KMeansModel& model, Mode mode) {
  const auto served = [](Output value) { return PredictOutput{{{"output", value}}}; };
  return {.mode = mode,
          .predictions = {{KMeans::ALL_DISTANCES, model.all_distances},
                          {KMeans::CLUSTER_INDEX, model.cluster_index}},
          .loss = model.loss,
          .train_op = model.train_op,
          .eval_metric_ops = {{KMeans::SCORE, metrics::mean(model.loss)}},
          .export_outputs = {{KMeans::ALL_DISTANCES, served(model.all_distances)},
                             {KMeans::CLUSTER_INDEX, served(model.cluster_index)},
                             {"serving_default", served(model.cluster_index)}},
          .training_hooks = model.training_hooks};
}

void check(const KMeansSettings& s) {
  if (const auto* kind = std::get_if<std::string>(&s.initial_clusters))
    require(*kind == KMeans::RANDOM_INIT || *kind == KMeans::KMEANS_PLUS_PLUS_INIT,
            "Unsupported initialization algorithm '", *kind, "'");
  require(s.distance_metric == KMeans::SQUARED_EUCLIDEAN_DISTANCE ||
              s.distance_metric == KMeans::COSINE_DISTANCE,
          "Unsupported distance metric '", s.distance_metric, "'");
}

ModelFn model_fn_of(const Columns& columns, const KMeansSettings& settings) {
  check(settings);
  return [columns, settings](const InputBatch& batch, Mode mode, const RunConfig& config) {
    return spec_of(kmeans_model(kmeans_points(batch.features, columns), settings, config.is_chief),
                   mode);
  };
}

}  // namespace

KMeansModel kmeans_model(Output points, const KMeansSettings& s, bool is_chief) {
  contrib::factorization::KMeans core(
      {points}, s.num_clusters,
      {.initial_clusters = s.initial_clusters,
       .distance_metric = s.distance_metric,
       .use_mini_batch = s.use_mini_batch,
       .mini_batch_steps_per_iteration = s.mini_batch_steps_per_iteration,
       .random_seed = s.seed,
       .kmeans_plus_plus_num_retries = s.kmeans_plus_plus_num_retries});
  const auto graph = core.training_graph();
  KMeansModel model{.all_distances = graph.all_scores[0], .cluster_index = graph.cluster_idx[0]};
  model.loss = reduce_sum(graph.scores[0]);
  summaries::scalar("loss/raw", model.loss);
  const Output counted = train::get_global_step().assign_add(1);
  model.train_op = with_dependencies({&graph.training_op.node()}, model.loss);
  model.training_hooks = {std::make_shared<ChooseCentersHook>(graph, counted, is_chief)};
  if (s.relative_tolerance)
    model.training_hooks.push_back(
        std::make_shared<StopAtSmallChangeHook>(model.loss, *s.relative_tolerance));
  return model;
}

Output kmeans_points(const Features& features, const Columns& columns) {
  if (const auto lone = features.find(""); lone != features.end()) return lone->second.tensor();
  if (!columns.empty()) return feature_column::input_layer(features, columns);
  Inputs parts;
  for (const auto& [name, feature] : features) parts.emplace_back(feature.tensor());
  require(!parts.empty(), "KMeans needs features.");
  return concat(parts, 1);
}

KMeans::KMeans(std::int64_t num_clusters, const KMeansOptions& options)
    : Estimator(model_fn_of(options.feature_columns,
                            [&] {
                              KMeansSettings settings = options.clusters;
                              settings.num_clusters = num_clusters;
                              return settings;
                            }()),
                {.model_dir = options.model_dir, .config = options.config}),
      squared_(options.clusters.distance_metric == SQUARED_EUCLIDEAN_DISTANCE) {}

std::vector<Tensor> KMeans::predictions(const InputFn& input_fn, const char* key) {
  Predictions all = predict(input_fn, {.predict_keys = {key}});
  std::vector<Tensor> found;
  while (const auto one = all.next()) found.push_back(one->at(key));
  return found;
}

std::vector<std::int64_t> KMeans::predict_cluster_index(const InputFn& input_fn) {
  std::vector<std::int64_t> found;
  for (const Tensor& one : predictions(input_fn, CLUSTER_INDEX))
    found.push_back(one.scalar_value<std::int64_t>());
  return found;
}

std::vector<Tensor> KMeans::transform(const InputFn& input_fn) {
  std::vector<Tensor> found = predictions(input_fn, ALL_DISTANCES);
  if (!squared_) return found;
  for (Tensor& distances : found) {
    Tensor roots(DType::f32, distances.shape());
    const auto from = distances.flat<float>();
    const auto to = roots.flat<float>();
    for (std::int64_t i = 0; i < roots.element_count(); ++i) to[i] = std::sqrt(from[i]);
    distances = roots;
  }
  return found;
}

float KMeans::score(const InputFn& input_fn) {
  return evaluate(input_fn, {.steps = 1}).at(SCORE).scalar_value<float>();
}

}  // namespace rill::estimator
