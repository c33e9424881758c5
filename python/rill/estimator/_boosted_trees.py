"""tf.estimator's boosted trees: faces of the model of C++."""

import collections

from rill import _rill, losses
from rill._hooks import CoreHook
from rill.estimator._estimator import Estimator
from rill.estimator._head_parts import _regression_head, binary_classification_head

_MEAN = losses.Reduction.SUM_OVER_NONZERO_WEIGHTS
_UNSET = object()


class _StopAtAttemptsHook(CoreHook):
    """Ends training when there are enough trees."""

    def __init__(self, model):
        self._core = model.stop_hook()


def _model_fn(features, labels, mode, head, columns, settings, explained=False):
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
    model = _rill.make_boosted_trees(features, mode, columns, settings)
    spec = head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=model.logits,
                                      train_op_fn=model.train)
    if mode == "train":
        spec = spec._replace(training_hooks=[*(spec.training_hooks or ()), _StopAtAttemptsHook(model)])
    if explained:
        spec = spec._replace(predictions=dict(spec.predictions, boosted_trees_path=model.debug_outputs()))
    return spec


class _BoostedTrees(Estimator):
    """What the three have in common."""

    _sigmoid = False

    def _start(self, head, feature_columns, model_dir, config, **settings):
        self._columns, self._tree_head, self._settings = list(feature_columns), head, settings
        super().__init__(self._made(False), model_dir, config)

    def _made(self, explained):
        head, columns, settings = self._tree_head, self._columns, self._settings

        def model_fn(features, labels, mode, config):
            return _model_fn(features, labels, mode, head, columns, settings, explained)

        return model_fn

    def experimental_feature_importances(self, normalize=False):
        """By how much splits by each feature lowered the loss: an OrderedDict, the largest first."""
        checkpoint = self.latest_checkpoint()
        if not checkpoint:
            raise ValueError(f"Could not find trained model in model_dir: {self.model_dir}.")
        from rill import train
        ensemble = train.load_variable(checkpoint, "boosted_trees:0_serialized")
        names = _rill.boosted_trees_feature_names(self._columns)
        return collections.OrderedDict(_rill.boosted_trees_importances(bytes(ensemble), names, normalize))

    def experimental_predict_with_explanations(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None):
        """Predictions, each with the `bias` that it began with and by how much each feature moved it (`dfc`)."""
        explained = Estimator(self._made(True), self.model_dir, self.config)
        names = _rill.boosted_trees_feature_names(self._columns)
        keys = predict_keys and [*predict_keys, "boosted_trees_path"]
        for prediction in explained.predict(input_fn, keys, hooks, checkpoint_path):
            bias, moved = _rill.boosted_trees_explanation(bytes(prediction.pop("boosted_trees_path")), names,
                                                          self._sigmoid)
            prediction["bias"], prediction["dfc"] = bias, collections.OrderedDict(moved)
            yield prediction


def _settings(n_batches_per_layer, n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
              tree_complexity, min_node_weight, center_bias, pruning_mode, train_in_memory=False):
    if train_in_memory and n_batches_per_layer != 1:
        raise ValueError("When train_in_memory is enabled, input_fn should return the entire dataset as a single "
                         "batch, and n_batches_per_layer should be set as 1.")
    return {"n_batches_per_layer": n_batches_per_layer, "n_trees": n_trees, "max_depth": max_depth,
            "learning_rate": learning_rate, "l1_regularization": l1_regularization,
            "l2_regularization": l2_regularization, "tree_complexity": tree_complexity,
            "min_node_weight": min_node_weight, "center_bias": center_bias, "pruning_mode": pruning_mode}


class BoostedTreesClassifier(_BoostedTrees):
    """Boosted trees that tell two classes apart."""

    _sigmoid = True

    def __init__(self, feature_columns, n_batches_per_layer, model_dir=None, n_classes=_UNSET, weight_column=None,
                 label_vocabulary=None, n_trees=100, max_depth=6, learning_rate=0.1, l1_regularization=0.,
                 l2_regularization=0., tree_complexity=0., min_node_weight=0., config=None, center_bias=False,
                 pruning_mode="none", quantile_sketch_epsilon=0.01, train_in_memory=False):
        if n_classes not in (_UNSET, 2):
            raise ValueError("Multi-class classification is not supported by boosted trees, n_classes must be 2.")
        self._start(binary_classification_head(weight_column, None, label_vocabulary, _MEAN), feature_columns,
                    model_dir, config,
                    **_settings(n_batches_per_layer, n_trees, max_depth, learning_rate, l1_regularization,
                                l2_regularization, tree_complexity, min_node_weight, center_bias, pruning_mode,
                                train_in_memory))


class BoostedTreesRegressor(_BoostedTrees):
    """Boosted trees that tell a number."""

    def __init__(self, feature_columns, n_batches_per_layer, model_dir=None, label_dimension=_UNSET,
                 weight_column=None, n_trees=100, max_depth=6, learning_rate=0.1, l1_regularization=0.,
                 l2_regularization=0., tree_complexity=0., min_node_weight=0., config=None, center_bias=False,
                 pruning_mode="none", quantile_sketch_epsilon=0.01, train_in_memory=False):
        if label_dimension not in (_UNSET, 1):
            raise ValueError("Only labels of one dimension are supported by boosted trees, label_dimension must be 1.")
        self._start(_regression_head(weight_column, 1, _MEAN), feature_columns, model_dir, config,
                    **_settings(n_batches_per_layer, n_trees, max_depth, learning_rate, l1_regularization,
                                l2_regularization, tree_complexity, min_node_weight, center_bias, pruning_mode,
                                train_in_memory))


class BoostedTreesEstimator(_BoostedTrees):
    """Boosted trees with a head of the program's, of one logit."""

    def __init__(self, feature_columns, n_batches_per_layer, head, model_dir=None, weight_column=None, n_trees=100,
                 max_depth=6, learning_rate=0.1, l1_regularization=0., l2_regularization=0., tree_complexity=0.,
                 min_node_weight=0., config=None, center_bias=False, pruning_mode="none",
                 quantile_sketch_epsilon=0.01):
        if head.logits_dimension != 1:
            raise ValueError(f"Boosted trees have one logit, the head wants {head.logits_dimension}.")
        self._start(head, feature_columns, model_dir, config,
                    **_settings(n_batches_per_layer, n_trees, max_depth, learning_rate, l1_regularization,
                                l2_regularization, tree_complexity, min_node_weight, center_bias, pruning_mode))
