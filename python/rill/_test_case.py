"""tf.test.TestCase."""

import contextlib
import os
import random
import re
import sys
import tempfile
import threading
import unittest

import numpy as np

from rill import _nest, _rill, errors
from rill._slices import IndexedSlices, IndexedSlicesValue
from rill._sparse_tensor import SparseTensor, SparseTensorValue
from rill._test_arrays import ArrayAssertions
from rill._test_assertions import PlainAssertions

SEED = 87654321


class _CheckedThread:
    """A thread whose failure fails the test that joins it."""

    def __init__(self, testcase, target, args=None, kwargs=None):
        self._testcase, self._target = testcase, target
        self._args, self._kwargs = args or (), kwargs or {}
        self._exception, self._joined = None, False
        self._thread = threading.Thread(target=self._protected_run)

    def _protected_run(self):
        try:
            self._target(*self._args, **self._kwargs)
        except Exception as error:
            self._exception = error

    def start(self):
        self._thread.start()

    def join(self):
        self._joined = True
        self._thread.join()
        if self._exception is not None:
            self._testcase.fail(f"Error in checkedThread: {self._exception}")

    def is_alive(self):
        return self._thread.is_alive()

    def check_termination(self):
        if not self._joined:
            self._testcase.fail("A checked thread was not joined.")


def _soft(config, force_gpu):
    """The configuration of a test's session: what asks for a device that is not there runs elsewhere."""
    if force_gpu:
        return config
    from rill import ConfigProto
    soft = ConfigProto()
    if config is not None:
        soft.CopyFrom(config)
    soft.allow_soft_placement = True
    return soft


class TestCase(ArrayAssertions, PlainAssertions, unittest.TestCase):
    """unittest's, for programs of tensors: sessions, seeds, and comparisons of arrays."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._threads, self._tempdir, self._cached_session = [], None, None

    def setUp(self):
        self._ClearCachedSession()
        random.seed(SEED)
        np.random.seed(SEED)
        try:
            _rill.reset_default_graph()
        except AssertionError:  # around the test another graph is the default one
            fresh = _rill.Graph().as_default()
            fresh.__enter__()
            self.addCleanup(fresh.__exit__, None, None, None)
        _rill.functions.random.set_random_seed(SEED)

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._ClearCachedSession()

    def _ClearCachedSession(self):
        if self._cached_session is not None:
            self._cached_session[0].close()
            self._cached_session = None

    def get_temp_dir(self):
        """A folder of this test, empty at first."""
        if not self._tempdir:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    def checkedThread(self, target, args=None, kwargs=None):
        thread = _CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    # --- sessions ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A new session, the default one in the block."""
        with _rill.Session("", graph, _soft(config, force_gpu)) as sess:
            with self._placed(sess, use_gpu, force_gpu):
                yield sess

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """The session of this test; its variables live from block to block."""
        wanted = (graph, config, force_gpu)
        if self._cached_session is None:
            self._cached_session = _rill.Session("", graph, _soft(config, force_gpu)), wanted
        sess, given = self._cached_session
        for was, now, what in zip(given, wanted, ("graph", "config", "force_gpu value")):
            if was is not now and was != now:
                raise ValueError(f"The {what} used to get the cached session is different than the one that "
                                 "was used to create the session. Maybe create a new session with "
                                 "self.session()")
        with self._placed(sess, use_gpu, force_gpu):
            yield sess

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """cached_session where no graph is given, else session."""
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")  # unittest goes by names
        kind = self.cached_session if graph is None else self.session
        return kind(graph, config, use_gpu, force_gpu)

    @staticmethod
    @contextlib.contextmanager
    def _placed(sess, use_gpu, force_gpu):
        with sess.graph.as_default(), sess.as_default():
            if force_gpu or not use_gpu:
                with sess.graph.device("/device:GPU:0" if force_gpu else "/device:CPU:0"):
                    yield
            else:
                yield

    @staticmethod
    def _is_symbolic(value):
        return isinstance(value, (_rill.Tensor, _rill.Operation)) or (
            hasattr(value, "_as_graph_element") or _nest.is_composite(value))

    @staticmethod
    def _value_of(item):
        if callable(item) and not hasattr(item, "numpy"):
            item = item()
        if isinstance(item, SparseTensor):
            return SparseTensorValue(item.indices.numpy(), item.values.numpy(), item.dense_shape.numpy())
        if isinstance(item, IndexedSlices):
            return IndexedSlicesValue(item.values.numpy(), item.indices.numpy(),
                                      None if item.dense_shape is None else item.dense_shape.numpy())
        return item.numpy() if hasattr(item, "numpy") else item

    def evaluate(self, tensors):
        """The values of a structure of tensors, in the default session."""
        if _rill.executing_eagerly():
            return _nest.map_structure(self._value_of, tensors)
        if not any(self._is_symbolic(leaf) for leaf in _nest.flatten(tensors)):
            return tensors
        sess = _rill.get_default_session()
        if sess is None:
            with self.test_session() as sess:
                return sess.run(tensors)
        return sess.run(tensors)

    # --- messages and errors ----------------------------------------------------------------------------------

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        """A message equals another, or what a text of its kind says."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            from google.protobuf import text_format
            expected = text_format.Parse(expected, type(message)())
        if type(expected).DESCRIPTOR.full_name != type(message).DESCRIPTOR.full_name:
            self.fail(f"Can't compare protos of type {type(expected)} and {type(message)}.")
        if expected != message:
            self.assertMultiLineEqual(str(expected), str(message), msg)

    def assertProtoEqualsVersion(self, expected, actual, producer=134, min_consumer=0, msg=None):
        text = f"versions {{ producer: {producer} min_consumer: {min_consumer} }};\n{expected}"
        self.assertProtoEquals(text, actual, msg=msg)

    def assertDeviceEqual(self, device1, device2, msg=None):
        names = [_rill.DeviceSpec.from_string(d).to_string() if isinstance(d, str) else
                 (d.to_string() if hasattr(d, "to_string") else "") for d in (device1, device2)]
        self.assertEqual(names[0], names[1], msg or f"Devices {device1} and {device2} are not equal.")

    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate,
                                       callable_obj=None, *args, **kwargs):
        """The block raises an error of the class whose text fits a pattern, or a function says so."""
        fits = expected_err_re_or_predicate
        if not callable(fits):
            def fits(error):
                text = error.message if isinstance(error, errors.OpError) else str(error)
                return re.search(expected_err_re_or_predicate, text)

        def check(error):
            if not fits(error):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        return self._raises(exception_type, check, callable_obj, args, kwargs)

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """What is written to a stream that is a file, in the block; ask contents()."""
        number, kept = stream.fileno(), os.dup(stream.fileno())
        with tempfile.TemporaryFile() as captured:
            stream.flush()
            os.dup2(captured.fileno(), number)
            writes = _CapturedWrites()
            try:
                yield writes
            finally:
                stream.flush()
                os.dup2(kept, number)
                os.close(kept)
                captured.seek(0)
                writes.text = captured.read().decode(errors="replace")


class _CapturedWrites:
    text = ""

    def contents(self):
        return self.text


def get_temp_dir():
    """The folder for the files of this run of the tests."""
    global _temp_dir
    if _temp_dir is None:
        _temp_dir = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        import atexit
        import shutil
        atexit.register(shutil.rmtree, _temp_dir, ignore_errors=True)
    return _temp_dir


_temp_dir = None


def main(argv=None):
    """Runs the tests of the program, after its flags are read."""
    from rill import app
    program = (argv or sys.argv)[0]

    def run(rest):
        unittest.main(argv=rest if rest[:1] == [program] else [program, *rest])
    app.run(main=run, argv=argv)
