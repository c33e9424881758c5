"""tf.contrib.summary: the writer and the condition that summaries are recorded with."""

import contextlib
import os
import threading

from rill import _rill


class _State(threading.local):
    writer = condition = None


_state = _State()


def _set_writer(writer):
    old, _state.writer = _state.writer, writer
    _rill.set_summary_writer(writer and writer._core)
    return old


class SummaryWriter:
    """Writes event files from inside of steps; without a directory it writes nothing."""

    def __init__(self, core=None):
        self._core = core

    @property
    def _resource(self):
        return self._core and self._core.resource

    def set_as_default(self):
        """Makes this the writer of summaries."""
        if self._core is not None:
            _set_writer(self)

    @contextlib.contextmanager
    def as_default(self):
        """Makes this the writer of summaries in a block."""
        if self._core is None:
            yield self
            return
        old = _set_writer(self)
        try:
            yield self
            self.flush()
        finally:
            _set_writer(old)

    def init(self):
        """An operation that opens the file."""
        return self._core and self._core.init()

    def flush(self):
        """An operation that lets readers see what was written."""
        return self._core and self._core.flush()

    def close(self):
        """An operation that ends the file."""
        return self._core and self._core.close()


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    """A writer of files below a directory; None for one that writes nothing."""
    if logdir is None:
        return SummaryWriter()
    return SummaryWriter(_rill.SummaryWriterCore(str(logdir), max_queue, flush_millis, filename_suffix, name))


def create_db_writer(db_uri, experiment_name=None, run_name=None, user_name=None, name=None):
    """A writer to a database, which there is none for."""
    from rill import errors
    raise errors.UnimplementedError(None, None, f"create_db_writer({db_uri!r}): summaries are written to files")


@contextlib.contextmanager
def record_if(condition):
    """Records summaries in a block where the condition holds."""
    old, _state.condition = _state.condition, condition
    _rill.set_record_condition(condition)
    try:
        yield
    finally:
        _state.condition = old
        _rill.set_record_condition(old)


def always_record_summaries():
    """Records all summaries of a block."""
    return record_if(True)


def never_record_summaries():
    """Records no summaries of a block."""
    return record_if(False)


def record_summaries_every_n_global_steps(n, global_step=None):
    """Records summaries in steps whose number is a multiple of n."""
    import rill as tf
    if global_step is None:
        global_step = tf.train.get_or_create_global_step()
    with tf.device("cpu:0"):
        return record_if(tf.equal(global_step % n, 0))


def flush(writer=None, name=None):
    """An operation that lets readers see what was written."""
    writer = writer or _state.writer
    if writer is None:
        return _rill.no_op()
    if not isinstance(writer, SummaryWriter):
        raise ValueError(f"Invalid argument to flush(): {writer!r}")
    return writer.flush()


def eval_dir(model_dir, name=None):
    """Where the evaluation of a model writes."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


def initialize(graph=None, session=None):
    """Opens the files of all writers of the default graph, and writes `graph`."""
    if _rill.executing_eagerly():
        return
    if _state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    import rill as tf
    session = session or tf.get_default_session()
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(_rill.functions.contrib.summary.summary_writer_initializer_op())
    if graph is not None:
        data = graph.as_graph_def(add_shapes=True) if isinstance(graph, tf.Graph) else graph
        fed = tf.placeholder(tf.string)
        write = _rill.functions.contrib.summary.graph(fed, 0)
        session.run(write, {fed: data.SerializeToString()})
