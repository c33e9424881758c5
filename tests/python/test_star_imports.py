"""`from module import *` gives TensorFlow's names."""
import builtins
import collections
import importlib
import pathlib

import pytest

import tensorflow as tf
from rill import _api_compare, _module_paths

FACTS = pathlib.Path("tests/facts")
KINDS = ("function", "class", "constant", "module")


def names_by_module(rows):
    found = collections.defaultdict(set)
    for symbol, kind in rows:
        owner, _, name = symbol.rpartition(".")
        if kind in KINDS and not name.startswith("_"):
            found[owner].add(name)
    return found


def public_names():
    facts = _api_compare.read_facts()
    found = names_by_module((fact.symbol, fact.kind) for fact in facts.values())
    return {owner: names for owner, names in found.items() if owner and facts[owner].kind == "module"}


def contrib_names():
    lines = (FACTS / "tf1_contrib_names.tsv").read_text().splitlines()[1:]
    return names_by_module(line.split("\t") for line in lines)


def star(module):
    names = {}
    exec(f"from {module} import *", names)
    return {name: value for name, value in names.items() if not name.startswith("__")}


PUBLIC, CONTRIB = public_names(), contrib_names()


@pytest.mark.parametrize("module", sorted(PUBLIC))
def test_public_modules_give_all_public_names(module):
    path = "tensorflow" + module.removeprefix("tf")
    there = {name for name in PUBLIC[module] if hasattr(importlib.import_module(path), name)}
    given = star(path)
    if module == "tf.raw_ops":  # has the ops of loaded libraries too
        there |= given.keys() - PUBLIC[module]
    if module == "tf":
        there.add("contrib")  # in no list of 1.15's public names
    assert set(given) == there
    assert all(value is getattr(importlib.import_module(path), name) for name, value in given.items())


@pytest.mark.parametrize("module", ["tensorflow.compat.v1", "tensorflow_core", "rill"])
def test_other_names_of_the_package_give_the_same(module):
    assert set(star(module)) == set(star("tensorflow"))


@pytest.mark.parametrize("module", sorted(CONTRIB))
def test_modules_of_contrib_give_their_names(module):
    path = "tensorflow" + module.removeprefix("tf")
    try:
        loaded = importlib.import_module(path)
    except ModuleNotFoundError:
        return  # a part of contrib that is not there
    given = set(star(path))  # before anything else has asked for a name
    assert {name for name in CONTRIB[module] if hasattr(loaded, name)} <= given


@pytest.mark.parametrize("path", sorted(_module_paths._table())[::9])
def test_modules_below_python_give_names_that_are_there(path):
    module = importlib.import_module(f"tensorflow.{path}")
    for name, value in star(f"tensorflow.{path}").items():
        assert value is getattr(module, name)


@pytest.mark.parametrize("module, names", [
    ("tensorflow.python.ops.rnn_cell", "RNNCell BasicLSTMCell LSTMStateTuple array_ops math_ops"),
    ("tensorflow.contrib.rnn", "LSTMCell static_rnn GRUCell"),
    ("tensorflow.python.keras.layers", "Dense Conv2D Layer"),
    ("tensorflow.python.framework.ops", "Graph Tensor convert_to_tensor RegisterGradient"),
    ("tensorflow.python.ops.math_ops", "abs reduce_sum range"),
    ("tensorflow.contrib.slim", "conv2d fully_connected arg_scope"),
    ("tensorflow.python.platform.flags", "FLAGS DEFINE_string"),
])
def test_what_programs_use_after_a_star(module, names):
    assert set(names.split()) <= set(star(module))


@pytest.mark.parametrize("module", ["tensorflow.python.ops.rnn_cell", "tensorflow.python.framework.ops",
                                    "tensorflow.contrib.rnn", "tensorflow.python.layers.core"])
def test_python_keeps_its_own_names(module):
    assert not {name for name in star(module) if hasattr(builtins, name)}


def test_a_star_takes_what_a_name_gives():
    assert star("tensorflow.nn")["relu"] is tf.nn.relu
