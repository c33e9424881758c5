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
NAMES = sorted(p.stem for p in PROGRAMS.glob("*.py") if p.stem != "program")


def declared_attrs(op_name):
    """Attributes that newer TensorFlows added to an op are not declared and not compared."""
    return set(rill._rill.op_attr_names(op_name))


def comparable(node):
    declared = declared_attrs(node["op"])
    attrs = {name: value for name, value in node["attrs"].items()
             if name in declared or (name.startswith("_") and name not in NEWER)}
    return {**node, "attrs": attrs}


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


@pytest.mark.parametrize("name", NAMES)
def test_program(name):
    golden = json.loads((TESTS / "golden" / "programs" / f"{name}.json").read_text())
    ours = program.run(PROGRAMS / f"{name}.py")
    assert [n["name"] for n in ours["graph"]] == [n["name"] for n in golden["graph"]]
    for mine, theirs in zip(ours["graph"], golden["graph"]):
        assert mine == comparable(theirs)
    assert ours["values"].keys() == golden["values"].keys()
    for key, value in golden["values"].items():
        assert_same(program.restore(ours["values"][key]), program.restore(value))
