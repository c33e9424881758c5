import collections

import numpy as np
import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset
Point = collections.namedtuple("Point", ["x", "y"])


def told(dataset):
    return {"spec": spec(dataset), "elements": elements(dataset)}


def program_one_tensor():
    return told(Dataset.from_tensors([1, 2, 3]))


def program_a_tuple():
    return told(Dataset.from_tensors((1, [2.5, 3.5], "text")))


def program_a_dict():
    return told(Dataset.from_tensors({"b": [1, 2], "a": "text"}))


def program_a_named_tuple():
    dataset = Dataset.from_tensors(Point(1, [2., 3.]))
    return {**told(dataset), "fields": [str(dataset.element_spec._fields)]}


def program_nested():
    return told(Dataset.from_tensors(({"a": (1, 2), "b": Point(3, 4)}, [5, 6])))


def program_lists_are_tensors():
    dataset = Dataset.from_tensors(([1, 2], [[3.], [4.]]))
    return {**told(dataset), "types": str(dataset.output_types), "kind": type(dataset.output_types).__name__}


def program_slices():
    return told(Dataset.from_tensor_slices([[1, 2], [3, 4], [5, 6]]))


def program_slices_of_a_dict():
    return told(Dataset.from_tensor_slices({"x": np.arange(6).reshape(3, 2), "y": ["a", "b", "c"]}))


def program_slices_of_numpy_types():
    return told(Dataset.from_tensor_slices((np.arange(3, dtype=np.uint8), np.array([1.5, 2.5, 3.5]),
                                            np.array([True, False, True]), np.array([1, 2, 3], np.float16))))


def program_slices_of_different_lengths():
    return {"error": raised(lambda: Dataset.from_tensor_slices(([1, 2], [1, 2, 3])))}


def program_slices_of_a_scalar():
    return {"error": raised(lambda: Dataset.from_tensor_slices(1))}


def program_slices_of_tensors():
    x = tf.reshape(tf.range(6), [3, 2])
    return told(Dataset.from_tensor_slices((x, x * 2)))


def program_slices_of_unknown_length():
    x = tf.placeholder_with_default([1, 2, 3], [None])
    return told(Dataset.from_tensor_slices(x))


def program_sparse():
    sparse = tf.SparseTensor([[0, 0], [1, 2]], [1., 2.], [2, 3])
    return told(Dataset.from_tensors(sparse))


def program_sparse_slices():
    sparse = tf.SparseTensor([[0, 0], [1, 2], [2, 1]], [1, 2, 3], [3, 3])
    return told(Dataset.from_tensor_slices((sparse, [10, 20, 30])))


def program_sparse_value():
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([7]), np.array([1, 2]))
    return told(Dataset.from_tensor_slices(value))


def program_sparse_batches():
    sparse = tf.SparseTensor([[0, 0], [1, 2], [2, 1]], [1, 2, 3], [3, 3])
    return told(Dataset.from_tensor_slices(sparse).batch(2))


def program_sparse_through_map():
    sparse = tf.SparseTensor([[0, 0], [1, 2]], [1., 2.], [2, 3])
    dataset = Dataset.from_tensor_slices(sparse).map(lambda s: (tf.sparse.to_dense(s), s))
    return told(dataset)


def program_map_makes_sparse():
    dataset = Dataset.range(3).map(lambda i: tf.SparseTensor([[i]], [i * 2], [4]))
    return told(dataset)


def program_sparse_tensor_slices():
    sparse = tf.SparseTensor([[0, 0], [2, 1], [2, 2]], [1, 2, 3], [3, 3])
    return told(Dataset.from_sparse_tensor_slices(sparse))


def program_zip():
    return told(Dataset.zip((Dataset.range(3), Dataset.range(10, 20))))


def program_zip_dict():
    return told(Dataset.zip({"a": Dataset.range(3), "b": (Dataset.range(4), Dataset.from_tensor_slices(["x", "y"]))}))


def program_zip_wrong():
    return {"list": raised(lambda: Dataset.zip([Dataset.range(3)])), "number": raised(lambda: Dataset.zip((1, 2)))}


def program_enumerate():
    return told(Dataset.from_tensor_slices({"a": [1, 2]}).enumerate(start=5))


def program_window():
    return told(Dataset.range(7).window(3).flat_map(lambda w: w.batch(3)))


def program_window_spec():
    return {"spec": spec(Dataset.from_tensor_slices(([1, 2], {"a": [3., 4.]})).window(2))}


def program_window_of_tuples():
    dataset = Dataset.from_tensor_slices(([1, 2, 3, 4], [5, 6, 7, 8])).window(2, shift=1, drop_remainder=True)
    return told(dataset.flat_map(lambda a, b: Dataset.zip((a.batch(2), b.batch(2)))))


def program_dataset_as_part():
    inner = Dataset.range(3)
    dataset = Dataset.from_tensors(inner).flat_map(lambda d: d)
    return told(dataset)


def program_map_makes_datasets():
    dataset = Dataset.range(3).map(lambda i: (i, Dataset.range(i)))
    return {"spec": spec(dataset), "elements": elements(dataset.flat_map(lambda i, d: d.map(lambda j: (i, j))))}


def program_map_returns_a_dict():
    return told(Dataset.range(2).map(lambda i: {"twice": i * 2, "half": i / 2}))


def program_map_returns_a_named_tuple():
    return told(Dataset.range(2).map(lambda i: Point(x=i, y=-i)).map(lambda p: p.x + p.y))


def program_map_returns_a_list():
    return told(Dataset.range(2).map(lambda i: [i, i + 1]))


def program_map_returns_values():
    return told(Dataset.range(2).map(lambda i: (1, 2.5, "text")))


def program_map_takes_tuples_apart():
    dataset = Dataset.from_tensor_slices(([1, 2], ([3, 4], [5, 6])))
    return told(dataset.map(lambda a, b: a + b[0] * b[1]))


def program_map_keeps_dicts():
    dataset = Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]})
    return told(dataset.map(lambda d: d["a"] * d["b"]))


def program_map_of_a_dict_and_a_label():
    dataset = Dataset.from_tensor_slices(({"a": [1, 2], "b": [3, 4]}, [0, 1]))
    return told(dataset.map(lambda features, label: (dict(features, c=features["a"] + 1), label)))


def program_output_properties():
    dataset = Dataset.from_tensors((1, {"a": tf.SparseTensor([[0]], [1.], [3])}))
    return {"types": str(dataset.output_types), "shape": str(dataset.output_shapes[0]),
            "classes": [dataset.output_classes[0] is tf.Tensor, dataset.output_classes[1]["a"] is tf.SparseTensor],
            "functions": [str(tf.data.get_output_types(dataset)) == str(dataset.output_types),
                          tf.data.get_output_classes(dataset) == dataset.output_classes]}


def program_options_are_kept():
    options = tf.data.Options()
    options.experimental_optimization.map_and_batch_fusion = True
    dataset = Dataset.range(3).with_options(options).map(lambda x: x + 1).batch(2)
    return {**told(dataset), "kept": dataset.options().experimental_optimization.map_and_batch_fusion}


def program_apply():
    return {**told(Dataset.range(5).apply(lambda d: d.batch(2))),
            "error": raised(lambda: Dataset.range(3).apply(lambda d: 1))}


def program_ragged():
    ragged = tf.ragged.constant([[[1, 2], []], [], [[3]]])
    dataset = Dataset.from_tensor_slices(ragged)
    return {"elements": elements(dataset.map(lambda r: (r.flat_values, r.row_splits)))}


def program_ragged_element():
    dataset = Dataset.range(1).map(lambda _: tf.ragged.constant([[1, 2], [], [3]]))
    dataset = dataset.map(lambda r: (r.flat_values, r.row_splits))
    return {"elements": elements(dataset)}


def program_optional():
    optional = tf.data.experimental.Optional
    some = optional.from_value((1, {"a": 2.}))
    return {"has": some.has_value(), "value": some.get_value()}


def program_structure_functions():
    e = tf.data.experimental
    dataset = Dataset.range(3)
    again = e.from_variant(e.to_variant(dataset), e.get_structure(dataset))
    return {"elements": elements(again), "spec": spec(again)}


def program_iteration_needs_a_session():
    return {"error": raised(lambda: list(Dataset.range(3)))}


def program_unbatch_sparse():
    sparse = tf.SparseTensor([[0, 0], [1, 2], [2, 1]], [1, 2, 3], [3, 3])
    dataset = Dataset.from_tensors((sparse, [4, 5, 6]))
    return told(dataset.apply(tf.data.experimental.unbatch()))


def program_batch_and_unbatch_sparse():
    dataset = Dataset.range(3).map(lambda i: {"s": tf.SparseTensor([[i]], [i], [3]), "i": i})
    return {"elements": elements(dataset.batch(2).apply(tf.data.experimental.unbatch()))}


def program_list_of_tensors():
    return told(Dataset.from_tensor_slices([tf.constant([1, 2]), tf.constant([3, 4])]))


def program_variables():
    ref = tf.get_variable("v", initializer=[1., 2.])
    resource = tf.get_variable("r", initializer=[3., 4.], use_resource=True)
    return told(Dataset.from_tensor_slices((ref, resource)))


def program_window_reduced():
    dataset = Dataset.range(6).window(2)
    return told(dataset.map(lambda w: w.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)))


def program_generator_in_flat_map():
    def numbers(n):
        yield from range(n)
    return told(Dataset.range(3).flat_map(lambda i: Dataset.from_generator(numbers, tf.int64, [], args=(i + 1,))))
