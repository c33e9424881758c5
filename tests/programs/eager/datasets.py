"""Datasets, walked through by `for`."""
import collections

import numpy as np
import tensorflow as tf

from program import elements, raised, spec

D = tf.data.Dataset


def program_range():
    return dict(a=elements(D.range(5)), b=elements(D.range(2, 9, 3)), c=elements(D.range(5, 0, -2)), none=elements(D.range(0)))


def program_for():
    found = []
    for x in D.range(3):
        found.append(x * 2)
    return dict(found=found)


def program_twice():
    data = D.range(3)
    return dict(first=[int(x) for x in data], second=[int(x) for x in data])


def program_nested_for():
    data = D.range(2)
    return dict(pairs=[int(a) * 10 + int(b) for a in data for b in data])


def program_next():
    iterator = iter(D.range(2))
    a, b = next(iterator), next(iterator)
    return dict(a=a, b=b, end=raised(lambda: next(iterator)))


def program_one_shot():
    iterator = D.range(2).make_one_shot_iterator()
    a, b = iterator.get_next(), iterator.next()
    return dict(a=a, b=b, end=raised(iterator.get_next))


def program_initializable():
    return dict(refused=raised(lambda: D.range(2).make_initializable_iterator()))


def program_slices_of_tuples():
    return dict(x=elements(D.from_tensor_slices(([1, 2], [[3., 4.], [5., 6.]]))))


def program_slices_of_dicts():
    return dict(x=[(x["a"].numpy(), x["b"].numpy()) for x in D.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]})])


def program_named_tuples():
    Point = collections.namedtuple("Point", "x y")
    return dict(x=[(p.x.numpy(), p.y.numpy()) for p in D.from_tensor_slices(Point([1, 2], [3, 4]))])


def program_tensors():
    return dict(x=elements(D.from_tensors([1, 2])), pair=elements(D.from_tensors(([1], "a"))))


def program_map():
    return dict(x=elements(D.range(3).map(lambda x: x * x)), pair=elements(D.range(2).map(lambda x: (x, -x))),
                two=elements(D.from_tensor_slices(([1, 2], [3, 4])).map(lambda a, b: a + b)))


def program_map_in_parallel():
    return dict(x=elements(D.range(20).map(lambda x: x * x, num_parallel_calls=3)))


def program_map_captures():
    offset, v = tf.constant(10, tf.int64), tf.Variable(5, dtype=tf.int64)
    return dict(tensor=elements(D.range(3).map(lambda x: x + offset)), variable=elements(D.range(2).map(lambda x: x * v)))


def program_map_sees_new_values():
    v = tf.Variable(1, dtype=tf.int64)
    data = D.range(2).map(lambda x: x + v)
    first = elements(data)
    v.assign(100)
    return dict(first=first, second=elements(data))


def program_map_is_a_graph():
    seen = []

    def look(x):
        seen.append(tf.executing_eagerly())
        return x
    return dict(x=elements(D.range(3).map(look)), eagerly=any(seen), calls=len(seen))


def program_py_function():
    return dict(x=elements(D.range(3).map(lambda x: tf.py_function(lambda e: e.numpy() * 2, [x], tf.int64))),
                func=elements(D.range(3).map(lambda x: tf.py_func(lambda e: e + 1, [x], tf.int64))))


def program_batch():
    return dict(x=elements(D.range(5).batch(2)), whole=elements(D.range(5).batch(2, drop_remainder=True)),
                padded=elements(D.range(1, 4).map(lambda n: tf.fill([n], n)).padded_batch(2, [None])))


def program_unbatch():
    return dict(x=elements(D.from_tensors([[1, 2], [3, 4]]).apply(tf.data.experimental.unbatch())))


def program_filter():
    return dict(x=elements(D.range(6).filter(lambda x: tf.equal(x % 2, 0))))


def program_take_and_skip():
    return dict(take=elements(D.range(5).take(2)), skip=elements(D.range(5).skip(3)), shard=elements(D.range(6).shard(3, 1)),
                all=elements(D.range(3).take(-1)))


def program_repeat():
    return dict(x=elements(D.range(2).repeat(2)), some=elements(D.range(2).repeat().take(5)))


def program_concatenate_and_zip():
    a, b = D.range(2), D.range(5, 7)
    return dict(after=elements(a.concatenate(b)), zip=elements(D.zip((a, b))))


def program_flat_map_and_interleave():
    return dict(flat=elements(D.range(3).flat_map(lambda x: D.from_tensors(x).repeat(x))),
                turns=elements(D.range(3).interleave(lambda x: D.from_tensors(x).repeat(2), cycle_length=2)))


def program_shuffle():
    found = [int(x) for x in D.range(10).shuffle(10, seed=3)]
    return dict(sorted=sorted(found), order=found)


def program_shuffle_again():
    data = D.range(8).shuffle(8, seed=3, reshuffle_each_iteration=False)
    return dict(same=[int(x) for x in data] == [int(x) for x in data])


def program_generators():
    def numbers():
        yield from range(3)
    return dict(x=elements(D.from_generator(numbers, tf.int64)), args=elements(D.from_generator(lambda n: range(n), tf.int32, args=[2])),
                pairs=elements(D.from_generator(lambda: ((i, [i] * i) for i in range(3)), (tf.int32, tf.int64), ([], [None]))))


def program_generators_that_fail():
    def numbers():
        yield 1
        raise ValueError("no more")
    return dict(error=raised(lambda: elements(D.from_generator(numbers, tf.int64))))


def program_windows():
    return dict(x=[[int(x) for x in window] for window in D.range(5).window(2, shift=1)],
                flat=elements(D.range(4).window(2).flat_map(lambda w: w.batch(2))))


def program_reduce():
    return dict(sum=D.range(5).reduce(np.int64(0), lambda a, x: a + x), count=D.range(5).reduce(0, lambda n, _: n + 1))


def program_specs():
    data = D.from_tensor_slices({"a": np.zeros([3, 2], np.float32), "b": ["x", "y", "z"]})
    return dict(spec=spec(data), batched=spec(data.batch(2)), types=str(tf.data.get_output_types(data)), shapes=str(tf.data.get_output_shapes(data)))


def program_sparse():
    s = tf.SparseTensor([[0, 1], [1, 0]], [1, 2], [2, 2])
    return dict(x=[tf.sparse.to_dense(row) for row in D.from_tensor_slices(s)])


def program_errors_of_functions():
    data = D.from_tensor_slices([1., 0., 2.]).map(lambda x: tf.debugging.check_numerics(1. / x, "bad"))
    return dict(error=raised(lambda: elements(data)), ignored=elements(data.apply(tf.data.experimental.ignore_errors())))


def program_map_refused():
    return dict(filter=raised(lambda: D.range(2).filter(lambda x: x)))


def program_prefetch_and_cache():
    return dict(x=elements(D.range(3).cache().prefetch(1)))


def program_scan():
    scan = tf.data.experimental.scan(np.int64(0), lambda a, x: (a + x, a + x))
    return dict(x=elements(D.range(5).apply(scan)))


def program_group_by_window():
    grouped = tf.data.experimental.group_by_window(lambda x: x % 2, lambda k, d: d.batch(3), window_size=3)
    return dict(x=elements(D.range(8).apply(grouped)))


def program_enumerate():
    return dict(x=elements(D.from_tensor_slices(["a", "b"]).enumerate(start=5)))


def program_optional():
    iterator = iter(D.range(1))
    first, second = tf.data.experimental.get_next_as_optional(iterator), tf.data.experimental.get_next_as_optional(iterator)
    return dict(has=first.has_value(), value=first.get_value(), end=second.has_value())


def program_training_loop():
    w, optimizer, losses = tf.Variable(0.), tf.train.GradientDescentOptimizer(.1), []
    for x, y in D.from_tensor_slices(([1., 2., 3.], [2., 4., 6.])).repeat(3):
        with tf.GradientTape() as tape:
            loss = (w * x - y) ** 2
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        losses.append(loss.numpy())
    return dict(w=w, losses=losses)


def program_random_datasets():
    data = tf.data.experimental.RandomDataset(seed=4).take(3)
    return dict(same=[int(x) for x in data] == [int(x) for x in data])


def program_choose():
    chosen = tf.data.experimental.choose_from_datasets([D.range(3), D.range(10, 13)], D.from_tensor_slices(np.array([0, 1, 1, 0], np.int64)))
    return dict(x=elements(chosen))


def program_cardinality():
    count = tf.data.experimental.cardinality
    return dict(known=count(D.range(3)), batched=count(D.range(3).batch(2)), infinite=count(D.range(3).repeat()),
                unknown=count(D.range(3).filter(lambda x: x > 1)))


def program_unequal_parts():
    return dict(refused=raised(lambda: D.from_tensor_slices(([1, 2], [1, 2, 3]))))


def program_datasets_in_numpy():
    return dict(x=np.array([x.numpy() for x in D.range(4).batch(2)]))


def program_walked_through_half():
    iterator = iter(D.range(5))
    next(iterator)
    return dict(rest=[int(x) for x in iterator])
