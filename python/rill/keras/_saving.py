"""Models of tf.keras in files: weights alone, or with what they are made of and how they are trained."""

import json
import os

import numpy as np

from rill import _rill
from rill.keras import _objects, backend
from rill.logging import warning

_FORMATS = {"tensorflow": "tf", "tf": "tf", "hdf5": "h5", "h5": "h5", "keras": "h5"}


def ask_to_overwrite(path):
    """Whether the user wants a file to be replaced."""
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input("Enter \"y\" (overwrite) or \"n\" (cancel).").strip().lower()
    if answer == "n":
        return False
    print("[TIP] Next time specify overwrite=True!")
    return True


def _may_write(path, overwrite):
    return overwrite or not os.path.isfile(path) or ask_to_overwrite(path)


def _format_of(path, save_format):
    """"h5" or "tf", as said, or as the name of the file says."""
    is_h5 = _rill.has_keras_file_name(path)
    if save_format is None:
        return "h5" if is_h5 else "tf"
    chosen = _FORMATS.get(save_format.lower().strip())
    if chosen is None:
        raise ValueError(f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.')
    if chosen == "tf" and is_h5:
        raise ValueError(f'save_weights got save_format="tf"/"tensorflow", but the filepath ("{path}") looks '
                         'like an HDF5 file. Omit the ".h5"/".keras" when saving in TensorFlow format.')
    return chosen


def _require_weights(model):
    if not model.built and not model.weights:
        raise ValueError(f"Weights for model {model.name} have not yet been created. Weights are created when "
                         "the Model is first called on inputs or `build()` is called with an `input_shape`.")


def _legacy_weights(layer):
    """In the order that files have had since there were any: first those that are trained."""
    return layer.trainable_weights + layer.non_trainable_weights


def _named_values(variables):
    values = backend.batch_get_value(variables)
    return [(variable.name, np.asarray(value)) for variable, value in zip(variables, values)]


def _layer_values(model):
    return [(layer.name, _named_values(_legacy_weights(layer))) for layer in model.layers]


def _object_saver(model):
    """What keeps the model in checkpoints; made once, so that its nodes are."""
    if "_object_saver" not in vars(model):
        object.__setattr__(model, "_object_saver", _rill.ObjectSaverCore(model))
    return model._object_saver


# --- weights --------------------------------------------------------------------------------------

def save_weights(model, filepath, overwrite=True, save_format=None):
    """Writes the weights."""
    filepath = os.fspath(filepath)
    _require_weights(model)
    chosen = _format_of(filepath, save_format)
    if not _may_write(filepath if chosen == "h5" else filepath + ".index", overwrite):
        return
    if chosen == "h5":
        _rill.write_keras_file(filepath, None, None, _layer_values(model), [])
        return
    _object_saver(model).save(None if _rill.executing_eagerly() else backend.get_session(), filepath)
    _rill.functions.train.update_checkpoint_state(
        save_dir=os.path.dirname(filepath), model_checkpoint_path=os.path.basename(filepath),
        all_model_checkpoint_paths=[os.path.basename(filepath)])


def load_weights(model, filepath, by_name=False, skip_mismatch=False):
    """Gives the model weights of a file; of a checkpoint also to variables that are made later."""
    filepath = os.fspath(filepath)
    if _rill.has_keras_file_name(filepath) or _rill.is_keras_file(filepath):
        return _load_file(model, filepath, by_name, skip_mismatch)
    if by_name:
        raise NotImplementedError("Weights may only be loaded based on topology into Models when loading "
                                  "TensorFlow-formatted weights (got by_name=True to load_weights).")
    from rill._checkpoint import CheckpointLoadStatus
    status = CheckpointLoadStatus(_object_saver(model).restore(filepath), None)
    if not _rill.executing_eagerly():
        status.run_restore_ops(backend.get_session())
    if model.weights:
        status.assert_nontrivial_match()
    if not _rill.executing_eagerly():
        backend.restore_when_made(model, status)
    return CheckpointLoadStatus(status._core, model)


def _load_file(model, filepath, by_name, skip_mismatch):
    if not model.built and not model.weights:
        raise ValueError("Unable to load weights saved in HDF5 format into a subclassed Model which has not "
                         "created its variables yet. Call the Model first, then load the weights.")
    _set_layers(model, _rill.read_keras_file(filepath)["layers"], by_name, skip_mismatch)
    return None


def _set_layers(model, stored, by_name=False, skip_mismatch=False):
    own = [(layer.name, _legacy_weights(layer)) for layer in model.layers]
    backend.batch_set_value(_rill.keras_weights_to_load(own, stored, by_name, skip_mismatch))


# --- whole models ---------------------------------------------------------------------------------

def _plain(value):
    """What JSON does not know, in a form that it does."""
    from rill.keras._network import _plain as plain
    if isinstance(value, type):
        return value.__name__
    return plain(value)


def _dumped(value):
    return json.dumps(value, default=_plain)


def training_config(model):
    """How a compiled model is trained, as a dict; None where that cannot be written down."""
    from rill.keras.optimizers import TFOptimizer
    if model.optimizer is None or model._compile_request is None:
        return None
    if isinstance(model.optimizer, TFOptimizer):
        warning("TensorFlow optimizers do not make it possible to access optimizer attributes or optimizer "
                "state after instantiation. As a result, we cannot save the optimizer as part of the model "
                "save file. You will have to compile your model again after loading it.")
        return None
    request = model._compile_request
    return {"loss": request.loss, "metrics": request.metrics or [],
            "weighted_metrics": request.weighted_metrics, "sample_weight_mode": request.sample_weight_mode,
            "loss_weights": request.loss_weights,
            "optimizer_config": {"class_name": type(model.optimizer).__name__,
                                 "config": model.optimizer.get_config()}}


def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
    """Writes a whole model: HDF5, or a SavedModel where `save_format` is "tf"."""
    filepath = os.fspath(filepath)
    if save_format not in (None, "h5", "tf", "tensorflow", "hdf5", "keras"):
        raise ValueError(f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.')
    if save_format in ("tf", "tensorflow") and not _rill.has_keras_file_name(filepath):
        from rill.keras import _saved_model
        _saved_model.save(model, filepath, overwrite, include_optimizer, signatures)
        return
    if getattr(model, "_graph_network", None) is None and not hasattr(model, "_stack"):
        raise NotImplementedError("Saving the model to HDF5 format requires the model to be a Functional model or a "
                                  "Sequential model. It does not work for subclassed models, because such models "
                                  "are defined via the body of a Python method, which isn't safely serializable. "
                                  "Consider saving to the Tensorflow SavedModel format (by setting "
                                  'save_format="tf") or using `save_weights`.')
    if not _may_write(filepath, overwrite):
        return
    config = {"class_name": type(model).__name__, "config": model.get_config()}
    training = training_config(model) if include_optimizer else None
    weights = model.optimizer.weights if training else []
    _rill.write_keras_file(filepath, _dumped(config), None if training is None else _dumped(training),
                           _layer_values(model), _named_values(weights))


def load_model(filepath, custom_objects=None, compile=True):
    """The model of a file, with its weights; compiled as it was, unless it is not to be."""
    filepath = os.fspath(filepath)
    if os.path.isdir(filepath):
        from rill.keras import _saved_model
        return _saved_model.load(filepath, custom_objects, compile)
    if not _rill.is_keras_file(filepath):
        raise OSError(f"SavedModel file does not exist at: {filepath}/{{saved_model.pbtxt|saved_model.pb}}"
                      if not os.path.exists(filepath) else f"{filepath} is neither an HDF5 file nor a SavedModel")
    stored = _rill.read_keras_file(filepath)
    if stored["model_config"] is None:
        raise ValueError("No model found in config file.")
    from rill.keras.models import model_from_config
    model = model_from_config(json.loads(stored["model_config"]), custom_objects)
    _set_layers(model, stored["layers"])
    if compile and stored["training_config"] is None:
        warning("No training configuration found in save file: the model was *not* compiled. Compile it manually.")
    elif compile:
        _compile(model, json.loads(stored["training_config"]), custom_objects)
        _set_optimizer(model, stored["optimizer_weights"])
    return model


def _compile(model, config, custom_objects):
    from rill.keras import losses, metrics, optimizers
    custom = custom_objects or {}

    def known(value, module):  # functions of the program under the names that they were saved by
        if isinstance(value, dict) and value.get("class_name") == "MeanMetricWrapper":  # its function has a name
            config = value["config"]
            return metrics.MeanMetricWrapper(metrics.get(known(config["fn"], metrics)), name=config.get("name"))
        if isinstance(value, dict) and "class_name" in value:
            return module.deserialize(value)
        if isinstance(value, dict):
            return {key: known(part, module) for key, part in value.items()}
        if isinstance(value, list):
            return [known(part, module) for part in value]
        return custom.get(value, value) if isinstance(value, str) else value

    with _objects.CustomObjectScope(custom):
        model.compile(optimizer=optimizers.deserialize(config["optimizer_config"], custom),
                      loss=known(config.get("loss"), losses), metrics=known(config.get("metrics"), metrics),
                      loss_weights=config.get("loss_weights"),
                      sample_weight_mode=config.get("sample_weight_mode"),
                      weighted_metrics=known(config.get("weighted_metrics"), metrics))


def _set_optimizer(model, stored):
    if not stored:
        return
    model._compiled().native.make_updates()
    try:
        model.optimizer.set_weights([value for _, value in stored])
    except ValueError:
        warning("Error in loading the saved optimizer state. As a result, your model is starting with a freshly "
                "initialized optimizer.")
