"""tf.contrib.checkpoint: what is in checkpoints of objects, and containers for these."""

import numpy as np

from rill import _rill, _trackable
from rill._trackable import PythonState as PythonStateWrapper  # noqa: F401
from rill._variables import Variable
from rill.proto import module

_ObjectGraph = module("tensorflow/core/protobuf/trackable_object_graph.proto").TrackableObjectGraph
_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


class List(list):
    """A list whose items are saved; plain lists are, too."""

    def __init__(self, *args):
        super().__init__(args)


class Mapping(dict):
    """A dict whose values are saved; plain dicts are, too. Keys cannot be deleted."""

    def __delitem__(self, key):
        raise TypeError("a Mapping does not let its values go")


class NoDependency:
    """A value that is to be an attribute without being saved."""

    def __init__(self, value):
        self.value = value


class UniqueNameTracker:
    """Objects under names that are made unique."""

    def __init__(self):
        self._tracked = {}

    def _trackable_children(self):
        return list(self._tracked.items())

    def track(self, trackable, base_name):
        """Adds an object as `base_name`, `base_name_1` and so on; returns it."""
        if not _trackable.is_trackable(trackable):
            raise ValueError(f"Expected a trackable value, got {trackable} which does not inherit from "
                             "tf.track.TrackableBase.")
        name, number = base_name, 1
        while name in self._tracked:
            name, number = f"{base_name}_{number}", number + 1
        self._tracked[name] = trackable
        return trackable


class NumpyState:
    """Arrays as attributes, which are saved."""

    class _Array(PythonStateWrapper):
        def __init__(self, array):
            self.array = array

        def serialize(self):
            import io
            written = io.BytesIO()
            np.save(written, self.array, allow_pickle=False)
            return written.getvalue()

        def deserialize(self, string_value):
            import io
            self.array = np.load(io.BytesIO(string_value), allow_pickle=False)

    def __init__(self):
        object.__setattr__(self, "_arrays", {})

    def _trackable_children(self):
        return list(self._arrays.items())

    def __setattr__(self, name, value):
        if not isinstance(value, (np.ndarray, np.generic)):
            raise NotImplementedError("NumpyState holds arrays of NumPy only")
        if name in self._arrays:
            self._arrays[name].array = np.asarray(value)
        else:
            self._arrays[name] = self._Array(np.asarray(value))

    def __getattr__(self, name):
        arrays = object.__getattribute__(self, "_arrays")
        if name not in arrays:
            raise AttributeError(name)
        return arrays[name].array


def list_objects(root_trackable):
    """All objects below one, itself first."""
    found = [root_trackable]
    for item in found:  # which grows meanwhile
        parts = [] if isinstance(item, Variable) else _parts(item)
        found += [part for _, part in parts if not any(part is known for known in found)]
    return found


def _parts(item):
    named = _trackable.children(item)
    return [pair for i, pair in enumerate(named) if not any(pair[1] is other for _, other in named[:i])]


def object_metadata(save_path):
    """The objects that a checkpoint says it is of, as a message."""
    reader = _rill.NewCheckpointReader(save_path)
    if not reader.has_tensor(_KEY):
        raise ValueError(f'The specified checkpoint "{save_path}" does not appear to be object-based (saved with '
                         'TF2) since it is missing the key "_CHECKPOINTABLE_OBJECT_GRAPH". Likely it was created '
                         "with the TF1 name-based saver and does not contain an object dependency graph.")
    return _ObjectGraph.FromString(reader.get_tensor(_KEY))


def dot_graph_from_checkpoint(save_path):
    """The objects of a checkpoint as a picture in Graphviz's language."""
    graph = object_metadata(save_path)
    lines = ["digraph {"]
    slots = {slot.slot_variable_node_id for node in graph.nodes for slot in node.slot_variables}
    for number, node in enumerate(graph.nodes):
        if number in slots:
            color = "red"
        elif not node.attributes:
            color = "yellow" if number else "black"
        else:
            color = "blue"
        lines.append(f'  N_{number} [shape=point label="" color={color} width=.25]')
        lines += [f'  N_{number} -> N_{child.node_id} [label="{child.local_name}"]' for child in node.children]
    return "\n".join([*lines, "}", ""])
