import functools
import json
import pathlib
import sys

import numpy as np
import pytest

import rill

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = TESTS / "programs"
sys.path.insert(0, str(PROGRAMS))

import program  # noqa: E402

# Remembered by TensorFlow 2 only.
NEWER = {"_has_manual_control_dependencies"}
FILES = sorted(p for p in PROGRAMS.glob("*.py") if p.stem != "program")


def declared_attrs(op_name):
    """Attributes that newer TensorFlows added to an op are not declared and not compared."""
    return set(rill._rill.op_attr_names(op_name))


def as_tensorflow_1(nodes):
    """TensorFlow's nodes without what 1.15 does not have."""
    for name, op, inputs, device, attrs in nodes:
        declared = declared_attrs(op)
        kept = {key: value for key, value in attrs.items()
                if key in declared or (key.startswith("_") and key not in NEWER)}
        yield [name, op, inputs, device, kept]


def assert_same(ours, golden):
    if isinstance(golden, list):
        assert len(ours) == len(golden)
        for a, b in zip(ours, golden):
            assert_same(a, b)
        return
    assert ours.dtype == golden.dtype and ours.shape == golden.shape
    if golden.dtype.kind in "fc":
        np.testing.assert_allclose(ours, golden, rtol=1e-3, atol=1e-6)
    else:
        np.testing.assert_array_equal(ours, golden)


load_programs = functools.cache(program.load)
load_goldens = functools.cache(
    lambda path: json.loads((TESTS / "golden" / "programs" / f"{path.stem}.json").read_text()))


@pytest.mark.parametrize("path, name", [pytest.param(path, name, id=f"{path.stem}-{name}")
                                        for path in FILES for name in load_goldens(path)])
def test_program(path, name):
    golden, ours = load_goldens(path)[name], load_programs(path)[name]()
    theirs = list(as_tensorflow_1(golden["graph"]))
    assert [node[0] for node in ours["graph"]] == [node[0] for node in theirs]
    for mine, other in zip(ours["graph"], theirs):
        assert mine == other
    assert ours["values"].keys() == golden["values"].keys()
    for key, value in golden["values"].items():
        assert_same(program.restore(ours["values"][key]), program.restore(value))
