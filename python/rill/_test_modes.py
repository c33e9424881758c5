"""Decorators of tests about modes: graphs and sessions, and eager execution."""

import functools
import gc
import unittest

from rill import _rill

_REPEATS = 4  # of a test that is looked at for what it leaves


def _in_both_modes(method, reset_test=True):
    @functools.wraps(method)
    def run(self, *args, **kwargs):
        try:
            with _rill.Graph().as_default(), self.test_session():
                method(self, *args, **kwargs)
        except unittest.SkipTest:
            pass
        if reset_test:
            self.tearDown()
            self._tempdir = None
            self.setUp()
        with _rill.eager_graph().as_default():
            method(self, *args, **kwargs)
    return run


def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, reset_test=True,
                                 assert_no_eager_garbage=False):
    """Runs the test in a session, and again in eager execution."""
    del config, use_gpu, assert_no_eager_garbage
    decorate = functools.partial(_in_both_modes, reset_test=reset_test)
    return decorate if func is None else decorate(func)


def run_all_in_graph_and_eager_modes(cls):
    """Runs every test of the class in a session, and again in eager execution."""
    for name in dir(cls):
        if name.startswith("test") and name not in ("test_session",):
            setattr(cls, name, _in_both_modes(getattr(cls, name)))
    return cls


def run_deprecated_v1(func=None):
    """Runs the test where functions build a graph, also when eager execution is on."""
    def decorate(function):
        @functools.wraps(function)
        def run(self, *args, **kwargs):
            if not _rill.executing_eagerly():
                return function(self, *args, **kwargs)
            with _rill.Graph().as_default():
                return function(self, *args, **kwargs)
        return run
    return decorate if func is None else decorate(func)


deprecated_graph_mode_only = run_deprecated_v1


def run_v2_only(func=None):
    """Skips the test: programs of TensorFlow 1 run without the behaviour of TensorFlow 2."""
    def decorate(function):
        @functools.wraps(function)
        def run(self, *args, **kwargs):
            self.skipTest("Test is only compatible with v2")
        return run
    return decorate if func is None else decorate(func)


def also_run_as_tf_function(f):
    """Runs the test in eager execution."""
    @functools.wraps(f)
    def run(self, *args, **kwargs):
        with _rill.eager_graph().as_default():
            f(self, *args, **kwargs)
    return run


def assert_no_new_tensors(f):
    """Fails where tensors with values outlive the test."""
    @functools.wraps(f)
    def run(self, *args, **kwargs):
        before = _living()
        f(self, *args, **kwargs)
        self.assertLessEqual(_living(), before, "Tensors not deallocated after test.")
    return run


def assert_no_new_pyobjects_executing_eagerly(func=None, warmup_iters=2):
    """Runs the test several times in eager execution and fails where objects are left each time."""
    def decorate(function):
        @functools.wraps(function)
        def run(self, *args, **kwargs):
            with _rill.eager_graph().as_default():
                for _ in range(warmup_iters):
                    function(self, *args, **kwargs)
                before, objects = _living(), len(gc.get_objects())
                for _ in range(_REPEATS):
                    function(self, *args, **kwargs)
                self.assertLessEqual(_living(), before, "Tensors are left after each run of the test.")
                self.assertLess(len(gc.get_objects()) - objects, _REPEATS, "Objects are left after each run of the test.")
        return run
    return decorate if func is None else decorate(func)


def assert_no_garbage_created(f):
    """Fails where the test leaves objects in circles, which only the garbage collector finds."""
    @functools.wraps(f)
    def run(self, *args, **kwargs):
        gc.collect()
        was, flags = len(gc.garbage), gc.get_debug()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            f(self, *args, **kwargs)
            gc.collect()
            left = len(gc.garbage) - was
        finally:
            gc.set_debug(flags)
            del gc.garbage[was:]
        self.assertEqual(left, 0, "The test leaves garbage.")
    return run


def _living():
    gc.collect()
    return _rill.living_eager_nodes()


def run_v1_only(reason, func=None):
    del reason
    return (lambda function: function) if func is None else func


def disable_xla(description):
    del description
    return lambda function: function


def run_gpu_only(func=None):
    """Skips the test where there is no GPU."""
    def decorate(function):
        @functools.wraps(function)
        def run(self, *args, **kwargs):
            from rill import test
            if not test.is_gpu_available():
                raise unittest.SkipTest("Test requires GPU")
            return function(self, *args, **kwargs)
        return run
    return decorate if func is None else decorate(func)
