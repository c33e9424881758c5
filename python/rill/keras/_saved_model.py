"""Models of tf.keras as SavedModels: a graph for serving, the weights as a checkpoint, the model as JSON."""

import json
import os
import shutil

import rill as tf
from rill import _rill
from rill.keras import _saving, backend
from rill.logging import warning

_JSON = os.path.join("assets", "saved_model.json")
_VARIABLES = os.path.join("variables", "variables")


def _copy(model):
    """The model in another graph, without what trains it."""
    from rill.keras import _objects
    known = {type(layer).__name__: type(layer) for layer in model.layers}
    with _objects.CustomObjectScope(known):
        return type(model).from_config(model.get_config())


def _signature(model):
    return tf.saved_model.predict_signature_def(dict(zip(model.input_names, model.inputs)),
                                                dict(zip(model.output_names, model.outputs)))


def _add_copy(builder, model, custom_objects):
    """A graph for serving with nothing but the model made anew."""
    from rill.keras import _objects
    values = model.get_weights()
    with tf.Graph().as_default(), tf.Session() as session, backend.learning_phase_scope(0), \
            _objects.CustomObjectScope(custom_objects or {}):
        served = _copy(model)
        served.set_weights(values)
        _add(builder, session, served)


def _add(builder, session, model):
    # Under the names of a checkpoint of objects, which takes the place of these files later.
    saver = tf.train.Saver(dict(_rill.object_variables(model)))
    builder.add_meta_graph_and_variables(
        session, [tf.saved_model.tag_constants.SERVING],
        {tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: _signature(model)}, saver=saver)


def _write_json(model, path):
    try:
        described = {**model._described(), "training_config": _saving.training_config(model)}
    except NotImplementedError:
        warning("Skipped saving model JSON, subclassed model does not have get_config() defined.")
        return
    os.makedirs(os.path.join(path, "assets"), exist_ok=True)
    with open(os.path.join(path, _JSON), "w", encoding="utf-8") as file:
        file.write(_saving._dumped(described))


def export(model, path, as_text=False, custom_objects=None, signatures=None):
    """Writes a graph for serving, the weights, and the model as JSON where it can be."""
    if tf.executing_eagerly() and not as_text:
        from rill.saved_model import _saving_eagerly
        _saving_eagerly.save(model, path, signatures)
        _write_json(model, path)
        return
    if not model.inputs:
        raise ValueError(f"Model {model.name} cannot be saved because the input shapes have not been set. Usually, "
                         "input shapes are automatically determined from calling `.fit()` or `.predict()`.")
    builder = tf.saved_model.builder.SavedModelBuilder(path)
    session = backend.get_session()
    if getattr(model, "_graph_network", None) is not None:
        _add_copy(builder, model, custom_objects)
    else:  # a subclass cannot be made anew: its own graph is served, all that trains it included
        with session.graph.as_default():
            _add(builder, session, model)
    builder.save(as_text)
    _saving._object_saver(model).save(session, os.path.join(path, _VARIABLES))
    _write_json(model, path)


def save(model, path, overwrite=True, include_optimizer=True, signatures=None):
    """Model.save with save_format="tf"."""
    if signatures is not None and not tf.executing_eagerly():
        raise tf.errors.UnimplementedError(None, None, "Model.save with signatures of its own")
    if os.path.isdir(path) and os.listdir(path):
        if not overwrite and not _saving.ask_to_overwrite(path):
            return
        if not tf.saved_model.contains_saved_model(path):
            raise ValueError(f"{path} is a directory with other things than a model in it.")
        shutil.rmtree(path)
    export(model, path, signatures=signatures)


def _tuples(value):
    """Later versions of Keras write tuples as dicts."""
    return tuple(value["items"]) if value.get("class_name") == "__tuple__" else value


def _description(path):
    """What a SavedModel says of the model: class, settings, training."""
    file = os.path.join(path, _JSON)
    if os.path.exists(file):
        with open(file, encoding="utf-8") as opened:
            return json.load(opened)
    text = _rill.keras_saved_metadata(path)
    if text is None:
        raise ValueError(f"Cannot load {path} as a model: Keras has written nothing about it there. "
                         "tf.saved_model.loader.load reads its graph.")
    stored = json.loads(text, object_hook=_tuples)
    return {**stored, **stored.get("model_config", {})}


def load(path, custom_objects=None, compile=True):
    """The model of a SavedModel that tf.keras wrote, with its weights."""
    described = _description(path)
    if described.get("config") is None or described.get("class_name") is None:
        raise tf.errors.UnimplementedError(None, None, "load_model of a subclass of Model: make the model, then "
                                           f"load_weights('{os.path.join(path, _VARIABLES)}')")
    from rill.keras.models import model_from_config
    model = model_from_config({"class_name": described["class_name"], "config": described["config"]}, custom_objects)
    training = described.get("training_config")
    if compile and training:
        _saving._compile(model, training, custom_objects)
        if model.outputs and model.trainable_weights:
            model._compiled().native.make_updates()
    elif compile:
        warning("No training configuration found in save file, so the model was *not* compiled. Compile it manually.")
    model.load_weights(os.path.join(path, _VARIABLES))
    return model
