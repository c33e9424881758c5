"""The program that docs/input_pipelines.md shows does the same in both languages; what tf.data says and refuses."""
import pathlib
import re
import shlex
import subprocess

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.framework import tensor_util

ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"
Dataset = tf.data.Dataset


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "docs" / "input_pipelines.md").read_text(), re.DOTALL)[1]


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_of_the_docs_in_both_languages(tmp_path):
    (tmp_path / "program.py").write_text(shown("python"))
    printed = output(RILL, "run", tmp_path / "program.py")
    rows = [line.split() for line in printed.splitlines()]
    assert [row[0] for row in rows] == ["0", "0", "1", "1"]
    assert all(float(a) == 2 * float(b) for _, a, b in rows)
    (tmp_path / "program.cc").write_text(shown("cpp"))
    flags = shlex.split(output(RILL, "config", "--cflags", "--libs"))
    output("g++", tmp_path / "program.cc", *flags, "-o", tmp_path / "program")
    assert output(tmp_path / "program") == printed


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_texts_of_datasets():
    assert repr(Dataset.range(3)) == "<DatasetV1Adapter shapes: (), types: tf.int64>"
    nested = Dataset.from_tensors((1, {"a": [1., 2.]}))
    assert repr(nested) == "<DatasetV1Adapter shapes: ((), {a: (2,)}), types: (tf.int32, {a: tf.float32})>"


@pytest.mark.parametrize("run, error, phrase", [
    (lambda: list(Dataset.range(3)), RuntimeError, "__iter__"),
    (lambda: Dataset.zip([Dataset.range(3)]), TypeError, "please use a tuple instead"),
    (lambda: Dataset.range(), ValueError, "Invalid arguments to RangeDataset"),
    (lambda: Dataset.range(3).flat_map(lambda x: x), TypeError, "must return a `Dataset`"),
    (lambda: Dataset.range(3).filter(lambda x: x), ValueError, "scalar boolean tensor"),
    (lambda: Dataset.range(3).map(lambda x: None), TypeError, "Unsupported return value from function passed to "
                                                              "Dataset.map"),
    (lambda: Dataset.range(3).apply(lambda d: 3), TypeError, "must return a Dataset"),
    (lambda: Dataset.range(3).make_one_shot_iterator().initializer, ValueError, "does not have an initializer"),
    (lambda: Dataset.range(3).concatenate(Dataset.from_tensors(1.)), TypeError, "different types"),
    (lambda: Dataset.from_generator(3, tf.int32), TypeError, "`generator` must be callable"),
    (lambda: Dataset.from_sparse_tensor_slices(3), TypeError, "must be a `tf.SparseTensor` object"),
    (lambda: Dataset.from_tensors([1]).padded_batch(1, [0]), ValueError, "is not compatible"),
    (lambda: Dataset.from_tensors([1]).padded_batch(1, [1], padding_values=0.5), TypeError, "does not match"),
    (lambda: tf.data.TextLineDataset(Dataset.range(3)), TypeError, "`tf.string` elements"),
    (lambda: Dataset.range(4).reduce(0, lambda s, x: 1.), TypeError, "element types for the new state"),
    (lambda: tf.data.experimental.get_single_element(3), TypeError, "must be a `tf.data.Dataset`"),
    (lambda: Dataset.from_tensors(1.).apply(tf.data.experimental.unique()), TypeError, "only supports"),
])
def test_refusals(run, error, phrase):
    with pytest.raises(error, match=re.escape(phrase)):
        run()


def test_one_shot_iterators_cannot_depend_on_variables():
    variable = tf.get_variable("v", initializer=tf.constant(1, tf.int64))
    with pytest.raises(ValueError, match="does not support datasets that capture stateful objects"):
        Dataset.range(3).map(lambda x: x + variable).make_one_shot_iterator()
    with pytest.raises(ValueError, match="Cannot capture a placeholder"):
        Dataset.range(tf.placeholder(tf.int64, [])).make_one_shot_iterator()


def test_options():
    options = tf.data.Options()
    assert options.experimental_deterministic is None
    assert options.experimental_distribute.auto_shard is True
    options.experimental_threading.max_intra_op_parallelism = 1
    with pytest.raises(TypeError, match='Property "experimental_slack" must be of type'):
        options.experimental_slack = 3
    with pytest.raises(AttributeError, match="Cannot set the property"):
        options.nonsense = 3
    dataset = Dataset.range(3).with_options(options)
    nodes = [node.op for node in graph_of(dataset)]
    assert "MaxIntraOpParallelismDataset" in nodes and "OptimizeDataset" in nodes and "ModelDataset" in nodes
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    nodes = [node.op for node in graph_of(Dataset.range(3).with_options(options))]
    assert nodes.count("OptimizeDataset") == 1 and nodes.count("ModelDataset") == 1


def graph_of(dataset):
    dataset.make_initializable_iterator()
    return tf.get_default_graph().as_graph_def().node


def test_functions_of_the_library():
    Dataset.range(3).map(lambda x: x + 1)

    def my_function(x):
        return x * 2
    Dataset.range(3).map(my_function).map_with_legacy_function(my_function).make_one_shot_iterator()
    names = [function.signature.name for function in tf.get_default_graph().as_graph_def().library.function]
    patterns = ["__inference_Dataset_map_lambda_", "__inference_Dataset_map_my_function_", "Dataset_map_my_function_",
                "_make_dataset_"]
    assert all(name.startswith(pattern) for name, pattern in zip(names, patterns)) and len(names) == 4


def test_only_ops_of_tensorflow_1(graph):
    known = {line.split("\t")[0] for line in (ROOT / "tests" / "facts" / "tf1_ops.tsv").read_text().splitlines()}
    dataset = Dataset.range(10).map(lambda x: x, 2).batch(2).shuffle(3).repeat().prefetch(1).cache().take(2).skip(1)
    dataset = dataset.interleave(Dataset.from_tensor_slices, 2, num_parallel_calls=2).window(2)
    dataset.flat_map(lambda window: window.batch(2)).make_one_shot_iterator().get_next()
    definition = graph.as_graph_def()
    used = {node.op for node in definition.node}
    used.update(node.op for function in definition.library.function for node in function.node_def)
    assert used <= known, used - known


class Doubled(Dataset):
    """A dataset as programs for TensorFlow 1 write them."""

    def __init__(self, dataset):
        self._dataset = dataset
        super().__init__()

    def _as_variant_tensor(self):
        return tf.data.experimental.to_variant(self._dataset.map(lambda x: x * 2))

    def _inputs(self):
        return [self._dataset]

    output_types = property(lambda self: self._dataset.output_types)
    output_shapes = property(lambda self: self._dataset.output_shapes)
    output_classes = property(lambda self: self._dataset.output_classes)


def test_subclasses_by_internal_names():
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.data.util import nest, structure
    from tensorflow.python.ops import gen_dataset_ops

    class FirstTwo(dataset_ops.UnaryUnchangedStructureDataset):
        def __init__(self, dataset):
            variant = gen_dataset_ops.take_dataset(dataset._variant_tensor, count=2, **dataset._flat_structure)
            super().__init__(dataset, variant)

    dataset = dataset_ops.DatasetV1Adapter(FirstTwo(Dataset.range(4)))
    assert values_of(dataset.make_one_shot_iterator().get_next(), 2) == [0, 1]
    assert nest.flatten({"b": 1, "a": (2, [3, 4])}) == [2, [3, 4], 1]
    assert structure.are_compatible(dataset.element_spec, tf.TensorSpec([], tf.int64))


def test_subclasses():
    get_next = Doubled(Dataset.range(4)).batch(4).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert session.run(get_next).tolist() == [0, 2, 4, 6]


def seeds_of(dataset):
    """The constants that the seeds of a shuffle are computed from."""
    node = dataset._variant_tensor.op
    second = node.inputs[3].op
    second = second if second.type == "Const" else second.inputs[2].op
    return [int(tensor_util.constant_value(op.outputs[0])) for op in (node.inputs[2].op, second)]


@pytest.mark.parametrize("graph_seed, seed, wanted", [
    (None, None, [0, 0]), (None, 5, [87654321, 5]), (7, 5, [7, 5]), (0, 0, [0, 2**31 - 1])])
def test_seeds(graph_seed, seed, wanted):
    tf.set_random_seed(graph_seed)
    assert seeds_of(Dataset.range(3).shuffle(2, seed)) == wanted


def test_a_stage_without_a_seed_takes_the_number_of_nodes():
    tf.set_random_seed(7)
    dataset = Dataset.range(3)
    size = tf.constant(2, tf.int64)
    count = len(tf.get_default_graph().get_operations())
    assert seeds_of(dataset.shuffle(size)) == [7, count]


def values_of(get_next, count, *start):
    with tf.Session() as session:
        session.run(start)
        return [session.run(get_next) for _ in range(count)]


def test_devices_get_elements_in_turn():
    from tensorflow.python.data.ops import multi_device_iterator_ops
    iterator = multi_device_iterator_ops.MultiDeviceIterator(Dataset.range(6), ["/cpu:0", "/cpu:0"])
    assert values_of(iterator.get_next(), 3, iterator.initializer) == [[0, 1], [2, 3], [4, 5]]


def test_contrib():
    data = tf.contrib.data
    dataset = Dataset.range(7).apply(data.batch_and_drop_remainder(3))
    assert dataset.output_shapes.as_list() == [3]
    dataset = Dataset.range(5).apply(data.sliding_window_batch(3, window_shift=2))
    assert [list(x) for x in values_of(dataset.make_one_shot_iterator().get_next(), 2)] == [[0, 1, 2], [2, 3, 4]]
    dataset = Dataset.range(4).batch(2).apply(data.assert_element_shape([2]))
    assert dataset.output_shapes.as_list() == [2]
    assert data.map_and_batch is tf.data.experimental.map_and_batch and data.TFRecordDataset is tf.data.TFRecordDataset


def test_tensor_arrays_are_parts():
    def squares(n):
        return tf.TensorArray(tf.int64, 3, element_shape=[]).unstack(n * tf.constant([0, 1, 4], tf.int64))
    dataset = Dataset.range(2).map(squares)
    assert dataset.output_classes is tf.TensorArray
    get_next = dataset.map(lambda array: array.stack()).make_one_shot_iterator().get_next()
    assert [list(x) for x in values_of(get_next, 2)] == [[0, 0, 0], [0, 1, 4]]


def test_iterators_are_saved_beside_checkpoints(tmp_path):
    class Estimator:
        model_dir = str(tmp_path)
        config = None
    iterator = Dataset.range(10).make_initializable_iterator()
    get_next = iterator.get_next()
    hook = tf.data.experimental.CheckpointInputPipelineHook(Estimator())
    hook.begin()
    for wanted in ([0, 1, 2], [3, 4, 5]):
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), iterator.initializer])
            hook.after_create_session(session, None)
            assert [session.run(get_next) for _ in range(3)] == wanted
            hook.end(session)


def test_keras_trains_with_datasets():
    x = np.arange(24, dtype=np.float32).reshape(8, 3) / 24
    y = x.sum(1, keepdims=True) * 2
    batches = Dataset.from_tensor_slices((x, y)).batch(4)

    def trained(*data, **options):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(3,))])
        model.compile("sgd", "mse")
        history = model.fit(*data, epochs=2, shuffle=False, verbose=0, **options).history["loss"]
        return model, history

    by_arrays, wanted = trained(x, y, batch_size=4)
    by_dataset, found = trained(batches, steps_per_epoch=2)
    _, without_steps = trained(batches)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    np.testing.assert_allclose(without_steps, wanted, rtol=1e-5)
    np.testing.assert_allclose(by_dataset.predict(batches, steps=2), by_arrays.predict(x), rtol=1e-5)
    np.testing.assert_allclose(by_dataset.evaluate(batches, steps=2, verbose=0), by_arrays.evaluate(x, y, verbose=0),
                               rtol=1e-5)
    with pytest.raises(ValueError, match="infinitely repeating dataset"):
        trained(batches.repeat())
