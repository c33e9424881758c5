"""The k-means estimator: a face of the model of C++."""

import numpy as np

from rill import _rill, metrics
from rill._hooks import CoreHook
from rill.estimator._estimator import Estimator
from rill.estimator._model_fn import EstimatorSpec
from rill.estimator.export import PredictOutput


class _CoreHook(CoreHook):
    def __init__(self, core):
        self._core = core


def _points(features, columns):
    from rill.feature_column import input_layer
    if not isinstance(features, dict):
        return features
    if columns:
        return input_layer(features, columns)
    return _rill.functions.concat([features[key] for key in sorted(features)], axis=1)


class KMeans(Estimator):
    """Clusters of points. Input functions give points alone; to train on all at once they give all of them, and
    `use_mini_batch` is False."""

    SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
    COSINE_DISTANCE = "cosine"
    RANDOM_INIT = "random"
    KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = "clusters"

    def __init__(self, num_clusters, model_dir=None, initial_clusters=RANDOM_INIT,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, seed=None, use_mini_batch=True,
                 mini_batch_steps_per_iteration=1, kmeans_plus_plus_num_retries=2, relative_tolerance=None, config=None,
                 feature_columns=None):
        if isinstance(initial_clusters, str) and initial_clusters not in (self.RANDOM_INIT, self.KMEANS_PLUS_PLUS_INIT):
            raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
        if distance_metric not in (self.SQUARED_EUCLIDEAN_DISTANCE, self.COSINE_DISTANCE):
            raise ValueError(f"Unsupported distance metric '{distance_metric}'")
        self._distance_metric = distance_metric

        def model_fn(features, mode, config):
            distances, index, loss, train_op, hooks = _rill.functions.contrib.factorization.kmeans_model(
                _points(features, feature_columns), num_clusters, initial_clusters, distance_metric, seed,
                use_mini_batch, mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries, relative_tolerance,
                config.is_chief)
            return EstimatorSpec(
                mode=mode, predictions={self.ALL_DISTANCES: distances, self.CLUSTER_INDEX: index}, loss=loss,
                train_op=train_op, eval_metric_ops={self.SCORE: metrics.mean(loss)},
                training_hooks=[_CoreHook(hook) for hook in hooks],
                export_outputs={self.ALL_DISTANCES: PredictOutput(distances), self.CLUSTER_INDEX: PredictOutput(index),
                                "serving_default": PredictOutput(index)})

        super().__init__(model_fn, model_dir, config)

    def _predicted(self, input_fn, key):
        for result in self.predict(input_fn, predict_keys=[key]):
            yield result[key]

    def predict_cluster_index(self, input_fn):
        """Yields the nearest center of each point."""
        yield from self._predicted(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn):
        """The sum of the (squared) distances of the points of one batch to their nearest centers."""
        return self.evaluate(input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn):
        """Yields the distances of each point to all centers."""
        for distances in self._predicted(input_fn, self.ALL_DISTANCES):
            squared = self._distance_metric == self.SQUARED_EUCLIDEAN_DISTANCE
            yield np.sqrt(distances) if squared else distances

    def cluster_centers(self):
        """The centers, one row each."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)
