"""tf.contrib.eager: functions for programs whose ops compute at once. What needs values says so in others."""

import contextlib
import functools
import inspect

import rill
from rill import _rill
from rill import custom_gradient, executing_eagerly  # noqa: F401
from rill._test_modes import (run_all_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes,  # noqa: F401
                              run_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes)
from rill.contrib import _eager_metrics as metrics  # noqa: F401
from rill.contrib._eager_callbacks import (ExecutionCallback, add_execution_callback,  # noqa: F401
                                           clear_execution_callbacks, errstate, inf_callback, inf_nan_callback,
                                           nan_callback, seterr)
from rill.contrib._eager_objects import (EagerVariableStore, Network, Saver, Sequential,  # noqa: F401
                                         get_optimizer_variables, restore_network_checkpoint,
                                         save_network_checkpoint)
from rill._variables import ResourceVariable as Variable  # noqa: F401
from rill.data._iterator import Iterator as _DataIterator
from rill.train import Checkpoint  # noqa: F401

in_eager_mode = executing_eagerly
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT = 0, 1, 2
SYNC, ASYNC = 0, 1


def set_execution_mode(mode):
    """Ops are executed where they are called, in either mode."""
    if mode not in (None, SYNC, ASYNC):
        raise ValueError("Execution mode should be None/tf.contrib.eager.SYNC/tf.contrib.eager.ASYNC. "
                         f"Got {mode}")


@contextlib.contextmanager
def execution_mode(mode):
    """set_execution_mode for a block."""
    set_execution_mode(mode)
    yield


def async_wait():
    """Ops have been executed when their call returns."""


def async_clear_error():
    """Errors are raised by the call of the op: none waits."""


def _values(tensors):
    """Arguments as tensors."""
    return [None if tensor is None else _rill.convert_to_tensor(tensor) for tensor in tensors]


def _chosen(f, params, args):
    """The positions of the arguments by which gradients are wanted."""
    if params is None:
        return range(len(args))
    if all(isinstance(param, str) for param in params):
        names = list(inspect.signature(f).parameters)
        return [names.index(param) for param in params]
    if not all(isinstance(param, int) for param in params):
        raise ValueError("params must be all strings or all integers; got %s." % params)
    return params


def value_and_gradients_function(f, params=None):
    """A function that returns what `f` returns, and its gradients by its arguments."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        _require_eager("value_and_gradients_function")
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        args = _values(args)
        by = [args[at] for at in _chosen(f, params, args)]
        with rill.GradientTape() as tape:
            tape.watch(by)
            result = f(*args)
            if result is None:
                raise ValueError("Cannot differentiate a function that returns None; did you forget to return a "
                                 "value from %s?" % f.__name__)
        return result, tape.gradient(result, by, output_gradients=dy)
    return decorated


def gradients_function(f, params=None):
    """A function that returns the gradients of `f` by its arguments."""
    both = value_and_gradients_function(f, params)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])


def implicit_value_and_gradients(f):
    """A function that returns what `f` returns, and pairs of gradients and the variables that it reads."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        _require_eager("implicit_value_and_gradients")
        with rill.GradientTape() as tape:
            result = f(*args, **kwargs)
        if result is None:
            raise ValueError("Cannot differentiate a function that returns None; did you forget to return a value "
                             "from %s?" % f.__name__)
        variables = list(tape.watched_variables())
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return result, list(zip(tape.gradient(result, variables), variables))
    return decorated


def implicit_gradients(f):
    """A function that returns pairs of gradients and the variables that `f` reads."""
    both = implicit_value_and_gradients(f)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])


def _require_eager(name):
    if not executing_eagerly():
        raise RuntimeError(f"tf.contrib.eager.{name} needs eager execution: this program builds a graph")


class Iterator(_DataIterator):
    """Walks through a dataset."""

    def __init__(self, dataset):
        if not executing_eagerly():
            raise RuntimeError("tf.contrib.eager.Iterator is not supported when eager execution is not enabled; use "
                               "Dataset.make_one_shot_iterator or make_initializable_iterator")
        iterator = iter(dataset)
        self._take(iterator._iterator, iterator._element_spec)


def list_devices():
    """The names of the devices."""
    from rill._framework import list_local_devices
    return [f"/job:localhost/replica:0/task:0{device.name}" if not device.name.startswith("/job") else device.name
            for device in list_local_devices()]


def num_gpus():
    """How many graphics processors there are."""
    from rill._framework import num_gpus as count
    return count()


def py_func(func, inp, Tout, name=None):
    """Calls a function of Python in a step."""
    return rill.py_function(func, inp, Tout, name)


def __getattr__(name):
    if name in ("defun", "function"):
        return rill.function
    if name == "GradientTape":
        return rill.GradientTape
    if name == "Checkpointable":
        from rill._module import Module
        return Module
    if name in ("TensorSpec", "make_template", "enable_eager_execution"):
        return getattr(rill, name)
    if name == "run":
        return rill.test.main
    raise AttributeError(f"module 'tensorflow.contrib.eager' has no attribute '{name}': Rill does not have it")
