"""The ops that `./do bench ops` measures, each as TensorFlow's graphs and as PyTorch name it.

A case runs unchanged under Rill and TensorFlow: `graph` gets raw_ops and the inputs as tensors (as
handles where they are state), and adds the op. `torch` does the same work under PyTorch, or is None
where PyTorch has nothing like it. Every run makes its outputs anew, except where state is updated.
"""
import dataclasses
from typing import Callable, Optional

import numpy as np


@dataclasses.dataclass
class Input:
    """An array, how PyTorch wants it, and whether the op updates it in place."""
    array: np.ndarray
    to_torch: Optional[Callable] = None  # from a tensor of PyTorch with the array's elements
    is_state: bool = False
    as_bfloat16: bool = False  # floats that become bfloat16, which NumPy does not have


@dataclasses.dataclass
class Case:
    name: str
    inputs: dict
    graph: Callable
    torch: Optional[Callable]
    repeat: int = 1  # how often a step runs the op, so that the step itself does not count
    setup: Optional[Callable] = None  # adds what is run once before; gets the same as `graph`


def floats(*shape, low=-1.0, high=1.0):
    values = np.random.default_rng(sum(shape)).uniform(low, high, shape)
    return Input(values.astype(np.float32))


def halves(*shape):
    return Input(floats(*shape).array.astype(np.float16))


def brains(*shape):
    """bfloat16."""
    return dataclasses.replace(floats(*shape), to_torch=lambda t: t.bfloat16(), as_bfloat16=True)


def levels(*shape):
    """Quantised to bytes; they are given as what they hold, and PyTorch has no such op."""
    return Input(np.random.default_rng(sum(shape)).integers(0, 256, shape, np.uint8))


def state(*shape):
    return dataclasses.replace(floats(*shape, low=0.1), is_state=True)


def ints(*shape, below, ordered=False):
    """PyTorch indexes with 64 bits, TensorFlow's programs with 32."""
    values = np.random.default_rng(sum(shape)).integers(0, below, shape, np.int32)
    return Input(np.sort(values) if ordered else values, lambda t: t.long())


def flags(*shape):
    return Input(floats(*shape).array > 0)


def images(*shape):
    """Channels last in memory for both; PyTorch calls that N, C, H, W with other strides."""
    return dataclasses.replace(floats(*shape), to_torch=lambda t: t.permute(0, 3, 1, 2))


def filters(*shape, channels_last=True):
    """TensorFlow's order is height, width, in, out; PyTorch's is out, in, height, width."""
    def to_torch(t):
        import torch
        t = t.permute(3, 2, 0, 1)
        order = torch.channels_last if channels_last else torch.contiguous_format
        return t.contiguous(memory_format=order)

    return dataclasses.replace(floats(*shape), to_torch=to_torch)


def all_cases():
    from op_cases_array import CASES as array
    from op_cases_channels import CASES as channels
    from op_cases_image import CASES as image
    from op_cases_linalg import CASES as linalg
    from op_cases_lookup import CASES as lookup
    from op_cases_math import CASES as math
    from op_cases_nn import CASES as nn
    from op_cases_parsing import CASES as parsing
    from op_cases_sparse import CASES as sparse
    from op_cases_speech import CASES as speech
    from op_cases_string import CASES as string
    return [*math, *array, *nn, *channels, *sparse, *string, *parsing, *lookup, *speech, *image,
            *linalg]
