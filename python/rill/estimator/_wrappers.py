"""Wrappers of estimators and optimizers: tf.contrib.estimator's clip_gradients_by_norm and forward_features."""

from rill import _surface
from rill.estimator._estimator import Estimator
from rill.estimator._model_fn import EstimatorSpec
from rill.train import Optimizer


class _Clipped(Optimizer):
    """An optimizer whose gradients are changed before they are applied."""

    def __init__(self, optimizer, change, name):
        super().__init__(use_locking=False, name=name)
        self._optimizer, self._change = optimizer, change

    def compute_gradients(self, *args, **kwargs):
        """The gradients, not changed yet."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Changes the gradients, then applies them."""
        return self._optimizer.apply_gradients(self._change(grads_and_vars), global_step=global_step, name=name)

    def get_slot(self, *args, **kwargs):
        """A slot of the optimizer inside."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        """The slots of the optimizer inside."""
        return self._optimizer.get_slot_names(*args, **kwargs)


def clip_gradients_by_norm(optimizer, clip_norm):
    """An optimizer that clips the norm of all gradients together."""
    def clipped(grads_and_vars):
        gradients, variables = zip(*grads_and_vars)
        gradients, _ = _surface._find("clip_by_global_norm")(list(gradients), clip_norm)
        return list(zip(gradients, variables))

    return _Clipped(optimizer, clipped, f"ClipByNorm{optimizer.get_name()}")


def forward_features(estimator, keys=None, sparse_default_values=None):
    """An estimator whose predictions hold some of the features as well."""
    for key in keys or []:
        if not isinstance(key, str):
            raise TypeError(f"keys should be str, given: {key}")

    def forwarded(features, predictions):
        for key in keys or list(features):
            if key not in features:
                raise ValueError(f"keys should be exist in features. Key \"{key}\" is not in features dict. features "
                                 f"dict has following keys: {list(features)}.")
            if key in predictions:
                raise ValueError(f"Cannot forward feature key ({key}). Since it does exist in predictions. Existing "
                                 f"prediction keys: {list(predictions)}. Please rename your features.")
            feature = features[key]
            if hasattr(feature, "dense_shape"):
                default = (sparse_default_values or {}).get(key)
                feature = _surface._find("sparse.to_dense")(feature, default_value=default)
            predictions[key] = feature
        return predictions

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if not isinstance(spec.predictions, dict):
            raise ValueError("Predictions should be a dict to be able to forward features. Given: "
                             f"{type(spec.predictions)}")
        more = {key: value for key, value in features.items()}
        return EstimatorSpec(**{**spec._asdict(), "predictions": forwarded(more, dict(spec.predictions))})

    return Estimator(model_fn, estimator.model_dir, estimator.config)
