"""Decorators of tests about modes: graphs and sessions, and eager execution."""

import functools
import unittest

from rill import _rill


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
    return (lambda function: function) if func is None else func


deprecated_graph_mode_only = run_deprecated_v1


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
