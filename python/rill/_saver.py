"""tf.train.Saver, meta graphs and what programs do with checkpoints; the work is done in C++."""

import contextlib
import numbers
import os
import time

from rill import _rill, errors
from rill.proto import module as _proto_module

SaverDef = _proto_module("tensorflow/core/protobuf/saver.proto").SaverDef
_MetaGraphDef = _proto_module("tensorflow/core/protobuf/meta_graph.proto").MetaGraphDef


class SaveSpec:
    """One tensor of a checkpoint: value, part and name."""

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        self.dtype, self.device = dtype, device

    @property
    def tensor(self):
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something that a Saver saves; subclasses say in restore() how it gets its tensors back."""

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    @property
    def device(self):
        return self.specs[0].tensor.device

    def restore(self, restored_tensors, restored_shapes):
        """The operation that restores the state from tensors."""
        raise ValueError("Calling an abstract method.")


class BaseSaverBuilder:
    """Where programs look for what they subclass."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject


class BulkSaverBuilder(BaseSaverBuilder):
    """What a Saver builds with: one op restores everything."""


@contextlib.contextmanager
def _explained():
    """What most likely went wrong, before the error itself."""
    try:
        yield
    except (errors.NotFoundError, errors.InvalidArgumentError) as error:
        text = _rill.restore_failure_text(error.error_code, error.message)
        raise type(error)(error.node_def, error.op, text) from error


class Saver:
    """Writes variables to checkpoints, reads them back, and keeps the newest checkpoints."""

    def __init__(self, var_list=None, reshape=False, sharded=False, max_to_keep=5,
                 keep_checkpoint_every_n_hours=10000.0, name=None, restore_sequentially=False,
                 saver_def=None, builder=None, defer_build=False, allow_empty=False,
                 write_version=SaverDef.V2, pad_step_number=False, save_relative_paths=False,
                 filename=None):
        if defer_build and var_list:
            raise ValueError("If `var_list` is provided then build cannot be deferred. "
                             "Either set defer_build=False or var_list=None.")
        if saver_def is not None and not isinstance(saver_def, SaverDef):
            raise ValueError("saver_def must be a SaverDef proto.")
        if builder is not None and type(builder) not in (BaseSaverBuilder, BulkSaverBuilder):
            raise NotImplementedError(f"Saver(builder=...) of the program's own class {type(builder).__name__}")
        self._from_graph = var_list is None and saver_def is None
        self._is_eager = _rill.executing_eagerly() and saver_def is None
        self._var_list = var_list
        self._core = _rill.SaverCore(var_list, dict(
            reshape=reshape, sharded=sharded, max_to_keep=max_to_keep or 0,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, name=name,
            restore_sequentially=restore_sequentially, saver_def=saver_def, allow_empty=allow_empty,
            write_version=write_version, pad_step_number=pad_step_number,
            save_relative_paths=save_relative_paths, filename=filename))
        if not defer_build:
            self.build()

    def build(self):
        """Makes the nodes, where that was put off."""
        self._core.build(self._from_graph)
        if self._from_graph:
            from rill._collections import GraphKeys, get_collection
            self._var_list = get_collection(GraphKeys.GLOBAL_VARIABLES) + get_collection(GraphKeys.SAVEABLE_OBJECTS)

    @property
    def saver_def(self):
        return self._core.saver_def()

    @property
    def _is_empty(self):
        return self._core.is_empty()

    def as_saver_def(self):
        """The SaverDef message of this Saver."""
        return self._core.saver_def()

    def to_proto(self, export_scope=None):
        """The SaverDef message, with names as below `export_scope`; None outside of it."""
        if not export_scope:
            return self._core.saver_def()
        if not self.saver_def.filename_tensor_name.startswith(export_scope):
            return None
        return self._core.to_proto(export_scope)

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        """The Saver of a message, whose nodes are in the graph."""
        return Saver(saver_def=saver_def, name=import_scope)

    @property
    def last_checkpoints(self):
        """The checkpoints that it keeps, oldest first."""
        return self._core.last_checkpoints()

    def set_last_checkpoints(self, last_checkpoints):
        """Says which checkpoints there are; these are never deleted."""
        self._core.set_last_checkpoints(list(last_checkpoints))

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        """Says which checkpoints there are: pairs of path and time."""
        self._core.set_last_checkpoints_with_time([tuple(item) for item in last_checkpoints_with_time])

    def recover_last_checkpoints(self, checkpoint_paths):
        """Takes over those of the checkpoints that are there."""
        self._core.recover_last_checkpoints(list(checkpoint_paths))

    def save(self, sess, save_path, global_step=None, latest_filename=None, meta_graph_suffix="meta",
             write_meta_graph=True, write_state=True, strip_default_attrs=False,
             save_debug_info=False):
        """Writes a checkpoint and returns its path."""
        if not self._is_eager and not (hasattr(sess, "run") and hasattr(sess, "graph")):
            raise TypeError(f"'sess' must be a Session; {sess}")
        if global_step is not None and not isinstance(global_step, numbers.Integral):
            global_step = int(global_step if self._is_eager else sess.run(global_step))
        save_path = os.fspath(save_path)
        try:
            path = self._core.save(sess, save_path, global_step, latest_filename, meta_graph_suffix,
                                   write_meta_graph, write_state, strip_default_attrs)
        except (errors.FailedPreconditionError, errors.NotFoundError) as error:
            from rill import gfile
            if gfile.IsDirectory(os.path.dirname(save_path) or "."):
                raise
            raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from error
        return path or None

    def restore(self, sess, save_path):
        """Gives the variables the values of a checkpoint."""
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        with _explained():
            self._core.restore(sess, os.fspath(save_path))

    def export_meta_graph(self, filename=None, collection_list=None, as_text=False, export_scope=None,
                          clear_devices=False, clear_extraneous_savers=False,
                          strip_default_attrs=False, save_debug_info=False):
        """The MetaGraphDef of the default graph with this Saver, written to a file if one is named."""
        return self._core.export_meta_graph(filename, collection_list, as_text, export_scope,
                                            clear_devices, clear_extraneous_savers,
                                            strip_default_attrs)


def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None,
                      collection_list=None, as_text=False, graph=None, export_scope=None,
                      clear_devices=False, clear_extraneous_savers=False, strip_default_attrs=False,
                      save_debug_info=False, unbound_inputs_col_name="unbound_inputs", **kwargs):
    """The MetaGraphDef of a graph, written to a file if one is named."""
    return _rill.export_meta_graph(dict(
        filename=filename, meta_info_def=meta_info_def, graph_def=graph_def, saver_def=saver_def,
        collection_list=collection_list, as_text=as_text, graph=graph, export_scope=export_scope,
        clear_devices=clear_devices, clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs, unbound_inputs_col_name=unbound_inputs_col_name))


def read_meta_graph_file(filename):
    """The MetaGraphDef of a file, binary or text."""
    message = _MetaGraphDef()
    message.ParseFromString(_rill.read_meta_graph_file(os.fspath(filename)))
    return message


def import_with_elements(meta_graph_or_file, clear_devices=False, import_scope=None,
                         return_elements=None, input_map=None,
                         unbound_inputs_col_name="unbound_inputs",
                         restore_collections_predicate=None):
    """Adds a meta graph to the default graph: its variables by name, the elements, its SaverDef."""
    message = (meta_graph_or_file if isinstance(meta_graph_or_file, _MetaGraphDef)
               else read_meta_graph_file(meta_graph_or_file))
    return _rill.import_meta_graph(message, dict(
        clear_devices=clear_devices, import_scope=import_scope, return_elements=return_elements,
        input_map=input_map, unbound_inputs_col_name=unbound_inputs_col_name,
        restore_collections_predicate=restore_collections_predicate))


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """Adds a meta graph to the default graph and returns what saves it, or None."""
    _, _, saver_def = import_with_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)
    if saver_def is not None:
        return Saver(saver_def=saver_def)
    return Saver() if _rill.anything_to_save() else None


def export_scoped_meta_graph(**kwargs):
    """export_meta_graph, with the variables below the scope by name."""
    message = export_meta_graph(**kwargs)
    scope = kwargs.get("export_scope")
    graph = kwargs.get("graph") or _rill.get_default_graph()
    variables = graph.get_collection(_rill.graph_keys.GLOBAL_VARIABLES, scope)
    prefix = scope + "/" if scope else ""
    return message, {variable.op.name.removeprefix(prefix): variable for variable in variables}


def import_scoped_meta_graph(meta_graph_or_file, clear_devices=False, graph=None, import_scope=None,
                             input_map=None, unbound_inputs_col_name="unbound_inputs",
                             restore_collections_predicate=lambda key: True):
    """import_meta_graph that returns the variables by name."""
    with (graph or _rill.get_default_graph()).as_default():
        return import_with_elements(
            meta_graph_or_file, clear_devices, import_scope, None, input_map, unbound_inputs_col_name,
            restore_collections_predicate)[0]


def register_proto_function(collection_name, proto_type=None, to_proto=None, from_proto=None):
    """Says how the objects of a collection become messages, and come back."""
    _rill.register_collection_proto(collection_name, proto_type, to_proto, from_proto)


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """New checkpoints of a directory, as they come."""
    seen = None
    while True:
        newest = _rill.wait_for_new_checkpoint(checkpoint_dir, seen, timeout)
        if newest is None:
            if not timeout_fn or timeout_fn():
                return
            continue
        started = time.time()
        seen = newest
        yield newest
        time.sleep(max(0.0, min_interval_secs - (time.time() - started)))


_rill.register_collection_proto(_rill.graph_keys.SAVERS, SaverDef, Saver.to_proto, Saver.from_proto)
