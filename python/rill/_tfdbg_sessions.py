"""Sessions and hooks under a debugger: faces of the observers of rill/inspect/debugger."""

import os
import re
import threading

from rill import _rill
from rill._session_run_hook import SessionRunHook
from rill._tfdbg_data import DebugTensorDatum
from rill._tfdbg_eval import evaluate
from rill._tfdbg_watch import WatchOptions


class BaseDebugWrapperSession:
    """A session whose runs a debugger stands before. All else is the session's."""

    def __init__(self, sess, observer, thread_name_filter=None, pass_through_operrors=False):
        if not hasattr(sess, "run"):
            raise TypeError(f"Expected type {_rill.Session}; got type {type(sess)}")
        if pass_through_operrors:
            pass  # errors of steps always come out as they are
        self._sess, self._observer = sess, observer
        self._thread_name_filter = re.compile(thread_name_filter) if thread_name_filter else None
        self._run_call_count = 0
        self._contexts = []

    def __getattr__(self, name):
        if name == "_sess":
            raise AttributeError(name)
        return getattr(self._sess, name)

    graph = property(lambda self: self._sess.graph)
    graph_def = property(lambda self: self._sess.graph_def)
    sess_str = property(lambda self: self._sess.sess_str)
    session = property(lambda self: self._sess)
    run_call_count = property(lambda self: self._run_call_count)

    def _tf_sess(self):
        """The session itself, for loops that run it by themselves: from now on all of its runs are observed."""
        session = self._sess if isinstance(self._sess, _rill.Session) else self._sess._tf_sess()
        _rill.observe_session(session, self._observer)
        return session

    def _is_observed(self):
        return self._thread_name_filter is None or bool(
            self._thread_name_filter.match(threading.current_thread().name))

    def _observed(self, call):
        if not self._is_observed():
            return call()
        self._run_call_count += 1
        _rill.observe_next_run(self._observer)
        try:
            return call()
        finally:
            _rill.observe_next_run(None)

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """One run, under the debugger."""
        return self._observed(lambda: self._sess.run(fetches, feed_dict=feed_dict, options=options,
                                                     run_metadata=run_metadata))

    def run_step_fn(self, step_fn):
        """A step function of a monitored session, whose runs are under the debugger."""
        return self._sess.run_step_fn(step_fn)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function that runs, under the debugger."""
        feeds = list(feed_list or [])

        def call(*values, **kwargs):
            if len(values) != len(feeds):
                raise TypeError(f"expected {len(feeds)} values, one for each fed tensor, but got {len(values)}")
            if kwargs and not accept_options:
                raise TypeError("a callable made without accept_options takes no keyword arguments")
            return self.run(fetches, dict(zip(feeds, values)), **kwargs)
        return call

    def partial_run_setup(self, fetches, feeds=None):
        """Partial runs cannot be debugged."""
        raise NotImplementedError("partial_run_setup is not implemented for debug-wrapper sessions.")

    def partial_run(self, handle, fetches, feed_dict=None):
        """Partial runs cannot be debugged."""
        raise NotImplementedError("partial_run is not implemented for debug-wrapper sessions.")

    def increment_run_call_count(self):
        """Counts a run that was made otherwise."""
        self._run_call_count += 1

    def as_default(self):
        """This session as the default one."""
        return _rill.default_session_context(self)

    def close(self):
        """Closes the session."""
        self._sess.close()

    def __enter__(self):
        contexts = [self.graph.as_default(), self.as_default()]
        for context in contexts:
            context.__enter__()
        self._contexts.append(contexts)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        for context in reversed(self._contexts.pop()):
            context.__exit__(exc_type, exc_value, traceback)


def _command_line(ui_type, dump_root, config_file_path):
    return _rill.command_line_observer(ui_type, str(dump_root or ""), str(config_file_path or ""), evaluate)


def _default_ui():
    """The one of tf_debug.LocalCLIDebugWrapperSession(sess): lines where there is no screen."""
    return "curses"


class LocalCLIDebugWrapperSession(BaseDebugWrapperSession):
    """A session with tfdbg's command line before and after its runs."""

    def __init__(self, sess, dump_root=None, log_usage=True, ui_type=None, thread_name_filter=None,
                 config_file_path=None):
        del log_usage
        super().__init__(sess, _command_line(ui_type or _default_ui(), dump_root, config_file_path),
                         thread_name_filter)

    def add_tensor_filter(self, filter_name, tensor_filter):
        """A filter: a function of a DebugTensorDatum and an array."""
        self._observer.add_tensor_filter(filter_name, tensor_filter, DebugTensorDatum._of)


class RecordingDebugWrapperSession(BaseDebugWrapperSession):
    """A session whose latest runs are recorded: any tensor of them can be asked for afterwards."""

    def __init__(self, sess, runs=100, ui_type=None, thread_name_filter=None, config_file_path=None):
        super().__init__(sess, _rill.run_recorder(ui_type or _default_ui(), str(config_file_path or ""), runs, evaluate),
                         thread_name_filter)

    def add_tensor_filter(self, filter_name, tensor_filter):
        """A filter: a function of a DebugTensorDatum and an array."""
        self._observer.add_tensor_filter(filter_name, tensor_filter, DebugTensorDatum._of)

    def recorded_runs(self):
        """The numbers of the runs that are kept, from 1 for the first."""
        return self._observer.numbers()

    def value_in(self, run, tensor):
        """What a tensor was in a recorded run: the run is run again. None where it did not make it."""
        return self._observer.value_in(run, getattr(tensor, "name", tensor))

    def look_back(self):
        """tfdbg's command line at the last recorded run, from where one goes back and forth."""
        self._observer.look_back()


def _watch_function(watch_fn):
    """`watch_fn` as C++ calls it: WatchOptions, whatever form the program gives them."""
    if watch_fn is None:
        return None
    if not callable(watch_fn):
        raise TypeError("watch_fn is not callable")

    def call(fetches, feeds):
        wanted = watch_fn(fetches, feeds)
        if isinstance(wanted, tuple):
            wanted = WatchOptions(*wanted)
        if wanted is None:
            wanted = WatchOptions()
        return wanted
    return call


class _PublishingSession(BaseDebugWrapperSession):
    """A session whose runs are published. `watch_fn` is called with what the program fetches and feeds."""

    def __init__(self, sess, make_observer, watch_fn, thread_name_filter):
        self._asked = ([], [])
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        function = watch_fn and _watch_function(lambda fetches, feeds: watch_fn(*self._asked))
        super().__init__(sess, make_observer(function), thread_name_filter)

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """One run, which is published."""
        self._asked = (fetches, feed_dict)
        return super().run(fetches, feed_dict, options, run_metadata)


class DumpingDebugWrapperSession(_PublishingSession):
    """A session whose runs are dumped below a directory."""

    def __init__(self, sess, session_root, watch_fn=None, thread_name_filter=None, pass_through_operrors=None,
                 log_usage=True):
        del pass_through_operrors, log_usage
        self._session_root = session_root
        super().__init__(sess, lambda watch: _rill.dumping_observer(str(session_root), watch), watch_fn,
                         thread_name_filter)


def _addresses(given):
    return [given] if isinstance(given, str) else list(given)


class GrpcDebugWrapperSession(_PublishingSession):
    """A session whose runs are streamed to debuggers' servers."""

    _sends_sources = False

    def __init__(self, sess, grpc_debug_server_addresses, watch_fn=None, thread_name_filter=None, log_usage=True):
        del log_usage
        if not isinstance(grpc_debug_server_addresses, (str, list, tuple)):
            raise TypeError(f"Expected type str or list in grpc_debug_server_addresses, received type "
                            f"{type(grpc_debug_server_addresses)}")
        sends = self._sends_sources
        super().__init__(sess, lambda watch: _rill.grpc_observer(_addresses(grpc_debug_server_addresses), watch, sends),
                         watch_fn, thread_name_filter)


def _gated_watch_fn(fetches, feeds):
    del fetches, feeds
    return WatchOptions(debug_ops=["DebugIdentity(gated_grpc=true)"])


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """A session for TensorBoard's debugger: it asks for the tensors that it wants to see."""

    def __init__(self, sess, grpc_debug_server_addresses, thread_name_filter=None, send_traceback_and_source_code=True,
                 log_usage=True):
        self._sends_sources = bool(send_traceback_and_source_code)
        super().__init__(sess, grpc_debug_server_addresses, watch_fn=_gated_watch_fn,
                         thread_name_filter=thread_name_filter, log_usage=log_usage)


class _ObservingHook(SessionRunHook):
    """A hook that puts a debugger before the steps of a monitored session."""

    def __init__(self, observer, thread_name_filter=None):
        self._observer = observer
        self._thread_name_filter = re.compile(thread_name_filter) if thread_name_filter else None

    def before_run(self, run_context):
        """The step that begins now is observed."""
        del run_context
        if self._thread_name_filter and not self._thread_name_filter.match(threading.current_thread().name):
            return None
        _rill.observe_next_run(self._observer)
        return None


class LocalCLIDebugHook(_ObservingHook):
    """tfdbg's command line for monitored sessions and estimators."""

    def __init__(self, ui_type=None, dump_root=None, thread_name_filter=None, config_file_path=None):
        super().__init__(_command_line(ui_type or _default_ui(), dump_root, config_file_path), thread_name_filter)

    def add_tensor_filter(self, filter_name, tensor_filter):
        """A filter: a function of a DebugTensorDatum and an array."""
        self._observer.add_tensor_filter(filter_name, tensor_filter, DebugTensorDatum._of)


class DumpingDebugHook(_ObservingHook):
    """Dumps the steps of monitored sessions and estimators."""

    def __init__(self, session_root, watch_fn=None, thread_name_filter=None, log_usage=True):
        del log_usage
        super().__init__(_rill.dumping_observer(os.fspath(session_root), _watch_function(watch_fn)),
                         thread_name_filter)


class GrpcDebugHook(_ObservingHook):
    """Streams the steps of monitored sessions and estimators to debuggers' servers."""

    def __init__(self, grpc_debug_server_addresses, watch_fn=None, thread_name_filter=None, log_usage=True,
                 _sends_sources=False):
        del log_usage
        super().__init__(_rill.grpc_observer(_addresses(grpc_debug_server_addresses), _watch_function(watch_fn),
                                             _sends_sources), thread_name_filter)


class TensorBoardDebugHook(GrpcDebugHook):
    """The same for TensorBoard's debugger."""

    def __init__(self, grpc_debug_server_addresses, thread_name_filter=None, send_traceback_and_source_code=True,
                 log_usage=True):
        super().__init__(grpc_debug_server_addresses, _gated_watch_fn, thread_name_filter, log_usage,
                         bool(send_traceback_and_source_code))
