"""Saver, checkpoints and meta graphs: files, retention, errors."""
import os

import numpy as np
import pytest

import tensorflow as tf


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


def started(*more):
    session = tf.Session()
    session.run([tf.global_variables_initializer(), *more])
    return session


def test_values_come_back(tmp_path):
    v = tf.Variable([1.0, 2.0], name="v")
    r = tf.get_variable("r", initializer=[[3]], use_resource=True)
    s = tf.Variable(["a", "bc"], name="s")
    saver, path = tf.train.Saver(), str(tmp_path / "model")
    with started() as session:
        assert saver.save(session, path, global_step=7) == path + "-7"
    with tf.Session() as session:
        saver.restore(session, path + "-7")
        values = session.run([v, r, s])
    np.testing.assert_array_equal(values[0], [1, 2])
    np.testing.assert_array_equal(values[1], [[3]])
    assert list(values[2]) == [b"a", b"bc"]
    assert sorted(os.listdir(tmp_path)) == [
        "checkpoint", "model-7.data-00000-of-00001", "model-7.index", "model-7.meta"]


def test_sharded_and_partitioned(tmp_path):
    with tf.device("/cpu:0"):
        a = tf.get_variable("a", initializer=[1.0, 2.0])
    p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2),
                        initializer=tf.random_uniform_initializer(seed=1))
    path = str(tmp_path / "model")
    with started() as session:
        before = session.run([a, tf.convert_to_tensor(p)])
        tf.train.Saver(sharded=True).save(session, path)
    assert tf.train.list_variables(path) == [("a", [2]), ("p", [5, 2])]
    np.testing.assert_array_equal(tf.train.load_variable(str(tmp_path), "p"), before[1])
    with tf.Graph().as_default(), tf.Session() as session:
        whole = tf.get_variable("p", [5, 2])
        tf.train.Saver().restore(session, path)
        np.testing.assert_array_equal(session.run(whole), before[1])


def test_keeps_the_newest(tmp_path):
    tf.Variable(1.0, name="x")
    saver, path = tf.train.Saver(max_to_keep=2), str(tmp_path / "m")
    with started() as session:
        for step in range(4):
            saver.save(session, path, global_step=step)
    assert saver.last_checkpoints == [path + "-2", path + "-3"]
    assert {name.split(".")[0] for name in os.listdir(tmp_path)} == {"checkpoint", "m-2", "m-3"}
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert state.model_checkpoint_path == path + "-3"
    assert list(state.all_model_checkpoint_paths) == saver.last_checkpoints
    assert tf.train.latest_checkpoint(str(tmp_path)) == path + "-3"
    later = tf.train.Saver(max_to_keep=2)
    later.recover_last_checkpoints([path + "-0", *state.all_model_checkpoint_paths])
    assert later.last_checkpoints == saver.last_checkpoints
    tf.train.remove_checkpoint(path + "-3")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None


def test_relative_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tf.Variable(1.0, name="x")
    with started() as session:
        assert tf.train.Saver().save(session, "sub/model", global_step=1) == "sub/model-1"
    assert (tmp_path / "sub/checkpoint").read_text().splitlines()[0] == (
        'model_checkpoint_path: "model-1"')
    assert tf.train.latest_checkpoint("sub") == "sub/model-1"
    with started() as session:
        tf.train.Saver(save_relative_paths=True).save(session, str(tmp_path / "rel"))
    assert (tmp_path / "checkpoint").read_text().splitlines()[0] == 'model_checkpoint_path: "rel"'


def test_step_numbers(tmp_path):
    step = tf.Variable(12, name="step")
    path = str(tmp_path / "m")
    with started() as session:
        assert tf.train.Saver().save(session, path, global_step=step) == path + "-12"
        assert tf.train.Saver(pad_step_number=True).save(session, path, step) == path + "-00000012"


@pytest.mark.parametrize("make, error, text", [
    (lambda v: tf.train.Saver([v, v]), ValueError, "At least two variables have the same name: v"),
    (lambda v: tf.train.Saver({"a": v, "b": v}), ValueError,
     "The same saveable will be restored with two names"),
    (lambda v: tf.train.Saver([tf.constant(1.0)]), TypeError, "Variable to save is not a Variable"),
    (lambda v: tf.train.Saver({"a": 3}), TypeError, "Not a variable"),
    (lambda v: tf.train.Saver({3: v}), TypeError, "Name is not a string"),
    (lambda v: tf.train.Saver(v), TypeError, "should be passed in a dict or a list"),
    (lambda v: tf.train.Saver([]), ValueError, "No variables to save"),
    (lambda v: tf.train.Saver([v], defer_build=True), ValueError, "build cannot be deferred"),
])
def test_errors_of_savers(make, error, text):
    v = tf.Variable([1.0, 2.0], name="v")
    with pytest.raises(error, match=text):
        make(v)


def test_errors_of_saving(tmp_path):
    tf.Variable([1.0, 2.0], name="v")
    saver = tf.train.Saver()
    with started() as session:
        with pytest.raises(ValueError, match="must not contain path components"):
            saver.save(session, str(tmp_path / "m"), latest_filename="a/b")
        with pytest.raises(ValueError, match="collides with 'save_path'"):
            saver.save(session, str(tmp_path / "checkpoint"))
        with pytest.raises(TypeError, match="'sess' must be a Session"):
            saver.save(3, str(tmp_path / "m"))
        with pytest.raises(ValueError, match="Can't load save_path when it is None"):
            saver.restore(session, None)
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            saver.restore(session, str(tmp_path / "none"))


def test_errors_of_restoring(tmp_path):
    path = str(tmp_path / "m")
    with tf.Graph().as_default():
        tf.Variable([1.0, 2.0], name="v")
        with started() as session:
            tf.train.Saver().save(session, path)
    w, v = tf.Variable(1.0, name="w"), tf.Variable([1.0], name="v")
    with tf.Session() as session:
        with pytest.raises(tf.errors.NotFoundError, match="(?s)Restoring from checkpoint failed.*Key w"):
            tf.train.Saver([w]).restore(session, path)
        with pytest.raises(tf.errors.InvalidArgumentError, match="mismatch between the current graph"):
            tf.train.Saver([v]).restore(session, path)


def test_damage_is_found(tmp_path):
    v = tf.Variable(np.arange(50, dtype=np.float32), name="v")
    saver, path = tf.train.Saver(), str(tmp_path / "m")
    with started() as session:
        saver.save(session, path)
        data = tmp_path / "m.data-00000-of-00001"
        whole = data.read_bytes()
        for at in range(0, len(whole), 37):
            data.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            with pytest.raises(tf.errors.DataLossError):
                saver.restore(session, path)
        data.write_bytes(whole)
        saver.restore(session, path)
        assert session.run(v)[49] == 49


def test_reader(tmp_path):
    tf.Variable([[1.0, 2.0]], name="v")
    tf.Variable(5, name="n")
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    reader = tf.train.NewCheckpointReader(path)
    assert reader.get_variable_to_shape_map() == {"v": [1, 2], "n": []}
    assert reader.get_variable_to_dtype_map() == {"v": tf.float32, "n": tf.int32}
    assert reader.has_tensor("v") and not reader.has_tensor("w")
    assert reader.get_tensor("n") == 5
    with pytest.raises(tf.errors.NotFoundError, match="Key w not found in checkpoint"):
        reader.get_tensor("w")
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files"):
        tf.train.NewCheckpointReader(str(tmp_path / "none"))
    assert tf.train.checkpoint_exists(path) and tf.train.get_checkpoint_mtimes([path, "none"])[0] > 0


def test_init_from_checkpoint(tmp_path):
    with tf.Graph().as_default():
        with tf.variable_scope("old"):
            tf.get_variable("a", initializer=[1.0, 2.0])
            tf.get_variable("b", initializer=[[1.0], [3.0]], use_resource=True)
        with started() as session:
            tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.variable_scope("new"):
        a = tf.get_variable("a", [2])
        b = tf.get_variable("b", [2, 1], use_resource=True)
    lone = tf.get_variable("lone", [2])
    tf.train.init_from_checkpoint(str(tmp_path), {"old/": "new/", "old/a": lone})
    with started() as session:
        values = session.run([a, b, lone])
    assert [value.tolist() for value in values] == [[1, 2], [[1], [3]], [1, 2]]
    with pytest.raises(ValueError, match="Tensor nope is not found in"):
        tf.train.init_from_checkpoint(str(tmp_path), {"nope": lone})
    with pytest.raises(ValueError, match="Shape of variable .* doesn't match"):
        tf.train.init_from_checkpoint(str(tmp_path), {"old/b": lone})


def test_own_saveable(tmp_path):
    from tensorflow.python.training import saver as saver_module
    base = saver_module.BaseSaverBuilder.SaveableObject
    v = tf.Variable([1.0, 2.0], name="v")

    class Doubled(base):
        def __init__(self):
            super().__init__(v, [saver_module.BaseSaverBuilder.SaveSpec(v * 2.0, "", "doubled")], "d")

        def restore(self, restored_tensors, restored_shapes):
            return v.assign(restored_tensors[0] / 2.0).op

    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, Doubled())
    with started() as session:
        path = tf.train.Saver([Doubled()]).save(session, str(tmp_path / "m"))
        assert tf.train.load_variable(path, "doubled").tolist() == [2, 4]
        session.run(v.assign([0, 0]))
        saver = tf.train.Saver()
        with pytest.raises(tf.errors.NotFoundError):
            saver.restore(session, path)
        tf.train.Saver([Doubled()]).restore(session, path)
        assert session.run(v).tolist() == [1, 2]


# --- meta graphs ---------------------------------------------------------------------------------

def build_model():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.variable_scope("model"):
        w = tf.get_variable("w", initializer=[[1.0], [2.0]])
        b = tf.get_variable("b", initializer=[0.5], use_resource=True, trainable=False)
    y = tf.add(tf.matmul(x, w), b, name="y")
    flipped = tf.cond(tf.reduce_sum(y) > 0, lambda: y, lambda: -y)
    total = tf.while_loop(lambda i, _: i < 3, lambda i, t: (i + 1, t * 2.0), [0, flipped])[1]
    tf.identity(total, name="out")
    for value in (3, 4):
        tf.add_to_collection("numbers", value)
    tf.add_to_collection("texts", "hello")
    tf.add_to_collection("tensors", y)
    return x, w


def test_import_meta_graph(tmp_path):
    build_model()
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        assert session.run("out:0", {"x:0": [[1, 2]]}).tolist() == [[44]]
        assert graph.get_collection("numbers") == [3, 4]
        assert graph.get_collection("texts") == [b"hello"]
        assert graph.get_collection("tensors")[0].name == "y:0"
        assert [v.name for v in tf.global_variables()] == ["model/w:0", "model/b:0"]
        assert [v.name for v in tf.trainable_variables()] == ["model/w:0"]
        assert tf.trainable_variables()[0] is tf.global_variables()[0]
        # Loops and branches came with what gradients need of them.
        slope = tf.gradients(graph.get_tensor_by_name("out:0"), tf.trainable_variables())[0]
        assert session.run(slope, {"x:0": [[1, 2]]}).tolist() == [[8], [16]]


def test_import_below_a_scope(tmp_path):
    build_model()
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver = tf.train.import_meta_graph(path + ".meta", import_scope="again", clear_devices=True)
        saver.restore(session, path)
        assert session.run("again/out:0", {"again/x:0": [[1, 2]]}).tolist() == [[44]]
        assert [v.name for v in tf.global_variables()] == ["again/model/w:0", "again/model/b:0"]
        assert graph.get_collection("tensors")[0].name == "again/y:0"


def test_export_of_a_scope():
    build_model()
    message = tf.train.export_meta_graph(export_scope="model")
    assert {node.name for node in message.graph_def.node} >= {"w", "b", "w/read"}
    assert not any(node.name.startswith("model") for node in message.graph_def.node)
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message)
        assert [v.name for v in tf.global_variables()] == ["w:0", "b:0"]


def test_unbound_inputs():
    a = tf.constant(1.0, name="a")
    with tf.name_scope("part"):
        tf.add(a, 2.0, name="sum")
    message = tf.train.export_meta_graph(export_scope="part")
    assert list(message.collection_def["unbound_inputs"].bytes_list.value) == [b"$unbound_inputs_a"]
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(ValueError, match="unbound inputs"):
            tf.train.import_meta_graph(message)
        tf.train.import_meta_graph(message, input_map={"$unbound_inputs_a": tf.constant(5.0)})
        assert session.run("sum:0") == 7


def test_text_form_and_stripped_attributes(tmp_path):
    build_model()
    path = str(tmp_path / "graph.pbtxt")
    message = tf.train.export_meta_graph(path, as_text=True, strip_default_attrs=True)
    assert message.meta_info_def.stripped_default_attrs
    matmul = next(node for node in message.graph_def.node if node.op == "MatMul")
    assert "transpose_a" not in matmul.attr
    names = [op.name for op in message.meta_info_def.stripped_op_list.op]
    assert names == sorted(names) and "MatMul" in names
    with tf.Graph().as_default():
        assert tf.train.import_meta_graph(path) is not None
        assert len(tf.global_variables()) == 2
    with pytest.raises(OSError, match="does not exist"):
        tf.train.import_meta_graph(str(tmp_path / "none.meta"))
    (tmp_path / "bad.meta").write_bytes(b"\xff\xfe no graph")
    with pytest.raises(ValueError, match="Cannot parse file"):
        tf.train.import_meta_graph(str(tmp_path / "bad.meta"))


def test_savers_in_collections():
    v = tf.Variable(1.0, name="v")
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v]))
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message)
        assert tf.get_collection(tf.GraphKeys.SAVERS)[0].as_saver_def().save_tensor_name == (
            "save/control_dependency:0")


def test_queue_runners_in_meta_graphs():
    queue = tf.FIFOQueue(3, tf.int32, name="q")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1)]))
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message, import_scope="in")
        assert tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].name == "in/q"


def test_clear_extraneous_savers():
    v = tf.Variable(1.0, name="v")
    tf.train.Saver([v])
    second = tf.train.Saver([v])
    names = [node.name for node in second.export_meta_graph(clear_extraneous_savers=True).graph_def.node]
    assert "save_1/SaveV2" in names and "save/SaveV2" not in names


def test_checkpoints_iterator(tmp_path):
    tf.Variable(1.0, name="v")
    saver = tf.train.Saver()
    with started() as session:
        path = saver.save(session, str(tmp_path / "m"), global_step=1)
        found = tf.train.checkpoints_iterator(str(tmp_path), timeout=0)
        assert next(found) == path
        assert list(found) == []


def test_builders(tmp_path):
    from tensorflow.python.training import saver as saver_lib

    class Own(saver_lib.BaseSaverBuilder):
        pass

    v = tf.get_variable("v", initializer=1.0)
    for builder in (saver_lib.BaseSaverBuilder(), saver_lib.BulkSaverBuilder()):
        tf.train.Saver([v], builder=builder)
    with pytest.raises(NotImplementedError, match="own class Own"):
        tf.train.Saver([v], builder=Own())


def test_places_that_cannot_be(tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver()
    (tmp_path / "file").write_text("")
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(ValueError, match="Parent directory of .*file/m doesn't exist, can't save"):
            saver.save(session, str(tmp_path / "file" / "m"))
        with pytest.raises(ValueError, match="no path specified"):
            saver.save(session, "")


def test_a_folder_is_no_checkpoint(tmp_path):
    v = tf.Variable(1.0)
    with tf.Session() as sess, pytest.raises(tf.errors.DataLossError, match="Unable to open table file"):
        tf.train.Saver([v]).restore(sess, str(tmp_path))
    with pytest.raises(tf.errors.DataLossError, match="Is a directory"):
        tf.train.NewCheckpointReader(str(tmp_path))
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        tf.train.load_checkpoint(str(tmp_path))
