"""tf.summary.FileWriter and what reads its files; the writing is done in C++."""

import threading
import warnings

from rill import _rill


def _step(global_step):
    return None if global_step is None else int(global_step)


def _is_message(value, name):
    return type(value).__name__ == name and hasattr(value, "SerializeToString")


class FileWriter:
    """Writes summaries, graphs and other events to files that TensorBoard reads."""

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None,
                 filename_suffix=None, session=None):
        if _rill.executing_eagerly():
            raise RuntimeError("tf.summary.FileWriter is not compatible with eager execution. "
                               "Use tf.contrib.summary instead.")
        self._logdir, self._closed = str(logdir), False
        options = (self._logdir, max_queue, flush_secs, filename_suffix or "")
        if session is None:
            self._core = _rill.FileWriterCore(*options, None)
        else:
            with session.graph.as_default():
                self._core = _rill.FileWriterCore(*options, lambda operation, tensor, event: session.run(
                    operation, None if tensor is None else {tensor: event}))
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)
            if isinstance(graph, _rill.Graph):
                self._core.add_meta_graph_of(graph)
            else:
                self.add_meta_graph(_rill.meta_graph_of(self._given_graph(graph, graph_def)))

    @classmethod
    def _of(cls, logdir, core):
        writer = cls.__new__(cls)
        writer._logdir, writer._closed, writer._core = str(logdir), False, core
        return writer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def event_writer(self):
        """What events are added to: this writer."""
        return self

    def get_logdir(self):
        """The directory of the files."""
        return self._logdir

    def _is_open(self):
        if self._closed:
            warnings.warn("Attempting to use a closed FileWriter. The operation will be a noop unless the "
                          "FileWriter is explicitly reopened.", stacklevel=3)
        return not self._closed

    def add_summary(self, summary, global_step=None):
        """Writes a Summary, or the bytes of one that a run returned."""
        if self._is_open():
            self._core.add_summary(summary, _step(global_step))

    def add_session_log(self, session_log, global_step=None):
        """Writes a SessionLog."""
        if self._is_open():
            self._core.add_session_log(session_log, _step(global_step))

    @staticmethod
    def _given_graph(graph, graph_def):
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        given = graph if graph is not None else graph_def
        if isinstance(given, _rill.Graph) or _is_message(given, "GraphDef"):
            return given
        raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Writes a Graph, or a GraphDef."""
        found = self._given_graph(graph, graph_def)
        if not self._is_open():
            return
        if isinstance(found, _rill.Graph):
            self._core.add_whole_graph(found, _step(global_step))
        else:
            self._core.add_graph(found, _step(global_step))

    def add_meta_graph(self, meta_graph_def, global_step=None):
        """Writes a MetaGraphDef."""
        if not _is_message(meta_graph_def, "MetaGraphDef"):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        if self._is_open():
            self._core.add_meta_graph(meta_graph_def, _step(global_step))

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Writes what a run told about itself, under a tag that no other has."""
        if self._is_open():
            self._core.add_run_metadata(run_metadata, tag, _step(global_step))

    def add_event(self, event):
        """Writes an Event as it is."""
        if self._is_open():
            self._core.add_event(event)

    def flush(self):
        """Everything added before is in the file afterwards."""
        if self._is_open():
            self._core.flush()

    def close(self):
        """Flushes, and writes nothing more."""
        self._core.close()
        self._closed = True

    def reopen(self):
        """Writes again, to a new file."""
        self._core.reopen()
        self._closed = False


class FileWriterCache:
    """One FileWriter for each directory, C++'s and Python's the same."""

    _cache = {}
    _lock = threading.RLock()

    @staticmethod
    def clear():
        """Closes and forgets all of them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}
            _rill.clear_file_writers()

    @staticmethod
    def get(logdir):
        """The writer for a directory; a new one begins with the default graph."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter._of(logdir, _rill.cached_file_writer(str(logdir)))
            return FileWriterCache._cache[logdir]


class SummaryIterator:
    """The events of one file."""

    def __init__(self, path):
        self._reader = _rill.EventReader(path if isinstance(path, str) else path.decode())

    def __iter__(self):
        return self

    def __next__(self):
        event = self._reader.read()
        if event is None:
            raise StopIteration
        return event

    next = __next__
