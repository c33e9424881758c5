"""What the graphs of control_graphs.py are written with: a `case` builds one, returns its steps."""
import numpy as np
import tensorflow.compat.v1 as tf

from control_graphs import Step

CASES = {}


def case(build):
    CASES[build.__name__] = build
    return build


def feed(dtype=tf.float32, shape=()):
    return tf.placeholder(dtype, shape)


def numbers(*shape, start=1.0, step=0.5):
    count = int(np.prod(shape))
    return (start + step * np.arange(count)).astype(np.float32).reshape(shape)


def both_ways(pred, fetches, feeds=None):
    return [Step(fetches, {**(feeds or {}), pred: value}) for value in (True, False)]


def sweep(tensor, values, fetches, feeds=None):
    return [Step(fetches, {**(feeds or {}), tensor: value}) for value in values]
