// k-means: tf.contrib.factorization.KMeans and what its estimator is made of.
#include <nanobind/stl/shared_ptr.h>

#include "call.h"
#include "inputs.h"
#include "kept.h"
#include "rill/api/estimator/canned/kmeans.h"
#include "train_inputs.h"
#include "variables.h"

namespace rill::python {
namespace {

namespace factorization = contrib::factorization;

nb::tuple tuple_of(const std::vector<Output>& outputs) { return nb::tuple(give(outputs)); }

factorization::InitialClusters initial_clusters_of(const Call& c) {
  const nb::handle given = c["initial_clusters"];
  if (PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr())) return c.text("initial_clusters");
  if (!PyCallable_Check(given.ptr()) || is_tensor(given) || is_variable(given))
    return c.input("initial_clusters", DType::f32);
  return factorization::FirstCenters(
      [held = keep(given)](const std::vector<Output>& inputs, Output wanted) {
        return converted_tensor(kept(held)(give(inputs), give(wanted)), "initial_clusters");
      });
}

// What both kinds of k-means are told.
factorization::KMeansOptions options_of(const Call& c) {
  return {.initial_clusters = initial_clusters_of(c),
          .distance_metric = c.text("distance_metric"),
          .use_mini_batch = c.flag("use_mini_batch"),
          .mini_batch_steps_per_iteration = c.integer("mini_batch_steps_per_iteration"),
          .random_seed = c.optional_integer("random_seed"),
          .kmeans_plus_plus_num_retries = c.integer("kmeans_plus_plus_num_retries")};
}

nb::object training_graph(const Call& c) {
  factorization::KMeansOptions options = options_of(c);
  options.kmc2_chain_length = c.integer("kmc2_chain_length");
  std::vector<Output> inputs;
  for (const Input& input : c.inputs("inputs")) inputs.push_back(as_tensor(input, "inputs"));
  const factorization::KMeansTraining graph =
      factorization::KMeans(inputs, c.input("num_clusters"), options).training_graph();
  return nb::make_tuple(tuple_of(graph.all_scores), tuple_of(graph.cluster_idx),
                        tuple_of(graph.scores), give(graph.cluster_centers_initialized),
                        give(graph.init_op), give(graph.training_op));
}

nb::object model(const Call& c) {
  const factorization::KMeansOptions o = options_of(c);
  std::optional<double> tolerance;
  if (c.has("relative_tolerance")) tolerance = c.number("relative_tolerance");
  const estimator::KMeansModel found =
      estimator::kmeans_model(as_tensor(c.input("points"), "points"),
                              {.num_clusters = c.integer("num_clusters"),
                               .initial_clusters = o.initial_clusters,
                               .distance_metric = o.distance_metric,
                               .seed = o.random_seed,
                               .use_mini_batch = o.use_mini_batch,
                               .mini_batch_steps_per_iteration = o.mini_batch_steps_per_iteration,
                               .kmeans_plus_plus_num_retries = o.kmeans_plus_plus_num_retries,
                               .relative_tolerance = tolerance},
                              c.flag("is_chief"));
  nb::list hooks;
  for (const train::HookRef& hook : found.training_hooks) hooks.append(nb::cast(hook));
  return nb::make_tuple(give(found.all_distances), give(found.cluster_index), give(found.loss),
                        give(found.train_op), hooks);
}

constexpr Function kFunctions[] = {
    {"contrib.factorization.kmeans_training_graph(inputs, num_clusters, initial_clusters, "
     "distance_metric, use_mini_batch, mini_batch_steps_per_iteration, random_seed, "
     "kmeans_plus_plus_num_retries, kmc2_chain_length)",
     training_graph,
     "What k-means is made of: scores, and operations that choose and move centers."},
    {"contrib.factorization.kmeans_model(points, num_clusters, initial_clusters, distance_metric, "
     "random_seed, use_mini_batch, mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries, "
     "relative_tolerance, is_chief)",
     model, "The model of the k-means estimator."},
};

}  // namespace

void bind_clustering() { add_functions(kFunctions); }

}  // namespace rill::python
