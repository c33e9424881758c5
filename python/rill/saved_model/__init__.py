"""tf.saved_model: whole models on disk, with what they can be asked for."""

import os

from rill import _rill, _surface
from rill._saver import Saver

ASSETS_DIRECTORY = "assets"
ASSETS_KEY = "saved_model_assets"
CLASSIFY_INPUTS = "inputs"
CLASSIFY_METHOD_NAME = "tensorflow/serving/classify"
CLASSIFY_OUTPUT_CLASSES = "classes"
CLASSIFY_OUTPUT_SCORES = "scores"
DEFAULT_SERVING_SIGNATURE_DEF_KEY = "serving_default"
GPU = "gpu"
LEGACY_INIT_OP_KEY = "legacy_init_op"
MAIN_OP_KEY = "saved_model_main_op"
PREDICT_INPUTS = "inputs"
PREDICT_METHOD_NAME = "tensorflow/serving/predict"
PREDICT_OUTPUTS = "outputs"
REGRESS_INPUTS = "inputs"
REGRESS_METHOD_NAME = "tensorflow/serving/regress"
REGRESS_OUTPUTS = "outputs"
SAVED_MODEL_FILENAME_PB = "saved_model.pb"
SAVED_MODEL_FILENAME_PBTXT = "saved_model.pbtxt"
SAVED_MODEL_SCHEMA_VERSION = 1
SERVING = "serve"
TPU = "tpu"
TRAINING = "train"
VARIABLES_DIRECTORY = "variables"
VARIABLES_FILENAME = "variables"


class Builder:
    """Writes a model: graphs under tags, signatures, assets and the values of the variables."""

    def __init__(self, export_dir):
        self._core = _rill.SavedModelBuilderCore(os.fsdecode(export_dir))

    def _add(self, sess, tags, signature_def_map, assets_collection, main_op, clear_devices,
             strip_default_attrs, saver):
        self._core.check_next(sess is not None)
        if not isinstance(saver, (Saver, type(None))):
            raise TypeError("Argument `saver` must be a Saver.")
        saver = saver or Saver(sharded=True, allow_empty=True)
        self._core.add(sess, [tags] if isinstance(tags, str) else list(tags), signature_def_map,
                       assets_collection, main_op, clear_devices, strip_default_attrs, saver._core)

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None,
                                     legacy_init_op=None, clear_devices=False, main_op=None,
                                     strip_default_attrs=False, saver=None):
        """Adds the default graph and the values that its variables have in the session."""
        self._add(sess, tags, signature_def_map, assets_collection, main_op or legacy_init_op,
                  clear_devices, strip_default_attrs, saver)

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None,
                       legacy_init_op=None, clear_devices=False, main_op=None,
                       strip_default_attrs=False, saver=None):
        """Adds the default graph once more, for the variables that were saved already."""
        self._add(None, tags, signature_def_map, assets_collection, main_op or legacy_init_op,
                  clear_devices, strip_default_attrs, saver)

    def save(self, as_text=False):
        """Writes the file and returns its path."""
        return self._core.save(as_text)


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Writes a model for serving with one signature."""
    builder = Builder(export_dir)
    signature = _rill.functions.saved_model.predict_signature_def(inputs, outputs)
    assets = _rill.get_default_graph().get_collection(_rill.graph_keys.ASSET_FILEPATHS)
    builder.add_meta_graph_and_variables(
        session, [SERVING], {DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature}, assets_collection=assets,
        main_op=legacy_init_op, clear_devices=True)
    builder.save()


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Adds the graph with these tags to the session's graph, with its variables and assets."""
    with sess.graph.as_default():
        return _rill.load_saved_model(sess.run, os.fsdecode(export_dir),
                                      [tags] if isinstance(tags, str) else list(tags), import_scope)


def save(obj, export_dir, signatures=None):
    """Writes an object with its variables and functions; load_v2 and TensorFlow 2 read it."""
    from rill.saved_model._saving import save as save_object
    save_object(obj, export_dir, signatures)


def load_v2(export_dir, tags=None):
    """The objects of a SavedModel that TensorFlow 2 wrote: attributes, functions, signatures."""
    from rill.saved_model._loaded import load_v2 as load_objects
    return load_objects(export_dir, tags)


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The tensor, or sparse tensor, of a graph that a signature speaks of."""
    graph = graph or _rill.get_default_graph()
    named = lambda name: graph.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)
    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return named(tensor_info.name)
    if encoding == "coo_sparse":
        from rill import SparseTensor
        coo = tensor_info.coo_sparse
        return SparseTensor(named(coo.indices_tensor_name), named(coo.values_tensor_name),
                            named(coo.dense_shape_tensor_name))
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


def main_op_with_restore(restore_op_name):
    """The operation that initialises everything, then runs the restore of that name."""
    from rill import control_dependencies, group
    from rill.saved_model.main_op import main_op
    with control_dependencies([main_op()]):
        return group(_rill.get_default_graph().get_operation_by_name(restore_op_name))


__getattr__, __dir__ = _surface.members_of(__name__)
