"""tf.contrib.framework: variables that get values of checkpoints and of programs."""
import numpy as np
import pytest
import tensorflow as tf

framework = tf.contrib.framework


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as own:
        yield own


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("v", initializer=[1.0, 2.0])
        tf.get_variable("m", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        tf.get_variable("b", initializer=[[1.0], [2.0], [3.0]])
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(tmp_path / "model"))


@pytest.fixture
def words(tmp_path):
    (tmp_path / "old").write_text("apple\nbanana\nguava\n")
    (tmp_path / "new").write_text("banana\ncherry\napple\n")
    return dict(old_vocab_file=str(tmp_path / "old"), new_vocab_file=str(tmp_path / "new"))


def initialised(variable):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tf.convert_to_tensor(variable)).tolist()


def test_assign_from_checkpoint(checkpoint):
    v, n = tf.get_variable("v", [2]), tf.get_variable("n", [1])
    m = tf.get_variable("m", [2, 3])
    operation, feeds = framework.assign_from_checkpoint(checkpoint, [v, m])
    with tf.Session() as session:
        session.run(operation, feeds)
        assert session.run(v).tolist() == [1.0, 2.0]
        assert session.run(m).tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert sorted(fed.op.name for fed in feeds) == ["placeholder/m", "placeholder/v"]
    with pytest.raises(ValueError, match=r"Checkpoint is missing variable \[n\]"):
        framework.assign_from_checkpoint(checkpoint, [n])
    _, feeds = framework.assign_from_checkpoint(checkpoint, {"n": n, "v": v}, ignore_missing_vars=True)
    assert len(feeds) == 1
    with pytest.raises(ValueError, match="Total size of new array must be unchanged for v"):
        framework.assign_from_checkpoint(checkpoint, {"v": n})


def test_assign_parts_from_checkpoint(checkpoint):
    m = tf.get_variable("m", [3, 2], partitioner=tf.fixed_size_partitioner(2))
    operation, feeds = framework.assign_from_checkpoint(checkpoint, {"m": m})
    with tf.Session() as session:
        session.run(operation, feeds)
        assert session.run(tf.convert_to_tensor(m)).tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_assign_from_checkpoint_fn(checkpoint):
    v, n = tf.get_variable("v", [2]), tf.get_variable("n", [1])
    flat = tf.get_variable("flat", [6])
    restore = framework.assign_from_checkpoint_fn(checkpoint, [v, n], ignore_missing_vars=True)
    reshape = framework.assign_from_checkpoint_fn(checkpoint, {"m": flat}, reshape_variables=True)
    with tf.Session() as session:
        restore(session)
        reshape(session)
        assert session.run(v).tolist() == [1.0, 2.0]
        assert session.run(flat).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert framework.assign_from_checkpoint_fn(checkpoint, [n], ignore_missing_vars=True) is None
    with pytest.raises(ValueError, match="var_list cannot be empty"):
        framework.assign_from_checkpoint_fn(checkpoint, [])


def test_assign_from_values():
    v = framework.variable("v", [2, 1])
    values = {"v": np.array([5.0, 6.0], "float32")}
    give = framework.assign_from_values_fn(values)
    operation, feeds = framework.assign_from_values(values)
    with tf.Session() as session:
        give(session)
        assert session.run(v).tolist() == [[5.0], [6.0]]
        session.run(operation, feeds)
    with pytest.raises(ValueError, match="Couldn't find variable w"):
        framework.assign_from_values({"w": values["v"]})


def test_choosing_variables():
    a, b = framework.variable("a/x", []), framework.variable("b/y", [])
    with tf.variable_scope("a") as scope:
        pass
    assert framework.get_variables_to_restore() == [a, b]
    assert framework.get_variables_to_restore(include=["b"]) == [b]
    assert framework.get_variables_to_restore(exclude=[scope]) == [b]
    with pytest.raises(TypeError, match="include is provided but is not a list or a tuple"):
        framework.get_variables_to_restore(include="a")
    assert framework.filter_variables([a, b], include_patterns=["x"]) == [a]
    assert framework.filter_variables([a, b], include_patterns=["x"], reg_search=False) == []
    assert framework.filter_variables([a, b], exclude_patterns=["a/"]) == [b]


def test_reading(checkpoint):
    assert framework.list_variables(checkpoint) == [("b", [3, 1]), ("m", [3, 2]), ("v", [2])]
    assert framework.load_variable(checkpoint, "v").tolist() == [1.0, 2.0]
    assert framework.load_checkpoint(checkpoint).has_tensor("m")
    v = tf.get_variable("w", [2])
    framework.init_from_checkpoint(checkpoint, {"v": v})
    assert initialised(v) == [1.0, 2.0]


def test_embeddings(checkpoint, words):
    initializer = framework.load_embedding_initializer(
        checkpoint, "m", 3, 2, num_oov_buckets=1, initializer=tf.ones_initializer(), **words)
    v = tf.get_variable("e", [4, 2], initializer=initializer)
    assert initialised(v) == [[3.0, 4.0], [1.0, 1.0], [1.0, 2.0], [1.0, 1.0]]


def test_embeddings_of_parts(checkpoint, words):
    initializer = framework.load_embedding_initializer(checkpoint, "m", 3, 2, initializer=tf.zeros_initializer(),
                                                       **words)
    v = tf.get_variable("e", [3, 2], initializer=initializer, partitioner=tf.fixed_size_partitioner(3))
    assert initialised(v) == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]


def test_embeddings_of_new_words_are_random(checkpoint, words):
    v = tf.get_variable("e", [3, 2], initializer=framework.load_embedding_initializer(checkpoint, "m", 3, 2, **words))
    value = initialised(v)
    assert value[0] == [3.0, 4.0] and value[1] != [0.0, 0.0] and max(map(abs, value[1])) < 2


def test_biases_of_classes(checkpoint, words):
    initializer = framework.load_linear_multiclass_bias_initializer(
        checkpoint, "b", 3, old_class_vocab_file=words["old_vocab_file"],
        new_class_vocab_file=words["new_vocab_file"], num_class_oov_buckets=1)
    assert initialised(tf.get_variable("bias", [4, 1], initializer=initializer)) == [[2.0], [0.0], [1.0], [0.0]]


def test_matrices(checkpoint, words):
    files = dict(old_row_vocab_file=words["old_vocab_file"], new_row_vocab_file=words["new_vocab_file"])
    matrix = framework.load_and_remap_matrix(checkpoint, "m", 1, 2, 2, tf.ones_initializer(), max_rows_in_memory=1,
                                             **files)
    with tf.Session() as session:
        assert session.run(matrix).tolist() == [[1.0, 1.0], [1.0, 2.0]]
    whole = framework.load_and_remap_matrix_initializer(checkpoint, "m", 3, 2, num_col_oov_buckets=1, **files)
    assert initialised(tf.get_variable("w", [3, 3], initializer=whole)) == [
        [3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 0.0]]
    slot = framework.load_variable_slot_initializer(
        checkpoint, "m", _Part([3, 2], [1, 0]), 3, 2, **files)
    assert initialised(tf.get_variable("s", [2, 2], initializer=slot)) == [[0.0, 0.0], [1.0, 2.0]]


class _Part:
    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = full_shape, var_offset


@pytest.mark.parametrize("change, error, text", [
    (dict(num_row_oov_buckets=-1), ValueError, "num_row_oov_buckets must be >= 0, but received -1"),
    (dict(new_row_vocab_file=None), ValueError, "must both be specified or left unspecified"),
    (dict(new_row_vocab_file=None, old_row_vocab_file=None), ValueError, "either row or column vocab files"),
    (dict(initializer=3), TypeError, "initializer must be callable"),
])
def test_matrices_that_do_not_fit(checkpoint, words, change, error, text):
    arguments = dict(initializer=tf.ones_initializer(), old_row_vocab_file=words["old_vocab_file"],
                     new_row_vocab_file=words["new_vocab_file"])
    with pytest.raises(error, match=text):
        framework.load_and_remap_matrix(checkpoint, "m", 0, 3, 2, **{**arguments, **change})


@pytest.mark.parametrize("shape, dtype, error, text", [
    ([3, 2], tf.float64, TypeError, "only float32 is supported"),
    ([3], tf.float32, ValueError, "Expected 2-dim shape"),
    ([0, 2], tf.float32, ValueError, "Expected 1st dim of shape to be > 0"),
    ([3, 5], tf.float32, ValueError, "Expected 2nd dim of shape to be new_col_vocab_size"),
    ([9, 2], tf.float32, ValueError, "would exceed expected total row count"),
])
def test_variables_that_do_not_fit(checkpoint, words, shape, dtype, error, text):
    make = framework.load_embedding_initializer(checkpoint, "m", 3, 2, **words)
    with pytest.raises(error, match=text):
        make(shape, dtype)


def test_zero_initializer():
    v = tf.get_variable("v", initializer=[3.0, 4.0])
    zero = framework.zero_initializer(v)
    with tf.Session() as session:
        session.run(zero)
        assert session.run(v).tolist() == [0.0, 0.0]


def test_devices_of_variables():
    choose = framework.VariableDeviceChooser(num_tasks=2)
    with tf.device(choose):
        devices = [tf.get_variable(name, []).device for name in "ab"]
    assert choose(None) in ("/job:ps/task:0/device:CPU:0", "/job:ps/task:1/device:CPU:0")
    assert set(devices) <= {"/job:ps/task:0/device:CPU:0", "/job:ps/task:1/device:CPU:0"}
    assert framework.VariableDeviceChooser(device_type="GPU")(None) == "/device:GPU:0"


@pytest.mark.parametrize("chosen, text", [
    (3, "must be a `list` or `str`"), (["v", 3], "all `Variable` or all `str`"), (("v",), "must be a `list` or `str`")])
def test_warm_starts_of_nothing(checkpoint, chosen, text):
    tf.get_variable("v", [2])
    with pytest.raises(ValueError, match=text):
        tf.train.warm_start(checkpoint, vars_to_warm_start=chosen)


def test_warm_starts_that_do_not_fit(checkpoint, words):
    tf.get_variable("v", [2])
    with pytest.raises(ValueError, match="in var_name_to_prev_var_name that were not used"):
        tf.train.warm_start(checkpoint, var_name_to_prev_var_name={"x": "v"})
    info = tf.train.VocabInfo(words["new_vocab_file"], 3, 0, words["old_vocab_file"])
    with pytest.raises(ValueError, match="in var_name_to_vocab_info that were not used"):
        tf.train.warm_start(checkpoint, var_name_to_vocab_info={"x": info})
    with pytest.raises(ValueError, match="Expected 2-dim shape"):
        tf.train.warm_start(checkpoint, var_name_to_vocab_info={"v": info})
    with pytest.raises(ValueError, match="checkpoint"):
        tf.train.warm_start(checkpoint, var_name_to_prev_var_name={"v": "absent"})


def test_small_helpers(graph):
    with tf.name_scope("a"), tf.name_scope("b"):
        assert framework.get_name_scope() == "a/b"
    x = tf.placeholder(tf.float32, [2], name="x")
    assert framework.get_placeholders(graph) == [x]
    assert framework.constant_value(tf.constant(3)) == 3
    assert framework.smart_cond(tf.constant(True), lambda: 1, lambda: 2) == 1
    assert framework.smart_constant_value(x[0] > 0) is None
    assert framework.get_graph_from_inputs([x]) is graph
    assert framework.assert_scalar_int(5) == 5
    with pytest.raises(ValueError, match="Expected scalar int"):
        framework.assert_scalar_int(x)
    total = framework.reduce_sum_n([tf.constant([1.0, 2.0]), tf.constant([[3.0]])])
    assert total.op.name == "reduce_sum_n"
    with tf.Session() as session:
        assert session.run(total) == 6.0
