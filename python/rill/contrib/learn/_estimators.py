"""The estimators of tf.contrib.learn: fit, evaluate and predict over arrays or input functions."""

import numpy as np

from rill import estimator as tf_estimator
from rill.contrib._feature_columns import LONE
from rill.contrib.learn._parts import ModelFnOps
from rill.estimator import _canned, _head_parts, _models


class Evaluable:
    """What can be evaluated."""


class Trainable:
    """What can be trained."""


def _columns(feature_columns):
    return list(feature_columns or [])


def _as_dict(x):
    return {LONE: np.asarray(x)} if not isinstance(x, dict) else {key: np.asarray(value) for key, value in x.items()}


def _array_input(x, y, batch_size, epochs, shuffle):
    features = _as_dict(x)
    count = len(next(iter(features.values())))
    return tf_estimator.inputs.numpy_input_fn(features, None if y is None else np.asarray(y),
                                              batch_size=batch_size or min(count, 128), num_epochs=epochs,
                                              shuffle=shuffle)


def _named(input_fn):
    """An input function whose lone tensor of features has a name."""
    def named():
        given = input_fn()
        features, labels = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        features = features if isinstance(features, dict) else {LONE: features}
        return features if labels is None else (features, labels)

    return named


def _as_hooks(monitors):
    from rill._session_run_hook import SessionRunHook
    return [monitor for monitor in monitors or [] if isinstance(monitor, SessionRunHook)]


class BaseEstimator(Evaluable, Trainable):
    """Trains, evaluates and predicts with an estimator of tf.estimator."""

    def __init__(self, estimator):
        self._inner = estimator

    @property
    def model_dir(self):
        """Where checkpoints are."""
        return self._inner.model_dir

    @property
    def config(self):
        """The configuration."""
        return self._inner.config

    def fit(self, x=None, y=None, input_fn=None, steps=None, batch_size=None, monitors=None, max_steps=None):
        """Trains; returns the estimator."""
        if (x is None) == (input_fn is None):
            raise ValueError("Either x or input_fn must be provided.")
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        given = _named(input_fn) if input_fn else _array_input(x, y, batch_size, None, True)
        self._inner.train(given, hooks=_as_hooks(monitors), steps=steps, max_steps=max_steps)
        return self

    def partial_fit(self, x=None, y=None, input_fn=None, steps=1, batch_size=None, monitors=None):
        """Trains on."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(self, x=None, y=None, input_fn=None, feed_fn=None, batch_size=None, steps=None, metrics=None,
                 name=None, checkpoint_path=None, hooks=None, log_progress=True):
        """The metrics of the model."""
        if (x is None) == (input_fn is None):
            raise ValueError("Either x or input_fn must be provided.")
        given = _named(input_fn) if input_fn else _array_input(x, y, batch_size, 1, False)
        inner = self._inner if not metrics else self._with(metrics)
        return inner.evaluate(given, steps=steps, hooks=hooks, checkpoint_path=checkpoint_path, name=name)

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True, iterate_batches=False):
        """The predictions, one by one or all together."""
        given = _named(input_fn) if input_fn else _array_input(x, None, batch_size, 1, False)
        found = self._inner.predict(given, predict_keys=outputs, yield_single_examples=not iterate_batches)
        if as_iterable:
            return found
        rows = list(found)
        if rows and isinstance(rows[0], dict):
            return {key: np.array([row[key] for row in rows]) for key in rows[0]}
        return np.array(rows)

    def _with(self, metrics):
        """The estimator with further metrics."""
        inner = self._inner

        def model_fn(features, labels, mode, config):
            spec = inner.model_fn(features, labels, mode, config)
            if mode != tf_estimator.ModeKeys.EVAL:
                return spec
            more = {key: metric.create_metric_ops(features, labels, spec.predictions)
                    for key, metric in metrics.items()}
            return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **more})

        return tf_estimator.Estimator(model_fn, inner.model_dir, inner.config)

    def get_variable_names(self):
        """The names of all variables in the latest checkpoint."""
        return self._inner.get_variable_names()

    def get_variable_value(self, name):
        """The value of a variable in the latest checkpoint."""
        return self._inner.get_variable_value(name)

    def export_savedmodel(self, export_dir_base, serving_input_fn, default_output_alternative_key=None,
                          assets_extra=None, as_text=False, checkpoint_path=None, graph_rewrite_specs=None,
                          strip_default_attrs=False):
        """Writes a SavedModel; its path."""
        def receiver():
            given = serving_input_fn()
            if hasattr(given, "default_inputs"):
                return tf_estimator.export.ServingInputReceiver(given.features, given.default_inputs)
            return given

        return self._inner.export_savedmodel(export_dir_base, receiver, assets_extra=assets_extra, as_text=as_text,
                                             checkpoint_path=checkpoint_path, strip_default_attrs=strip_default_attrs)


class Estimator(BaseEstimator):
    """A model function that gives ModelFnOps, or predictions, loss and the operation that trains."""

    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, feature_engineering_fn=None):
        import inspect
        names = inspect.signature(model_fn).parameters

        def call(features, labels, mode, config):
            if set(features) == {LONE}:
                features = features[LONE]
            if feature_engineering_fn:
                features, labels = feature_engineering_fn(features, labels)
            more = {"mode": mode, "params": params, "config": config, "model_dir": self.model_dir}
            made = model_fn(features, labels, **{key: value for key, value in more.items() if key in names})
            return _spec_of(made, mode)

        super().__init__(tf_estimator.Estimator(call, model_dir, config))


def _spec_of(made, mode):
    if isinstance(made, tf_estimator.EstimatorSpec):
        return made
    if not isinstance(made, ModelFnOps):
        made = ModelFnOps(mode, *made)
    parts = {key: value for key, value in made._asdict().items() if key != "output_alternatives"}
    if mode != tf_estimator.ModeKeys.EVAL:
        parts.pop("eval_metric_ops")
    if mode != tf_estimator.ModeKeys.TRAIN:
        parts["train_op"] = None
    if mode == tf_estimator.ModeKeys.PREDICT:
        parts["loss"] = None
    return tf_estimator.EstimatorSpec(**parts)


class _Classifier(BaseEstimator):
    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        """The classes, or the outputs of these names."""
        if outputs:
            return super().predict(x, input_fn, batch_size, outputs, as_iterable)
        return self.predict_classes(x, input_fn, batch_size, as_iterable)

    def predict_classes(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The most probable classes."""
        return self._one("class_ids", x, input_fn, batch_size, as_iterable, lambda row: row[0])

    def predict_proba(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The probabilities of all classes."""
        return self._one("probabilities", x, input_fn, batch_size, as_iterable, lambda row: row)

    def _one(self, key, x, input_fn, batch_size, as_iterable, pick):
        found = BaseEstimator.predict(self, x, input_fn, batch_size, [key])
        rows = (pick(row[key]) for row in found)
        return rows if as_iterable else np.array(list(rows))


class _Regressor(BaseEstimator):
    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        """The numbers."""
        return self.predict_scores(x, input_fn, batch_size, as_iterable)

    def predict_scores(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The numbers."""
        found = BaseEstimator.predict(self, x, input_fn, batch_size)
        rows = (row["predictions"][0] if row["predictions"].size == 1 else row["predictions"] for row in found)
        return rows if as_iterable else np.array(list(rows))


def _clipped(optimizer, norm, learning_rate):
    if not norm:
        return optimizer
    from rill.estimator import _wrappers
    return lambda: _wrappers.clip_gradients_by_norm(_models.get_optimizer_instance(optimizer, learning_rate), norm)


def _class_head(n_classes, weight_column_name, label_keys):
    return _head_parts._binary_logistic_or_multi_class_head(n_classes, weight_column_name, label_keys,
                                                       "weighted_sum_over_batch_size")


def _number_head(label_dimension, weight_column_name):
    return _head_parts._regression_head(weight_column_name, label_dimension, "weighted_sum_over_batch_size")


class DNNClassifier(_Classifier):
    """A net of fully connected layers that tells classes."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column_name=None,
                 optimizer=None, activation_fn=_models.relu, dropout=None, gradient_clip_norm=None,
                 enable_centered_bias=False, config=None, feature_engineering_fn=None, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None, label_keys=None):
        super().__init__(_canned.DNNEstimator(
            _class_head(n_classes, weight_column_name, label_keys), hidden_units, _columns(feature_columns), model_dir,
            _clipped(optimizer or "Adagrad", gradient_clip_norm, _models._DNN_RATE), activation_fn, dropout,
            config=config))


class DNNRegressor(_Regressor):
    """A net of fully connected layers that tells numbers."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, weight_column_name=None, optimizer=None,
                 activation_fn=_models.relu, dropout=None, gradient_clip_norm=None, enable_centered_bias=False,
                 config=None, feature_engineering_fn=None, label_dimension=1, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None):
        super().__init__(_canned.DNNEstimator(
            _number_head(label_dimension, weight_column_name), hidden_units, _columns(feature_columns), model_dir,
            _clipped(optimizer or "Adagrad", gradient_clip_norm, _models._DNN_RATE), activation_fn, dropout,
            config=config))


class LinearClassifier(_Classifier):
    """Weighted sums of columns that tell classes."""

    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column_name=None, optimizer=None,
                 gradient_clip_norm=None, enable_centered_bias=False, _joint_weight=False, config=None,
                 feature_engineering_fn=None, label_keys=None):
        super().__init__(_canned.LinearEstimator(
            _class_head(n_classes, weight_column_name, label_keys), _columns(feature_columns), model_dir,
            _clipped(optimizer or "Ftrl", gradient_clip_norm, _models._LINEAR_RATE), config))


class LinearRegressor(_Regressor):
    """Weighted sums of columns that tell numbers."""

    def __init__(self, feature_columns, model_dir=None, weight_column_name=None, optimizer=None,
                 gradient_clip_norm=None, enable_centered_bias=False, label_dimension=1, _joint_weights=False,
                 config=None, feature_engineering_fn=None):
        super().__init__(_canned.LinearEstimator(
            _number_head(label_dimension, weight_column_name), _columns(feature_columns), model_dir,
            _clipped(optimizer or "Ftrl", gradient_clip_norm, _models._LINEAR_RATE), config))


class DNNLinearCombinedClassifier(_Classifier):
    """A wide and deep model that tells classes."""

    def __init__(self, model_dir=None, n_classes=2, weight_column_name=None, linear_feature_columns=None,
                 linear_optimizer=None, _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None,
                 dnn_hidden_units=None, dnn_activation_fn=_models.relu, dnn_dropout=None, gradient_clip_norm=None,
                 enable_centered_bias=False, config=None, feature_engineering_fn=None, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None, label_keys=None, fix_global_step_increment_bug=False):
        super().__init__(_canned.DNNLinearCombinedEstimator(
            _class_head(n_classes, weight_column_name, label_keys), model_dir, linear_feature_columns,
            linear_optimizer or "Ftrl", dnn_feature_columns, dnn_optimizer or "Adagrad", dnn_hidden_units,
            dnn_activation_fn, dnn_dropout, config=config))


class DNNLinearCombinedRegressor(_Regressor):
    """A wide and deep model that tells numbers."""

    def __init__(self, model_dir=None, weight_column_name=None, linear_feature_columns=None, linear_optimizer=None,
                 _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None, dnn_hidden_units=None,
                 dnn_activation_fn=_models.relu, dnn_dropout=None, gradient_clip_norm=None, enable_centered_bias=False,
                 label_dimension=1, config=None, feature_engineering_fn=None, embedding_lr_multipliers=None,
                 input_layer_min_slice_size=None, fix_global_step_increment_bug=False):
        super().__init__(_canned.DNNLinearCombinedEstimator(
            _number_head(label_dimension, weight_column_name), model_dir, linear_feature_columns,
            linear_optimizer or "Ftrl", dnn_feature_columns, dnn_optimizer or "Adagrad", dnn_hidden_units,
            dnn_activation_fn, dnn_dropout, config=config))


class SKCompat:
    """An estimator with fit, predict and score as scikit-learn has them."""

    def __init__(self, estimator):
        self._estimator = estimator

    def fit(self, x, y, batch_size=128, steps=None, max_steps=None, monitors=None):
        """Trains on arrays."""
        self._estimator.fit(x, y, steps=steps, max_steps=max_steps, batch_size=batch_size, monitors=monitors)
        return self

    def score(self, x, y, batch_size=128, steps=None, metrics=None, name=None):
        """The metrics on arrays."""
        return self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name)

    def predict(self, x, batch_size=128, outputs=None):
        """All predictions."""
        return BaseEstimator.predict(self._estimator, x, batch_size=batch_size, outputs=outputs, as_iterable=False)
