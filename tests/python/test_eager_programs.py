"""The programs of tests/programs in eager execution: what needs no session computes the same there."""
import functools
import re
import runpy
import sys

import pytest
import tensorflow as tf
from tensorflow.python.eager import context

from test_programs import FILES, assert_same, load_goldens, program

# What says of itself that it belongs to graphs.
GRAPH_ONLY = re.compile(
    "not (compatible|supported).*eager|meaningless when eager|Use tf.GradientTape|should be a function when eager|"
    "does not support eager|EAGER mode|session|Session|No variables|is not available in eager|control_inputs|"
    "Attempting to capture an EagerTensor|eager execution is( not)? enabled|op_def|executing eagerly")
