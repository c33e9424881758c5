"""tf.keras.utils: arrays in HDF5 files, models on several GPUs, models as graphs, and Model.summary."""
import sys
import types

import numpy as np
import pytest
import rill as tf
from rill import _framework

L = tf.keras.layers
HDF5Matrix = tf.keras.utils.HDF5Matrix


# --- arrays in files ------------------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    """A file in which an array of 12 rows is 2 * row + column."""
    layer = L.Dense(2, input_shape=(12,), name="d")
    model = tf.keras.Sequential([layer])
    layer.set_weights([np.arange(24.0).reshape(12, 2), np.zeros(2)])
    model.save_weights(str(tmp_path / "w.h5"))
    return str(tmp_path / "w.h5"), "d/d/kernel:0"


def test_rows_of_a_file(stored):
    rows, some = HDF5Matrix(*stored), HDF5Matrix(*stored, start=2, end=8, normalizer=lambda rows: rows * 2)
    assert (len(rows), rows.shape, rows.dtype, rows.ndim, rows.size) == (12, (12, 2), np.float32, 2, 24)
    assert (len(some), some.shape) == (6, (6, 2))
    assert some[0].tolist() == [8, 10] and some[1:3].tolist() == [[12, 14], [16, 18]]
    assert some[[0, 2]].tolist() == some[np.array([0, 2])].tolist() == [[8, 10], [16, 18]]
    assert np.array_equal(np.asarray(rows), np.arange(24.0).reshape(12, 2))
    for behind in (6, slice(0, 9), [7], np.array([9])):
        with pytest.raises(IndexError):
            some[behind]


def test_models_take_rows_of_files(stored):
    model = tf.keras.Sequential([L.Dense(1, input_shape=(2,), kernel_initializer="ones")])
    model.compile("sgd", "mse")
    rows = HDF5Matrix(*stored)
    assert model.predict(rows, batch_size=5).ravel().tolist() == [4 * i + 1 for i in range(12)]
    history = model.fit(HDF5Matrix(*stored, 0, 6), np.zeros(6), batch_size=2, shuffle="batch", verbose=0)
    assert history.epoch == [0] and model.evaluate(rows, np.zeros(12), verbose=0) > 0


def test_files_and_arrays_that_are_not_there(stored):
    with pytest.raises(FileNotFoundError, match="Unable to open file"):
        HDF5Matrix(stored[0] + "x", "d")
    with pytest.raises(KeyError, match="object 'nope' doesn't exist"):
        HDF5Matrix(stored[0], "nope")


# --- several GPUs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gpus, told", [(1, "`gpus >= 2`. Received: `gpus=1`"), ([0], "`len(gpus) >= 2`"),
                                        (2, "expect the following devices to be available: ['/cpu:0', '/gpu:0', '/gpu:1']"
                                            ". However this machine only has: ['/cpu:0'")])
def test_gpus_that_are_not_there(gpus, told):
    model = tf.keras.Sequential([L.Dense(1, input_shape=(2,))])
    with pytest.raises(ValueError) as error:
        tf.keras.utils.multi_gpu_model(model, gpus)
    assert told in str(error.value)


@pytest.mark.parametrize("rows", [6, 7])
def test_copies_of_a_model_share_the_batch(monkeypatch, rows):
    devices = [types.SimpleNamespace(name=f"/device:{kind}") for kind in ("CPU:0", "GPU:0", "GPU:1")]
    monkeypatch.setattr(_framework, "list_local_devices", lambda: devices)
    tf.keras.backend.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
    x, z = tf.keras.Input((3,)), tf.keras.Input((2,))
    model = tf.keras.Model([x, z], [L.Dense(2, name="a")(L.concatenate([x, z])), L.Dense(1, name="b")(z)])
    spread = tf.keras.utils.multi_gpu_model(model, 2)
    given = [np.random.rand(rows, 3), np.random.rand(rows, 2)]
    for whole, joined in zip(model.predict(given), spread.predict(given)):
        np.testing.assert_allclose(whole, joined, rtol=1e-5)
    assert spread.count_params() == model.count_params() and spread.output_names == ["a", "b"]
    spread.compile("sgd", "mse")
    spread.fit(given, [np.zeros((rows, 2)), np.zeros((rows, 1))], verbose=0)
    assert {"/device:GPU:0", "/device:GPU:1"} <= {op.device for op in tf.get_default_graph().get_operations()}


# --- pictures -------------------------------------------------------------------------------------------------


def test_pictures_need_pydot(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydot", None)
    model = tf.keras.Sequential([L.Dense(1, input_shape=(2,))])
    for draw in (tf.keras.utils.plot_model, tf.keras.utils.model_to_dot):
        with pytest.raises(ImportError, match="You must install pydot and graphviz"):
            draw(model)


class FakeDot:
    """What graphs of pydot are made of, as lists."""

    def __init__(self, *args, **kwargs):
        self.args, self.settings, self.nodes, self.edges, self.clusters = args, kwargs, [], [], []

    def set(self, name, value):
        self.settings[name] = value

    def set_node_defaults(self, **kwargs):
        self.settings.update(kwargs)

    def create(self):
        return b""

    def add_node(self, node):
        self.nodes.append(node)

    def add_edge(self, edge):
        self.edges.append(edge.args)

    def add_subgraph(self, graph):
        self.clusters.append(graph)

    def get_nodes(self):
        return self.nodes

    def get_name(self):
        return self.args[0]

    def write(self, path, format):
        self.written = path, format


def test_graphs_of_models(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydot",
                        types.SimpleNamespace(Dot=FakeDot, Cluster=FakeDot, Node=FakeDot, Edge=FakeDot))
    x = tf.keras.Input((2,), name="x")
    inner = tf.keras.Sequential([L.Dense(3, input_shape=(2,), name="deep")], name="inner")
    model = tf.keras.Model(x, L.add([L.Dense(3, name="side")(x), inner(x)], name="sum"), name="m")
    dot = tf.keras.utils.model_to_dot(model, show_shapes=True)
    assert [node.args[0] for node in dot.nodes] == ["m/x", "m/side", "m/inner", "m/sum"]
    assert set(dot.edges) == {("m/x", "m/side"), ("m/x", "m/inner"), ("m/side", "m/sum"), ("m/inner", "m/sum")}
    assert "side: Dense" in dot.nodes[1].settings["label"] and "(None, 3)" in dot.nodes[1].settings["label"]
    nested = tf.keras.utils.model_to_dot(model, expand_nested=True)
    assert len(nested.clusters) == 1 and len(nested.nodes) == 3


# --- summaries ------------------------------------------------------------------------------------------------


class Deep(tf.keras.Model):
    def __init__(self):
        super().__init__(name="deep_one")
        self.first, self.last = L.Dense(3, name="first"), L.Dense(1, name="last")
        self.inner = tf.keras.Sequential([L.Dense(2, input_shape=(3,))], name="inner")

    def call(self, x):
        return self.last(self.inner(self.first(x)))


def shapes_told(model):
    lines = []
    model.summary(print_fn=lines.append)
    return {line.split()[0]: line[29:55].strip() for line in lines if "(Dense)" in line or "(Sequential)" in line}


def test_models_that_learn_their_inputs_later_tell_no_shapes():
    fitted, built, called = Deep(), Deep(), Deep()
    fitted.compile("sgd", "mse")
    fitted.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    built.build((None, 2))
    called(tf.ones([1, 2]))
    for model in (fitted, built, called):
        assert shapes_told(model) == {"first": "multiple", "last": "multiple", "inner": "(None, 2)"}
    stack = tf.keras.Sequential([L.Dense(3, name="s")])
    stack.build((None, 2))
    assert shapes_told(stack) == {"s": "multiple"}
    known = tf.keras.Sequential([L.Dense(3, name="k", input_shape=(2,))])
    assert shapes_told(known) == {"k": "(None, 3)"}


def test_inputs_found_out_later_take_no_names():
    def number():
        return int(tf.keras.Model(*(lambda x: (x, L.Dense(1)(x)))(tf.keras.Input((2,)))).input_names[0].split("_")[1])

    before = number()
    model = Deep()
    model.compile("sgd", "mse")
    model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    assert number() == before + 1
