"""tf.contrib.eager, as far as programs that build graphs use it. What needs values at once says so when it is called."""

import rill
from rill import Variable as _Variable, custom_gradient, executing_eagerly  # noqa: F401
from rill.train import Checkpoint  # noqa: F401

in_eager_mode = executing_eagerly


def _eager_only(name):
    def refuse(*args, **kwargs):
        raise RuntimeError(f"tf.contrib.eager.{name} needs eager execution: this program builds a graph")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


implicit_gradients = _eager_only("implicit_gradients")
implicit_value_and_gradients = _eager_only("implicit_value_and_gradients")
gradients_function = _eager_only("gradients_function")
value_and_gradients_function = _eager_only("value_and_gradients_function")


class Variable:
    """Makes a resource variable, as in TensorFlow."""

    def __new__(cls, *args, **kwargs):
        return _Variable(*args, use_resource=True, **kwargs)


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
    if name in ("TensorSpec", "make_template", "enable_eager_execution"):
        return getattr(rill, name)
    if name == "run":
        return rill.test.main
    raise AttributeError(f"module 'tensorflow.contrib.eager' has no attribute '{name}': Rill does not have it")
