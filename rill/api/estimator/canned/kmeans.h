#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/estimator/canned/canned.h"
#include "rill/api/factorization/kmeans.h"

namespace rill::estimator {

using contrib::factorization::InitialClusters;

struct KMeansSettings {
  std::int64_t num_clusters = 0;
  InitialClusters initial_clusters = std::string("random");
  std::string distance_metric = "squared_euclidean";
  std::optional<std::int64_t> seed = {};
  bool use_mini_batch = true;
  std::int64_t mini_batch_steps_per_iteration = 1;
  std::int64_t kmeans_plus_plus_num_retries = 2;
  // Training ends when the loss of a step differs by less of it from that of the step before.
  std::optional<double> relative_tolerance = {};
};

// Clusters of the rows of `points` in the default graph, which has a global step.
struct KMeansModel {
  Output all_distances = {}, cluster_index = {};
  Output loss = {};  // the sum of the distances of points to their centers
  train::Runnable train_op = {};
  std::vector<HookRef> training_hooks = {};
};
KMeansModel kmeans_model(Output points, const KMeansSettings& settings, bool is_chief);
// Several features beside each other, by name, or as columns say; a lone one as it is.
Output kmeans_points(const Features& features, const Columns& columns);

struct KMeansOptions {
  std::string model_dir = {};
  std::optional<RunConfig> config = {};
  Columns feature_columns = {};
  KMeansSettings clusters = {};
};

// k-means. Input functions give no labels; to train on all points at once, they give all of them
// and use_mini_batch is false.
class KMeans : public Estimator {
 public:
  static constexpr const char *SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean",
                              *COSINE_DISTANCE = "cosine", *RANDOM_INIT = "random",
                              *KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus", *SCORE = "score",
                              *CLUSTER_INDEX = "cluster_index", *ALL_DISTANCES = "all_distances",
                              *CLUSTER_CENTERS_VAR_NAME = "clusters";

  // Throws InvalidArgument for an unknown distance or initialization.
  explicit KMeans(std::int64_t num_clusters, const KMeansOptions& options = {});

  std::vector<std::int64_t> predict_cluster_index(const InputFn& input_fn);
  // Distances of each point to all centers; their roots where the metric is of squares.
  std::vector<Tensor> transform(const InputFn& input_fn);
  // The sum of the (squared) distances of the first batch to its centers.
  float score(const InputFn& input_fn);
  Tensor cluster_centers() const { return get_variable_value(CLUSTER_CENTERS_VAR_NAME); }

 private:
  std::vector<Tensor> predictions(const InputFn& input_fn, const char* key);
  bool squared_ = true;
};

}  // namespace rill::estimator
