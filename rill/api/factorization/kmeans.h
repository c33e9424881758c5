#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/training/session_run_hook.h"
#include "rill/api/variables/variable.h"

// Clusters as in tf.contrib.factorization: nodes and variables are TensorFlow's, and so are the
// first centers for the same seed.
namespace rill::contrib::factorization {

inline constexpr const char *SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean",
                            *COSINE_DISTANCE = "cosine", *RANDOM_INIT = "random",
                            *KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus", *KMC2_INIT = "kmc2";

// Where centers begin: RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT; the centers, one row each; or
// a function of the inputs and of how many are still wanted, which gives some of them.
using FirstCenters = std::function<Output(const std::vector<Output>& inputs, Output wanted)>;
using InitialClusters = std::variant<std::string, Input, FirstCenters>;

struct KMeansOptions {
  InitialClusters initial_clusters = std::string(RANDOM_INIT);
  std::string distance_metric = SQUARED_EUCLIDEAN_DISTANCE;
  // Whether inputs are a part of all points: then centers move by the mean of what they have seen.
  bool use_mini_batch = false;
  std::int64_t mini_batch_steps_per_iteration = 1;  // until moved centers are the ones that count
  std::optional<std::int64_t> random_seed = 0;      // none: random choices differ in every session
  std::int64_t kmeans_plus_plus_num_retries = 2;
  std::int64_t kmc2_chain_length = 200;
};

struct KMeansTraining {
  // For each input: distances to all centers; the nearest one; the distance to it.
  std::vector<Output> all_scores = {}, cluster_idx = {}, scores = {};
  Variable cluster_centers_initialized = {};
  Output init_op = {};  // chooses centers, in several runs where one has too few points
  train::Runnable training_op = {};
  Variable cluster_centers = {};  // no rows at first
};

// k-means over rows of float32 matrices, in the default graph.
//
//   contrib::factorization::KMeans kmeans({points}, 3, {.use_mini_batch = true});
//   const auto graph = kmeans.training_graph();
//   sess.run(global_variables_initializer());
//   sess.run(graph.init_op);
//   for (int step = 0; step < 50; ++step) sess.run(graph.training_op);
//
// Throws InvalidArgument for other names of distances and initial clusters than those above.
class KMeans {
 public:
  KMeans(std::vector<Output> inputs, Input num_clusters, KMeansOptions options = {},
         std::source_location at = std::source_location::current());
  KMeansTraining training_graph(std::source_location at = std::source_location::current());

 private:
  struct Scored;
  struct Centers;
  bool is_cosine() const { return options_.distance_metric == COSINE_DISTANCE; }
  bool centers_are_normalized() const;
  Centers make_variables(Output count) const;
  Scored score(const Centers& centers) const;
  train::Runnable train_on_all(const Centers& centers, const Scored& scored) const;
  train::Runnable train_on_batch(const Centers& centers, const Scored& scored) const;
  std::optional<Output> take_over(const Centers& centers) const;

  std::vector<Output> inputs_;
  Input num_clusters_;
  KMeansOptions options_;
};

}  // namespace rill::contrib::factorization
