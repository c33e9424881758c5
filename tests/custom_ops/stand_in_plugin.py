"""Tests of other folders on the device of a library: python -m pytest -p stand_in_plugin, with the library in
STAND_IN_LIBRARY. The number of kernels that ran there is the last line."""
import ctypes
import os


def pytest_configure(config):
    import tensorflow as tf
    tf.load_op_library(os.environ["STAND_IN_LIBRARY"])


def pytest_terminal_summary(terminalreporter):
    library = ctypes.CDLL(os.environ["STAND_IN_LIBRARY"])
    terminalreporter.write_line(f"kernels on the device: {library.stand_in_kernels_run()}")
