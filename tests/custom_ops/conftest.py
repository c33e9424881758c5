"""Each source is compiled once for all tests."""
import pytest

import rill as tf
from building import Compiler


@pytest.fixture(autouse=True)
def graph():
    """Every test builds in a graph of its own."""
    with tf.Graph().as_default() as fresh:
        yield fresh


@pytest.fixture(scope="session")
def compiler(tmp_path_factory):
    made = Compiler(tmp_path_factory.mktemp("custom_ops"))
    made.start("attr_ops.cc", 11)
    made.start("kernel_ops.cc", 14, "-DRILL_CHECKED")
    made.start("dataset_ops.cc", 11)
    made.start("new_session.cc", 11, shared=False)
    made.start("saved_model.cc", 11, shared=False)
    made.start("client.cc", 17, shared=False)
    made.start("wrong_ops.cc", 17)
    made.start("messages.cc", 14, shared=False)
    made.start("headers.cc", 11, shared=False)
    yield made
    for _, process in made.started.values():
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def attr_ops(compiler):
    return tf.load_op_library(compiler.result("attr_ops.cc"))


@pytest.fixture(scope="session")
def kernel_ops(compiler):
    return tf.load_op_library(compiler.result("kernel_ops.cc"))


@pytest.fixture(scope="session")
def dataset_ops(compiler):
    return tf.load_op_library(compiler.result("dataset_ops.cc"))
