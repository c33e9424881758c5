"""tf.contrib.factorization: clusters."""

from rill import _rill
from rill.estimator import _kmeans

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"
RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"


class KMeans:
    """k-means over the rows of a matrix, or of several."""

    def __init__(self, inputs, num_clusters, initial_clusters=RANDOM_INIT, distance_metric=SQUARED_EUCLIDEAN_DISTANCE,
                 use_mini_batch=False, mini_batch_steps_per_iteration=1, random_seed=0,
                 kmeans_plus_plus_num_retries=2, kmc2_chain_length=200):
        self._inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        self._num_clusters = num_clusters
        self._settings = (initial_clusters, distance_metric, use_mini_batch, mini_batch_steps_per_iteration,
                          random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length)

    def training_graph(self):
        """The distances to all centers, the nearest centers and the distances to them, each a tuple with a tensor for
        each input; whether centers are chosen; the operations that choose and that move them."""
        return _rill.functions.contrib.factorization.kmeans_training_graph(self._inputs, self._num_clusters,
                                                                           *self._settings)


class KMeansClustering(_kmeans.KMeans):
    """Clusters of points as an estimator; the first centers are the same in every run."""

    def __init__(self, num_clusters, model_dir=None, initial_clusters=RANDOM_INIT,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, random_seed=0, use_mini_batch=True,
                 mini_batch_steps_per_iteration=1, kmeans_plus_plus_num_retries=2, relative_tolerance=None, config=None,
                 feature_columns=None):
        super().__init__(num_clusters, model_dir, initial_clusters, distance_metric, random_seed, use_mini_batch,
                         mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries, relative_tolerance, config,
                         feature_columns)
