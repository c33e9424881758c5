import threading

import numpy as np
import pytest

import rill as tf


# --- critical sections ---------------------------------------------------------------------------


def test_critical_section_keeps_updates_whole():
    section = tf.CriticalSection(name="cs")
    v = tf.Variable(0.0, use_resource=True)

    def update():
        value = v.read_value()
        with tf.control_dependencies([value]):
            return v.assign(value + 1.0).read_value()

    result = section.execute(update)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = [threading.Thread(target=lambda: [sess.run(result) for _ in range(20)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sess.run(v) == 80.0
    assert section.name == "cs" and tf.get_collection("critical_sections") == [section]


@pytest.mark.parametrize("count", [2, 50])
def test_executions_of_one_step_wait_for_each_other(count):
    section, total = tf.CriticalSection(), tf.Variable(0.0, use_resource=True)
    executions = [section.execute(lambda: total.assign_add(1.0)) for _ in range(count)]
    for threads in (1, 2):
        with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads,
                                              intra_op_parallelism_threads=threads)) as sess:
            sess.run(total.initializer)
            assert sorted(sess.run(executions)) == list(range(1, count + 1))
            assert sess.run(total) == count


def test_critical_section_structures():
    section = tf.CriticalSection()
    results = section.execute(lambda: {"a": tf.constant(1), "b": (tf.constant(2.0), tf.constant("c"))})
    with tf.Session() as sess:
        assert sess.run(results) == {"a": 1, "b": (2.0, b"c")}


def test_wrong_critical_sections():
    section, other = tf.CriticalSection(shared_name="s"), tf.CriticalSection(shared_name="o")
    with pytest.raises(ValueError, match="in which we are already running"):
        section.execute(lambda: section.execute(lambda: tf.constant(1)))
    v = tf.Variable(0.0, use_resource=True)
    section.execute(v.read_value)
    with pytest.raises(ValueError, match="requested exclusive resource access"):
        other.execute(v.read_value)
    third, fourth = tf.CriticalSection(shared_name="t"), tf.CriticalSection(shared_name="u")
    w = tf.Variable(0.0, use_resource=True)
    third.execute(w.read_value, exclusive_resource_access=False)
    fourth.execute(w.read_value, exclusive_resource_access=False)


# --- modules -------------------------------------------------------------------------------------


class MyDense(tf.Module):
    def __init__(self, size, name=None):
        super().__init__(name=name)
        with self.name_scope:
            self.w = tf.Variable(np.ones(size, np.float32), name="w")
            self.steps = tf.Variable(0, trainable=False, name="steps")

    @tf.Module.with_name_scope
    def __call__(self, x):
        return tf.multiply(x, self.w, name="product")


class Two(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [MyDense(2), {"inner": MyDense(2, name="second")}]
        self.again = self.layers[0]


def test_modules():
    two = Two()
    first, second = two.layers[0], two.layers[1]["inner"]
    assert (two.name, first.name, second.name) == ("two", "my_dense", "second")
    assert set(two.submodules) == {first, second}
    assert [v.op.name for v in two.variables] == ["my_dense/steps", "my_dense/w", "second/steps", "second/w"]
    assert [v.op.name for v in two.trainable_variables] == ["my_dense/w", "second/w"]
    assert first(tf.constant([1.0, 2.0])).op.name == "my_dense/product"
    with pytest.raises(ValueError, match="is not a valid module name"):
        tf.Module(name="no name")


# --- descriptions --------------------------------------------------------------------------------


def test_specs():
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    spec = tf.SparseTensorSpec.from_value(sparse)
    assert spec == tf.SparseTensorSpec([2, 3], tf.float32) and spec.value_type is tf.SparseTensor
    assert spec.shape.as_list() == [2, 3] and spec.dtype == tf.float32
    assert tf.SparseTensorSpec([None, 3]).is_compatible_with(sparse)
    assert not tf.SparseTensorSpec([None, 3], tf.int32).is_compatible_with(sparse)
    assert spec.most_specific_compatible_type(tf.SparseTensorSpec([2, 4])) == tf.SparseTensorSpec([2, None])
    ragged = tf.ragged.constant([[1], [2, 3]])
    spec = tf.RaggedTensorSpec.from_value(ragged)
    assert spec == tf.RaggedTensorSpec([2, None], tf.int32, 1) and spec.value_type is tf.RaggedTensor
    assert spec.is_compatible_with(ragged)
    with pytest.raises(ValueError, match="Must specify ragged_rank or a shape with a known rank"):
        tf.RaggedTensorSpec()
    with pytest.raises(ValueError, match="ragged_rank must be less than rank"):
        tf.RaggedTensorSpec([2, None], ragged_rank=2)
    array = tf.TensorArray(tf.float32, 3, element_shape=[2])
    spec = tf.TensorArraySpec.from_value(array)
    assert spec == tf.TensorArraySpec([2], tf.float32) and spec.is_compatible_with(array)
    assert spec.value_type is tf.TensorArray
    wider = tf.TensorArraySpec([None], tf.float32)
    assert spec.most_specific_compatible_type(wider) == wider
    with pytest.raises(ValueError, match="Incompatible type"):
        spec.most_specific_compatible_type(tf.TensorArraySpec([2], tf.int32))
    inner = tf.TensorSpec([2], tf.float32)
    assert tf.OptionalSpec(inner).is_compatible_with(tf.OptionalSpec(tf.TensorSpec([None], tf.float32)))


# --- functions -----------------------------------------------------------------------------------


def test_vectorized_map():
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    scale = tf.constant(2.0)
    both = tf.vectorized_map(lambda pair: {"sum": tf.reduce_sum(pair[0]) * scale, "int": tf.cast(pair[1], tf.int64)},
                             (x, np.array([1, 2, 3])))
    with tf.Session() as sess:
        values = sess.run(both)
    assert values["sum"].tolist() == [2.0, 10.0, 18.0] and values["int"].dtype == np.int64


def test_wrap_function():
    k = tf.constant(3.0)
    calls = []

    def f(x, y):
        calls.append(1)
        return x * k + y, tf.shape(x)

    wrapped = tf.wrap_function(f, [tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)], name="mine")
    first, second = wrapped(tf.constant([1.0, 2.0]), 1.0), wrapped([5.0], 0.0)
    with tf.Session() as sess:
        values = sess.run([first, second])
    assert values[0][0].tolist() == [4.0, 7.0] and values[1][0].tolist() == [15.0] and len(calls) == 1
    assert "mine" in wrapped.name
    with pytest.raises(TypeError, match="Expected 2 arguments"):
        wrapped([1.0])


def test_batch_function():
    @tf.nondifferentiable_batch_function(1, 10, 100000, allowed_batch_sizes=[3, 10])
    def double(x):
        return x * factor, tf.fill(tf.shape(x), tf.size(x))

    factor = tf.constant(2.0)
    x = tf.placeholder(tf.float32, [1])
    y, size = double(x)
    results = {}
    with tf.Session() as sess:
        def ask(i):
            results[i] = [value.tolist() for value in sess.run([y, size], {x: [i]})]

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {0: [[0.0], [3]], 1: [[2.0], [3]], 2: [[4.0], [3]]}
    with pytest.raises(ValueError, match="are supposed to be Tensors"):
        double(1.0)


# --- clusters ------------------------------------------------------------------------------------


def test_cluster_spec():
    spec = tf.train.ClusterSpec({"ps": ["a:1", "b:2"], "worker": {1: "c:3", 3: "d:4"}})
    assert spec.jobs == ["ps", "worker"] and spec.num_tasks("worker") == 2
    assert spec.task_indices("worker") == [1, 3] and spec.task_address("worker", 3) == "d:4"
    assert spec.job_tasks("worker") == [None, "c:3", None, "d:4"]
    assert spec.as_dict() == {"ps": ["a:1", "b:2"], "worker": {1: "c:3", 3: "d:4"}}
    again = tf.train.ClusterSpec(spec.as_cluster_def())
    assert again == spec == tf.train.ClusterSpec(spec) and bool(spec) and not tf.train.ClusterSpec({})
    assert repr(spec) == "ClusterSpec({'ps': ['a:1', 'b:2'], 'worker': {1: 'c:3', 3: 'd:4'}})"
    for call in (lambda: spec.num_tasks("no"), lambda: spec.task_address("ps", 7)):
        with pytest.raises(ValueError, match="No such job|No task with index"):
            call()
    for wrong in ("ps", {"ps": "a:1"}, {"ps": [1]}, {1: ["a:1"]}):
        with pytest.raises(TypeError):
            tf.train.ClusterSpec(wrong)


def test_summary_iterator(tmp_path):
    path = str(tmp_path / "events")
    with tf.io.TFRecordWriter(path) as writer:
        for step in range(3):
            writer.write(tf.Event(step=step).SerializeToString())
    assert [event.step for event in tf.train.summary_iterator(path)] == [0, 1, 2]


def test_vocab_info():
    info = tf.train.VocabInfo("new", 3, 1, "old")
    assert info.old_vocab_size == -1 and info.axis == 0
    with pytest.raises(ValueError, match="axis argument are 0 and 1"):
        tf.train.VocabInfo("new", 3, 1, "old", axis=2)
