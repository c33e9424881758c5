"""What runs dumped, as tfdbg shows it to programs: faces of rill/inspect/debugger."""

import collections
import json

from rill import _rill, proto

CoreMetadata = collections.namedtuple("CoreMetadata", [
    "global_step", "session_run_index", "executor_step_index", "input_names", "output_names", "target_nodes"])

METADATA_FILE_PREFIX = "_tfdbg_"
CORE_METADATA_TAG = "core_metadata_"
GRAPH_FILE_TAG = "graph_"
DEVICE_TAG = "device_"
HASH_TAG = "hash"
FETCHES_INFO_FILE_TAG = "fetches_info_"
FEED_KEYS_INFO_FILE_TAG = "feed_keys_info_"


class InconvertibleTensorProto:
    """Stands for a tensor that has no array: one that was not initialised, or a handle."""

    def __init__(self, tensor_proto, initialized=True):
        self._tensor_proto, self._initialized = tensor_proto, initialized

    def __str__(self):
        return ("" if self._initialized else "Uninitialized tensor:\n") + str(self._tensor_proto)

    @property
    def initialized(self):
        """Whether the tensor had a value."""
        return self._initialized


class NoDumpedValue:
    """The value of a dump of which nothing is left."""


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """Nothing was dumped under that key."""


def _shown(value):
    """The array of a dump, or what stands for it."""
    if not isinstance(value, tuple):
        return value
    initialized, text = value
    return InconvertibleTensorProto(text, initialized)


def has_inf_or_nan(datum, tensor):
    """Whether a dumped tensor holds a number that is not finite."""
    del datum
    import numpy as np
    if isinstance(tensor, InconvertibleTensorProto) or not isinstance(tensor, (np.ndarray, np.generic)):
        return False
    if not np.issubdtype(tensor.dtype, np.number):
        return False
    return bool(np.any(np.isnan(tensor)) or np.any(np.isinf(tensor)))


def load_tensor_from_event(event):
    """The array in an Event of a debugger."""
    return _shown(_rill.read_debug_event(event))


def load_tensor_from_event_file(event_file_path):
    """The array in a file that holds one such Event."""
    event = proto.message_class("tensorflow/core/util/event.proto", "Event")()
    with open(event_file_path, "rb") as file:
        event.ParseFromString(file.read())
    return load_tensor_from_event(event)


def reconstruct_non_debug_graph_def(debug_graph_def):
    """A graph without what watches put into it."""
    return _rill.without_debug_nodes(debug_graph_def)


def get_node_name(element_name):
    """"a" of "a:0"."""
    return element_name.split(":")[0].removeprefix("^")


def get_output_slot(element_name):
    """0 of "a:0", and of "a"."""
    name, _, slot = element_name.partition(":")
    del name
    return int(slot) if slot else 0


def parse_node_or_tensor_name(name):
    """("a", 0) of "a:0", ("a", None) of "a"."""
    if ":" in name and not name.endswith(":"):
        node, _, slot = name.rpartition(":")
        return node, int(slot)
    return name, None


class DebugTensorDatum:
    """One dump of a tensor."""

    def __init__(self, dump_root, debug_dump_rel_path):
        self._core = _rill.DumpDatum(str(dump_root), str(debug_dump_rel_path))

    @classmethod
    def _of(cls, core):
        datum = cls.__new__(cls)
        datum._core = core
        return datum

    _shown = staticmethod(_shown)

    def get_tensor(self):
        """The array; an InconvertibleTensorProto where there is none."""
        return _shown(self._core.read())

    node_name = property(lambda self: self._core.node_name)
    output_slot = property(lambda self: self._core.output_slot)
    debug_op = property(lambda self: self._core.debug_op)
    timestamp = property(lambda self: self._core.timestamp)
    extended_timestamp = property(lambda self: self._core.extended_timestamp)
    device_name = property(lambda self: self._core.device_name)
    file_path = property(lambda self: self._core.file_path)
    dump_size_bytes = property(lambda self: self._core.dump_size_bytes)

    @property
    def tensor_name(self):
        """"node:slot"."""
        return f"{self.node_name}:{self.output_slot}"

    @property
    def watch_key(self):
        """"node:slot:debug_op"."""
        return f"{self.tensor_name}:{self.debug_op}"

    def __str__(self):
        return self._core.text()

    __repr__ = __str__


class DebugDumpDir:
    """What a run dumped: tensors, graphs, and what is known of the run."""

    def __init__(self, dump_root, partition_graphs=None, validate=True):
        self._core = _rill.DumpDir(str(dump_root), partition_graphs, bool(validate))
        self._dump_root, self._python_graph = dump_root, None
        self._data = [DebugTensorDatum._of(core) for core in self._core.data()]

    size = property(lambda self: len(self._data))
    t0 = property(lambda self: self._core.t0 or None)
    dumped_tensor_data = property(lambda self: list(self._data))
    python_graph = property(lambda self: self._python_graph)

    @property
    def core_metadata(self):
        """Of the run; a list where the directory has several."""
        found = [CoreMetadata(*entry) for entry in self._core.core_metadata()]
        return found[0] if len(found) == 1 else found

    @property
    def run_fetches_info(self):
        """What the run fetched, in words; a list where the directory has several."""
        found = self._core.fetches_info()
        return found[0] if len(found) == 1 else found

    @property
    def run_feed_keys_info(self):
        """What the run was fed, in words."""
        found = self._core.feed_keys_info()
        return found[0] if len(found) == 1 else found

    def devices(self):
        """The names of the devices that dumped, or have a graph."""
        return self._core.devices()

    # --- graphs

    def set_python_graph(self, python_graph):
        """Tells the graph as the program built it, which knows where each node was made."""
        self._python_graph = python_graph

    def loaded_partition_graphs(self):
        """Whether the graphs are known."""
        return self._core.has_graphs()

    def partition_graphs(self):
        """The graphs of the devices, with watches."""
        return list(self._checked_graphs(True).values())

    def reconstructed_non_debug_partition_graphs(self):
        """By device, the graphs without watches."""
        return self._checked_graphs(False)

    def _checked_graphs(self, with_watches):
        if not self._core.has_graphs():
            raise LookupError("No partition graphs have been loaded.")
        return self._core.graphs(with_watches)

    def nodes(self, device_name=None):
        """The names of all nodes."""
        self._checked_device(device_name)
        return self._core.nodes(device_name or "")

    def _checked_device(self, device_name):
        if not self._core.has_graphs():
            raise LookupError("Nodes have not been loaded from partition graphs yet.")
        if device_name is not None and device_name not in self.devices():
            raise ValueError(f"Invalid device name: {device_name}")

    def node_exists(self, node_name, device_name=None):
        """Whether a graph has the node."""
        self._checked_device(device_name)
        return self._core.has_node(node_name, device_name or "")

    def node_device(self, node_name):
        """The device that runs a node; a list of them where several do."""
        self._checked_device(None)
        found = [device for device in self.devices() if self._core.has_node(node_name, device)]
        if not found:
            raise ValueError(f"Node '{node_name}' does not exist in partition graphs.")
        return found[0] if len(found) == 1 else found

    def node_op_type(self, node_name, device_name=None):
        """The op of a node."""
        self._checked_device(device_name)
        return self._core.node_op(node_name, device_name or "")

    def node_attributes(self, node_name, device_name=None):
        """The attributes of a node, by name."""
        self._checked_device(device_name)
        return self._core.node_attributes(node_name, device_name or "")

    def node_inputs(self, node_name, is_control=False, device_name=None):
        """What a node reads, or waits for."""
        self._checked_device(device_name)
        return self._core.node_inputs(node_name, is_control, device_name or "")

    def node_recipients(self, node_name, is_control=False, device_name=None):
        """Who reads what a node makes, or waits for it."""
        self._checked_device(device_name)
        return self._core.node_readers(node_name, is_control, device_name or "")

    def transitive_inputs(self, node_name, include_control=True, include_reversed_ref=False, device_name=None):
        """Everything that a node depends on."""
        del include_reversed_ref
        self._checked_device(device_name)
        return self._core.transitive_inputs(node_name, include_control, device_name or "")

    def find_some_path(self, src_node_name, dst_node_name, include_control=True, include_reversed_ref=False,
                       device_name=None):
        """A way from one node to another, or None."""
        del include_reversed_ref
        self._checked_device(device_name)
        return self._core.find_path(src_node_name, dst_node_name, include_control)

    def node_traceback(self, element_name):
        """Where the program made a node: frames as tracebacks have them."""
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = get_node_name(element_name)
        try:
            operation = self._python_graph.get_operation_by_name(name)
        except KeyError:
            raise KeyError(f"Cannot find node \"{name}\" in Python graph") from None
        return operation.traceback

    # --- dumps

    def debug_watch_keys(self, node_name, device_name=None):
        """The keys under which a node was dumped."""
        return self._core.watch_keys(node_name, device_name or "")

    def watch_key_to_data(self, debug_watch_key, device_name=None):
        """The dumps under a key, in the order of time."""
        return [DebugTensorDatum._of(core) for core in self._core.dumps_of(debug_watch_key, device_name or "")]

    def _dumps(self, node_name, output_slot, debug_op, device_name):
        key = f"{node_name}:{output_slot}:{debug_op}"
        found = self.watch_key_to_data(key, device_name)
        if not found:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f"Watch key \"{key}\" does not exist in the debug dump of device {device_name}")
        return found

    def get_tensor_file_paths(self, node_name, output_slot, debug_op, device_name=None):
        """The files of the dumps."""
        return [datum.file_path for datum in self._dumps(node_name, output_slot, debug_op, device_name)]

    def get_tensors(self, node_name, output_slot, debug_op, device_name=None):
        """The arrays of the dumps."""
        return [datum.get_tensor() for datum in self._dumps(node_name, output_slot, debug_op, device_name)]

    def get_rel_timestamps(self, node_name, output_slot, debug_op, device_name=None):
        """The times of the dumps, counted from the first of the run."""
        return [datum.timestamp - self.t0 for datum in self._dumps(node_name, output_slot, debug_op, device_name)]

    def get_dump_sizes_bytes(self, node_name, output_slot, debug_op, device_name=None):
        """The sizes of the files."""
        return [datum.dump_size_bytes for datum in self._dumps(node_name, output_slot, debug_op, device_name)]

    def find(self, predicate, first_n=0, device_name=None, exclude_node_names=None):
        """The dumps for which predicate(datum, array) is true."""
        import re
        excluded = re.compile(exclude_node_names) if exclude_node_names else None
        found = []
        for datum in self._data:
            if device_name is not None and datum.device_name != device_name:
                continue
            if excluded and excluded.match(datum.node_name):
                continue
            if predicate(datum, datum.get_tensor()):
                found.append(datum)
                if 0 < first_n <= len(found):
                    break
        return found


def extract_core_metadata_from_event_proto(event):
    """What an Event says of the run."""
    return CoreMetadata(**{name: value for name, value in json.loads(event.log_message.message).items()
                           if name in CoreMetadata._fields})
