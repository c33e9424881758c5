"""The programs of tests/functions print what they print under TensorFlow."""
import pathlib
import sys

import pytest
from tensorflow.python.eager import context  # noqa: F401 (what switches eager execution on)

FUNCTIONS = pathlib.Path(__file__).resolve().parent.parent / "functions"
sys.path.insert(0, str(FUNCTIONS))
import runner  # noqa: E402

CASES = [(path, name) for path in runner.files() for name in runner.golden(path)]
_found = {}


@pytest.mark.parametrize("path, name", CASES, ids=[f"{path.stem}-{name}" for path, name in CASES])
def test_prints_the_same(v2_behavior, path, name):
    if path not in _found:
        _found[path] = runner.programs(path)
    assert runner.lines_of(_found[path][name]) == runner.golden(path)[name]


def test_nothing_is_left_out():
    for path in runner.files():
        assert list(runner.golden(path)) == list(runner.programs(path)), path.stem
