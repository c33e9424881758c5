"""The programs of tests/programs that need no session compute the same in eager execution as TensorFlow's graphs."""
import re
import runpy

import pytest
import tensorflow as tf
from tensorflow.python.eager import context
from test_programs import PROGRAMS, assert_same, load_goldens, program

# What a program is told that belongs to graphs.
FOR_GRAPHS = re.compile(
    r"placeholder\(\) is not compatible|is meaningless when eager|Session graph is empty|not supported when eager|"
    r"should be a function when eager|does not support eager|in EAGER mode|does not exist, or was not created")
RANDOM = re.compile("Random|Multinomial|Truncated|Shuffle|Candidate")
FILES = [
    "array_joining", "array_more", "array_picking", "array_shapes", "data_structures", "data_transformations",
    "debugging_asserts", "debugging_print", "distributions_classes", "distributions_custom", "distributions_normal",
    "distributions_numbers", "eight_bit", "flow_gradients", "flow_sparse", "image_shapes", "layers_convolution",
    "linalg_functions", "linalg_least_squares", "linear_operator_basic", "linear_operator_composite", "losses_entropy",
    "math_arithmetic", "math_casts", "math_more", "math_operators", "math_plain", "math_products", "math_reduce",
    "math_segments", "math_sequences", "math_tiny_numbers", "metrics_retrieval", "nest_structures", "nn_convolution",
    "nn_embedding", "nn_layers", "nn_losses", "nn_quantized", "nn_softmax", "ragged_functions", "ragged_tensors",
    "rnn_cells"]


def values(item):
    """What a run would fetch."""
    if isinstance(item, dict):
        return {key: values(part) for key, part in item.items()}
    if isinstance(item, tf.SparseTensor):
        return values((item.indices, item.values, item.dense_shape))
    if isinstance(item, tf.IndexedSlices):
        return values((item.values, item.indices, item.dense_shape))
    if hasattr(item, "nested_row_splits"):
        return values([item.flat_values, *item.nested_row_splits])
    return [values(part) for part in item] if isinstance(item, (list, tuple)) else item.numpy()


def compared(function, golden):
    """How many values of a program are TensorFlow's."""
    steps, count = function(), 0
    for i, step in enumerate(steps if isinstance(steps, list) else [steps]):
        for key, item in step.items():
            if item is not None and program.is_fetch(tf, item):
                ours = program.restore(program.describe(values(item)))
                assert_same(ours, program.restore(golden["values"][f"{key}@{i}" if i else key]))
                count += 1
    return count


@pytest.mark.parametrize("stem", FILES)
def test_programs(stem):
    path, count = PROGRAMS / f"{stem}.py", 0
    with context.eager_mode():
        functions = runpy.run_path(str(path))
        for name, golden in load_goldens(path).items():
            if any(RANDOM.search(node[1]) for node in golden["graph"]):
                continue
            try:
                count += compared(functions[f"program_{name}"], golden)
            except Exception as error:
                assert FOR_GRAPHS.search(str(error)), f"{stem}.{name}"
    assert count > 0
