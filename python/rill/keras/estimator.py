"""tf.keras.estimator: compiled models of Keras as estimators."""

import os
import re

from rill import _rill, _surface, logging
from rill.keras import _compiling, _objects, backend, optimizers
from rill.keras import losses as all_losses
from rill.keras import models


def _value_of(name, *args, **kwargs):
    return _surface._find(name)(*args, **kwargs)


def _ordered(given, names, what, order):
    """The tensors of features or labels in the order of the model's inputs or outputs."""
    if given is None:
        return None
    if isinstance(given, dict):
        missed = set(names) - set(given)
        if missed:
            raise KeyError(f"The dictionary passed into {what} does not cover requested {order} keys defined in the "
                           f"keras model.\n\tExpected keys: {set(names)}\n\t{what} keys: {set(given)}\n\tMissed "
                           f"keys: {missed}")
        return [given[name] for name in names]
    return list(given) if isinstance(given, (list, tuple)) else [given]


class _Clone:
    """A model like a given one, in the default graph, with tensors for inputs."""

    def __init__(self, model, custom_objects, inputs, training):
        backend.set_learning_phase(training)
        scope = {type(layer).__name__: type(layer) for layer in model.layers}
        with _objects.CustomObjectScope({**scope, **(custom_objects or {})}):
            self.model = type(model).from_config(model.get_config())
        self.request = model._compile_request
        self.names = model.output_names
        self.inputs = self.model.inputs if inputs is None else inputs
        outputs = self.model(self.inputs[0] if len(self.inputs) == 1 else self.inputs)
        self.outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]

    def total_loss(self, labels):
        """The losses of all outputs and layers together."""
        asked = _compiling._per_output(self.request.loss, self.names, "loss")
        weights = _compiling._per_output(self.request.loss_weights, self.names, "loss_weights")
        total = None
        for given, weight, truth, output in zip(asked, weights, labels, self.outputs):
            if given is None:
                continue
            loss = all_losses.get(given)
            if not isinstance(loss, all_losses.Loss):
                loss = all_losses.LossFunctionWrapper(loss)
            value = loss(truth, output)
            value = value if weight is None else value * weight
            total = value if total is None else total + value
        for value in self.model.get_losses_for(None) + self.model.get_losses_for(self.inputs):
            total = total + value
        return total

    def metrics(self, labels):
        """{name: (value, update)} of what the model was compiled with."""
        found = {}
        asked = _compiling._metrics_per_output(self.request.metrics, self.names)
        losses = [_compiling._loss_of(item) for item in _compiling._per_output(self.request.loss, self.names, "loss")]
        for name, items, loss, truth, output in zip(self.names, asked, losses, labels, self.outputs):
            for item in items:
                metric, metric_name = _compiling._metric_of(item, False, output, loss[1])
                update = metric.update_state(truth, output)
                found[f"{name}_{metric_name}" if len(self.names) > 1 else metric_name] = (metric, update)
        return found

    def train_op(self, optimizer, loss, global_step):
        """One step of the optimizer, with what layers update."""
        updates = optimizer.get_updates(loss=loss, params=self.model.trainable_weights)
        updates = list(updates) + self.model.get_updates_for(None) + self.model.get_updates_for(self.inputs)
        updates = [getattr(update, "op", update) for update in updates]
        with _value_of("control_dependencies", updates):  # a step that fails is not counted
            return _value_of("assign_add", global_step, 1).op


def _copy_of(optimizer):
    if isinstance(optimizer, optimizers.TFOptimizer):
        return optimizers.TFOptimizer(optimizer.optimizer)
    return type(optimizer).from_config(optimizer.get_config())


def _model_fn_of(model, custom_objects):
    from rill.estimator import EstimatorSpec, ModeKeys, _model_fn
    from rill.train import get_or_create_global_step

    def model_fn(features, labels, mode):
        inputs = _ordered(features, model.input_names, "features", "inputs")
        clone = _Clone(model, custom_objects, inputs, mode == ModeKeys.TRAIN)
        predictions = dict(zip(model.output_names, clone.outputs))
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, predictions=predictions)
        truth = _ordered(labels, model.output_names, "labels", "outputs")
        loss, train_op = clone.total_loss(truth), None
        metrics = {}
        for name, (metric, update) in clone.metrics(truth).items():
            _model_fn._collect_variables(metric.variables)
            metrics[name] = metric.result(), update
        if mode == ModeKeys.TRAIN:
            train_op = clone.train_op(_copy_of(model.optimizer), loss, get_or_create_global_step())
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics)

    return model_fn


def _save_first_checkpoint(model, custom_objects, config):
    """The weights as they are now, for the estimator to start with."""
    from rill import train
    folder = os.path.join(config.model_dir, "keras")
    latest = train.latest_checkpoint(folder)
    if latest:
        return latest
    weights, path = model.get_weights(), os.path.join(folder, "keras_model.ckpt")
    os.makedirs(folder, exist_ok=True)
    with _rill.Graph().as_default():
        _value_of("set_random_seed", config.tf_random_seed)
        train.create_global_step()
        clone = _Clone(model, custom_objects, None, True)
        init, saver = _value_of("global_variables_initializer"), train.Saver()
        with _rill.Session(config=config.session_config) as session:
            session.run(init)
            for variable, value in zip(clone.model.weights, weights):
                variable.load(value, session)
            saver.save(session, path)
    return path


def model_to_estimator(keras_model=None, keras_model_path=None, custom_objects=None, model_dir=None, config=None,
                       checkpoint_format="saver"):
    """An estimator of a compiled model, which starts with the model's weights."""
    from rill.estimator import Estimator, WarmStartSettings
    from rill.estimator._estimator import _complete_config
    if not keras_model and not keras_model_path:
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    if checkpoint_format not in (None, "saver", "checkpoint"):
        raise ValueError(f'Checkpoint format must be one of "checkpoint" or "saver". Got {checkpoint_format}')
    config = _complete_config(config, model_dir)
    if keras_model:
        logging.info("Using the Keras model provided.")
    else:
        logging.info("Loading models from %s", keras_model_path)
        keras_model = models.load_model(keras_model_path, custom_objects)
    if not getattr(keras_model, "optimizer", None):
        raise ValueError("The given keras model has not been compiled yet. Please compile the model with "
                         "`model.compile()` before calling `model_to_estimator()`.")
    settings = None
    if config.is_chief:
        weights = [re.escape(weight.name) + "$" for weight in keras_model.weights]
        settings = WarmStartSettings(_save_first_checkpoint(keras_model, custom_objects, config), weights)
    return Estimator(_model_fn_of(keras_model, custom_objects), config=config, warm_start_from=settings)


__getattr__, __dir__ = _surface.members_of(__name__)
