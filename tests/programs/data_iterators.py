import os
import tempfile

import numpy as np
import tensorflow as tf
from program import raised, spec

Dataset = tf.data.Dataset


def rest(session, fetch, feed=None, limit=50):
    found = []
    for _ in range(limit):
        try:
            found.append(session.run(fetch, feed))
        except tf.errors.OutOfRangeError:
            break
    return found


def program_one_shot():
    iterator = Dataset.range(4).make_one_shot_iterator()
    get_next = iterator.get_next()
    with tf.Session() as session:
        values = rest(session, get_next)
        again = raised(lambda: session.run(get_next))
    return {"values": values, "again": again, "spec": spec(iterator), "name": get_next.name,
            "shape": get_next.shape.as_list()}


def program_one_shot_in_two_sessions():
    get_next = Dataset.range(3).make_one_shot_iterator().get_next()
    with tf.Session() as first:
        a = rest(first, get_next, limit=2)
    with tf.Session() as second:
        b = rest(second, get_next)
    return {"a": a, "b": b}


def program_one_shot_captures_constants():
    offset = tf.constant(10, tf.int64) * 2
    get_next = Dataset.range(3).map(lambda x: x + offset).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return {"values": rest(session, get_next)}


def program_one_shot_with_a_variable():
    variable = tf.get_variable("v", initializer=tf.constant(1, tf.int64))
    return {"error": raised(Dataset.range(3).map(lambda x: x + variable).make_one_shot_iterator)}


def program_one_shot_with_a_placeholder():
    x = tf.placeholder(tf.int64, [])
    return {"error": raised(Dataset.range(x).make_one_shot_iterator)}


def program_one_shot_has_no_initializer():
    iterator = Dataset.range(3).make_one_shot_iterator()
    return {"error": raised(lambda: iterator.initializer)}


def program_initializable():
    iterator = Dataset.range(3).make_initializable_iterator()
    get_next = iterator.get_next()
    with tf.Session() as session:
        before = raised(lambda: session.run(get_next))
        session.run(iterator.initializer)
        first = rest(session, get_next)
        session.run(iterator.initializer)
        second = rest(session, get_next)
    return {"before": before, "first": first, "second": second}


def program_initializable_with_a_placeholder():
    count = tf.placeholder(tf.int64, [])
    iterator = Dataset.range(count).make_initializable_iterator()
    get_next = iterator.get_next()
    found = []
    with tf.Session() as session:
        for n in (2, 4):
            session.run(iterator.initializer, {count: n})
            found.append(rest(session, get_next))
    return {"found": found}


def program_arrays_through_placeholders():
    features, labels = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [None])
    iterator = Dataset.from_tensor_slices((features, labels)).batch(2).make_initializable_iterator()
    get_next = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer, {features: np.arange(6).reshape(3, 2), labels: [1, 2, 3]})
        return {"found": rest(session, get_next), "spec": spec(iterator)}


def program_reinitializable():
    training, validation = Dataset.range(3).map(lambda x: x * 10), Dataset.range(2)
    iterator = tf.data.Iterator.from_structure(training.output_types, training.output_shapes)
    get_next = iterator.get_next()
    train_init, valid_init = iterator.make_initializer(training), iterator.make_initializer(validation, name="valid")
    found = []
    with tf.Session() as session:
        for init in (train_init, valid_init, train_init):
            session.run(init)
            found.append(rest(session, get_next))
    return {"found": found, "names": [train_init.name, valid_init.name, get_next.name]}


def program_from_structure_of_a_tuple():
    iterator = tf.data.Iterator.from_structure((tf.int64, {"a": tf.float32}), (tf.TensorShape([]), {"a": [None]}))
    dataset = Dataset.range(2).map(lambda x: (x, {"a": tf.fill([x + 1], 0.5)}))
    get_next, init = iterator.get_next(), iterator.make_initializer(dataset)
    with tf.Session() as session:
        session.run(init)
        return {"found": rest(session, get_next), "spec": spec(iterator)}


def program_make_initializer_of_other_elements():
    iterator = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape([]))
    return {"type": raised(lambda: iterator.make_initializer(Dataset.from_tensors(1.0))),
            "shape": raised(lambda: iterator.make_initializer(Dataset.range(4).batch(2))),
            "structure": raised(lambda: iterator.make_initializer(Dataset.from_tensors((1, 2)))),
            "class": raised(lambda: iterator.make_initializer(
                Dataset.from_tensors(tf.SparseTensor([[0]], tf.constant([1], tf.int64), [1]))))}


def program_from_structure_without_shapes():
    iterator = tf.data.Iterator.from_structure(tf.int64)
    get_next = iterator.get_next()
    inits = [iterator.make_initializer(Dataset.range(2)), iterator.make_initializer(Dataset.range(4).batch(3))]
    found = []
    with tf.Session() as session:
        for init in inits:
            session.run(init)
            found.append(rest(session, get_next))
    return {"found": found, "rank": str(get_next.shape.ndims)}


def program_feedable():
    training, validation = Dataset.range(3).repeat(), Dataset.range(100, 102)
    handle = tf.placeholder(tf.string, [])
    iterator = tf.data.Iterator.from_string_handle(handle, training.output_types, training.output_shapes)
    get_next = iterator.get_next()
    training_iterator = training.make_one_shot_iterator()
    validation_iterator = validation.make_initializable_iterator()
    found = []
    with tf.Session() as session:
        training_handle = session.run(training_iterator.string_handle())
        validation_handle = session.run(validation_iterator.string_handle())
        for _ in range(2):
            found.append([session.run(get_next, {handle: training_handle}) for _ in range(2)])
            session.run(validation_iterator.initializer)
            found.append(rest(session, get_next, {handle: validation_handle}))
    return {"found": found}


def program_feedable_with_a_wrong_handle():
    handle = tf.placeholder(tf.string, [])
    get_next = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    other = Dataset.from_tensors(1.5).make_one_shot_iterator()
    with tf.Session() as session:
        return {"other": raised(lambda: session.run(get_next, {handle: session.run(other.string_handle())})),
                "text": raised(lambda: session.run(get_next, {handle: "nonsense"}))}


def program_several_get_next():
    iterator = Dataset.range(6).make_one_shot_iterator()
    a, b = iterator.get_next(), iterator.get_next(name="other")
    with tf.Session() as session:
        pairs = [sorted(session.run([a, b])) for _ in range(3)]
    return {"pairs": pairs, "names": [a.name, b.name]}


def program_get_next_feeds_a_model():
    dataset = Dataset.from_tensor_slices(([[1.], [2.], [3.]], [[2.], [4.], [6.]])).repeat(40).batch(3)
    x, y = dataset.make_one_shot_iterator().get_next()
    w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        steps = len(rest(session, train))
        return {"steps": steps, "w": session.run(w)}


def program_functions_of_compat():
    dataset = Dataset.range(2)
    a = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset, shared_name="shared")
    b = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        return {"a": rest(session, a), "b": rest(session, b)}


def program_get_next_as_optional():
    iterator = Dataset.range(2).make_initializable_iterator()
    optional = tf.data.experimental.get_next_as_optional(iterator)
    has, value = optional.has_value(), optional.get_value()
    with tf.Session() as session:
        session.run(iterator.initializer)
        first = session.run([has, value])
        session.run(has)
        end = session.run(has)
        return {"first": first, "end": end, "error": raised(lambda: session.run(value))}


def program_single_element():
    pair = tf.data.experimental.get_single_element(Dataset.from_tensors((1, "a")))
    with tf.Session() as session:
        return {"pair": pair, "errors": [
            raised(lambda: session.run(tf.data.experimental.get_single_element(Dataset.range(2)))),
            raised(lambda: session.run(tf.data.experimental.get_single_element(Dataset.range(0))))]}


def after_a_checkpoint(dataset):
    """What comes after the first element, and what comes of an iterator that was restored there."""
    iterator = dataset.make_initializable_iterator()
    get_next = iterator.get_next()
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, tf.data.experimental.make_saveable_from_iterator(iterator))
    saver = tf.train.Saver()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ckpt")
        with tf.Session() as session:
            session.run(iterator.initializer)
            session.run(get_next)
            saver.save(session, path)
            expected = rest(session, get_next)
        with tf.Session() as session:
            session.run(iterator.initializer)
            saver.restore(session, path)
            return expected, rest(session, get_next)


def program_checkpoint_of_an_iterator():
    expected, found = after_a_checkpoint(Dataset.range(10).shuffle(4, seed=3).batch(2))
    return {"same": [np.array_equal(a, b) for a, b in zip(expected, found)], "count": len(found)}


def sparse_elements():
    return Dataset.range(6).map(lambda x: tf.SparseTensor([[0]], [x], [1]))


def program_checkpoint_with_sparse_elements():
    return {"found": [[int(x.values[0]) for x in part] for part in after_a_checkpoint(sparse_elements().prefetch(2))]}


def program_checkpoint_with_shuffled_sparse_elements():
    expected, found = after_a_checkpoint(sparse_elements().shuffle(3, seed=1))
    return {"same": [np.array_equal(a.values, b.values) for a, b in zip(expected, found)], "count": len(found)}


def program_checkpoint_with_ragged_elements():
    ragged = Dataset.range(5).map(lambda x: tf.RaggedTensor.from_row_splits(tf.range(x), tf.stack([0, x // 2, x])))
    return {"found": [[x.to_list() for x in elements] for elements in after_a_checkpoint(ragged.prefetch(2))]}


def program_iterators_of_sparse_elements():
    sparse = tf.SparseTensor([[0, 0], [1, 2]], [1., 2.], [2, 3])
    iterator = Dataset.from_tensor_slices(sparse).make_one_shot_iterator()
    get_next = iterator.get_next()
    with tf.Session() as session:
        return {"found": rest(session, get_next), "spec": spec(iterator)}


def program_properties_of_an_iterator():
    iterator = Dataset.from_tensors((1, {"a": [1., 2.]})).make_one_shot_iterator()
    return {"types": str(iterator.output_types), "classes": iterator.output_classes[0] is tf.Tensor,
            "shape": iterator.output_shapes[1]["a"].as_list(), "spec": spec(iterator)}


def program_two_iterators_of_one_dataset():
    dataset = Dataset.range(4)
    a, b = dataset.make_one_shot_iterator().get_next(), dataset.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return {"a": rest(session, a), "b": rest(session, b)}
