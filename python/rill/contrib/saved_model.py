"""tf.contrib.saved_model: models of tf.keras as SavedModels, and signatures by their keys."""

from rill.keras.experimental import export_saved_model as _export, load_from_saved_model as _load


def get_signature_def_by_key(meta_graph_def, signature_def_key):
    """The signature of a meta graph under that key; ValueError where there is none."""
    if signature_def_key not in meta_graph_def.signature_def:
        raise ValueError(f"No SignatureDef with key '{signature_def_key}' found in MetaGraphDef.")
    return meta_graph_def.signature_def[signature_def_key]


def save_keras_model(model, saved_model_path, custom_objects=None, as_text=None, input_signature=None,
                     serving_only=False):
    """Writes a model of tf.keras; load_keras_model reads it."""
    _export(model, saved_model_path, custom_objects, bool(as_text), input_signature, serving_only)


def load_keras_model(saved_model_path):
    """The model that save_keras_model wrote."""
    return _load(saved_model_path)
