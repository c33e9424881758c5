import base64
import functools
import json
import pathlib
import re
import sys

import numpy as np
import pytest

import rill

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = TESTS / "programs"
sys.path[:0] = [str(PROGRAMS), str(TESTS / "golden")]

import golden_files  # noqa: E402
import program  # noqa: E402

# Remembered by TensorFlow 2 only.
NEWER = {"_has_manual_control_dependencies"}
# Ops that TensorFlow 2 has in place of those of 1.15: the same inputs, and more attributes.
NEWER_OPS = {"DenseBincount": "Bincount", "MatrixDiagV3": "MatrixDiagV2",
             "MatrixDiagPartV3": "MatrixDiagPartV2", "MatrixSetDiagV3": "MatrixSetDiagV2"}
FILES = sorted(p for p in PROGRAMS.glob("*.py") if p.stem != "program")


def declared_attrs(op_name):
    """Attributes that newer TensorFlows added to an op are not declared and not compared."""
    return set(rill._rill.op_attr_names(op_name))


def renamed(nodes, names):
    """The nodes under other names, by {old: new}."""
    def new(text):
        caret, name, output = re.fullmatch(r"(\^?)([^:]*)(.*)", text).groups()
        return caret + names.get(name, name) + output

    for name, op, inputs, device, attrs in nodes:
        yield [names.get(name, name), op, " ".join(map(new, inputs.split())), device, attrs]


def is_empty(constant):
    value = rill.AttrValue.FromString(base64.b64decode(constant[4]["value"])).tensor
    return any(dim.size == 0 for dim in value.tensor_shape.dim)


def without_attempts(nodes):
    """Without lists that TensorFlow 2 made constants of floats before it tried int32 under another name."""
    read = {name.split(":")[0] for node in nodes for name in node[2].split()}
    names, dropped = {}, set()
    for node, after in zip(nodes, nodes[1:]):
        is_float = node[1] == "Const" and node[4].get("dtype") == "MAE="
        if is_float and is_empty(node) and node[0] not in read and after[1] == "Const" and after[0] == node[0] + "_1":
            dropped.add(node[0])
            names[after[0]] = node[0]
    return renamed([node for node in nodes if node[0] not in dropped], names)


def with_older_ops(nodes):
    """With ops of 1.15; a node that is called after its op is called after the older one."""
    names = {}
    for name, op, *_ in nodes:
        older, (scope, slash, last) = NEWER_OPS.get(op), name.rpartition("/")
        if older and re.fullmatch(rf"{op}(_\d+)?", last):
            names[name] = scope + slash + last.replace(op, older)
    return [[name, NEWER_OPS.get(op, op), *rest] for name, op, *rest in renamed(nodes, names)]


def with_gradient_names(nodes):
    """The ones that gradients start from are grad_ys_0 and Fill in 1.15, grad_ys_0/Const and grad_ys_0 now."""
    def new(text):
        caret, name, output = re.fullmatch(r"(loc:@|\^?)([^:@]*)(.*)", text).groups()
        scope, _, last = name.rpartition("/")
        seed = re.fullmatch(r"grad_ys_(\d+)", last)
        if last == "Const" and "/grad_ys_" in scope:
            name = scope
        elif seed:
            name = f"{scope}/Fill" + (f"_{seed[1]}" if seed[1] != "0" else "")
        return caret + name + output

    for name, op, inputs, device, attrs in nodes:
        if "_class" in attrs:
            attrs = {**attrs, "_class": program.mapped_strings(attrs["_class"], new)}
        yield [new(name), op, " ".join(map(new, inputs.split())), device, attrs]


BAND_SIZE = re.compile(r"(.*/)?MatrixBandPart(_\d+)?/num_(lower|upper)")
INT64 = "MAk="


def with_wide_bands(nodes):
    """Numbers that MatrixBandPart is given are int64 in 1.15, the op's default, and int32 now."""
    narrow = {name for name, _, _, _, attrs in nodes if BAND_SIZE.fullmatch(name) and attrs["dtype"] == "MAM="}
    for name, op, inputs, device, attrs in nodes:
        if name in narrow:
            value = rill.AttrValue.FromString(base64.b64decode(attrs["value"]))
            value.tensor.int64_val.extend(value.tensor.int_val)
            value.tensor.ClearField("int_val")
            value.tensor.dtype = 9
            wide = base64.b64encode(value.SerializeToString(deterministic=True)).decode()
            attrs = {**attrs, "dtype": INT64, "value": wide}
        elif op == "MatrixBandPart" and narrow.intersection(inputs.split()):
            attrs = {**attrs, "Tindex": INT64}
        yield [name, op, inputs, device, attrs]


def as_tensorflow_1(nodes):
    """TensorFlow's nodes without what 1.15 does not have."""
    nodes = list(with_wide_bands(list(with_gradient_names(nodes))))
    nodes = with_older_ops(list(without_attempts(nodes)))
    for name, op, inputs, device, attrs in nodes:
        declared = declared_attrs(op)
        kept = {key: value for key, value in attrs.items()
                if key in declared or (key.startswith("_") and key not in NEWER)}
        yield [name, op, inputs, device, kept]


GRADIENTS = re.compile(r"(.*/)?gradients(_\d+)?/")


# Files with gradients of broadcasts, reductions, slices and the like, for which 2.15 makes fewer nodes.
DIFFERENTIATED_OTHERWISE = {
    "array_joining",
    "array_more",
    "array_picking",
    "array_shapes",
    "distributions_normal",
    "linalg_least_squares",
    "linear_operator_basic",
    "layers_convolution",
    "layers_dense",
    "layers_normalization",
    "layers_scopes",
    "losses_training",
    "math_arithmetic",
    "math_operators",
    "math_reduce",
    "math_segments",
    "math_sequences",
    "nn_embedding",
    "nn_layers",
    "nn_losses",
    "rnn_gradients",
    "sparse_basics",
    "train_clipping",
    "train_optimizers",
}


def outside_gradients(nodes):
    """Without what is inside of gradients: TensorFlow 2 differentiates some ops in another way."""
    def short(text):
        caret, name = re.fullmatch(r"(\^?)(.*)", text).groups()
        inside = GRADIENTS.match(name)
        return caret + (inside[0] if inside else name)

    for name, op, inputs, device, attrs in nodes:
        if GRADIENTS.match(name):
            continue
        beside = base64.b64decode(attrs.get("_class", ""))
        kept = {key: value for key, value in attrs.items() if key != "_class" or b"gradients" not in beside}
        yield [name, op, " ".join(map(short, inputs.split())), device, kept]


LOOKUP = re.compile(r"(.*/)?embedding_lookup_sparse(_\d+)?(/.*)?")


def outside_lookups(nodes):
    """Without how rows are looked up and added: each once in 1.15, by one op now."""
    for name, op, inputs, device, attrs in nodes:
        inside = LOOKUP.fullmatch(name)
        if inside is None:
            yield [name, op, inputs, device, attrs]
        elif inside[3] is None:
            yield [name, op, "", device, {}]


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


@functools.cache
def load_goldens(path):
    golden = TESTS / "golden" / "programs" / f"{path.stem}.json.gz"
    return json.loads(golden_files.read(golden)) if golden.exists() else {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_program_has_a_golden(path):
    assert load_programs(path).keys() == load_goldens(path).keys(), f"run ./do goldens {path.stem}"


@pytest.mark.parametrize("path, name", [pytest.param(path, name, id=f"{path.stem}-{name}")
                                        for path in FILES for name in load_goldens(path)])
def test_program(path, name):
    golden, ours = load_goldens(path)[name], load_programs(path)[name]()
    theirs, graph = list(as_tensorflow_1(golden["graph"])), ours["graph"]
    if path.stem in DIFFERENTIATED_OTHERWISE:
        theirs, graph = list(outside_gradients(theirs)), list(outside_gradients(graph))
    if path.stem == "feature_column_nodes":
        theirs, graph = list(outside_lookups(theirs)), list(outside_lookups(graph))
    assert [node[0] for node in graph] == [node[0] for node in theirs]
    for mine, other in zip(graph, theirs):
        assert mine == other
    assert ours["values"].keys() == golden["values"].keys()
    for key, value in golden["values"].items():
        assert_same(program.restore(ours["values"][key]), program.restore(value))
