"""Functions with datasets, texts, ragged and sparse tensors, tables and random numbers."""

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def texts(value):
    return [text.decode() for text in np.asarray(value).reshape(-1).tolist()]


def program_dataset_maps_function():
    @tf.function
    def double(x):
        return x * 2
    show([int(e) for e in tf.data.Dataset.range(4).map(double)])


def program_dataset_filters_function():
    @tf.function
    def odd(x):
        return x % 2 == 1
    show([int(e) for e in tf.data.Dataset.range(7).filter(odd)])


def program_sum_of_dataset():
    @tf.function
    def total(data):
        s = tf.constant(0, tf.int64)
        for e in data:
            s += e
        return s
    show(total(tf.data.Dataset.range(5)), total(tf.data.Dataset.range(0)))


def program_dataset_made_inside():
    @tf.function
    def f(n):
        s = tf.constant(0, tf.int64)
        for e in tf.data.Dataset.range(n).batch(3):
            s += tf.reduce_max(e)
        return s
    show(f(tf.constant(8, tf.int64)))


def program_dataset_reduce_inside():
    @tf.function
    def f(n):
        return tf.data.Dataset.range(n).reduce(tf.constant(1, tf.int64), lambda a, e: a * (e + 1))
    show(f(tf.constant(5, tf.int64)))


def program_enumerated_dataset():
    @tf.function
    def f(data):
        s = tf.constant(0, tf.int64)
        for i, e in data.enumerate():
            s += i * e
        return s
    show(f(tf.data.Dataset.from_tensor_slices(tf.constant([5, 6, 7], tf.int64))))


def program_zipped_datasets():
    @tf.function
    def f(a, b):
        s = 0.
        for x, y in tf.data.Dataset.zip((a, b)):
            s += x * y
        return s
    show(f(tf.data.Dataset.from_tensor_slices([1., 2.]), tf.data.Dataset.from_tensor_slices([3., 4.])))


def program_dataset_of_dicts():
    @tf.function
    def f(data):
        s = 0
        for e in data:
            s += e["a"] * e["b"]
        return s
    show(f(tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [4, 5, 6]})))


def program_iterator_taken_from():
    @tf.function
    def two(iterator):
        return next(iterator) + next(iterator)
    iterator = iter(tf.data.Dataset.range(10))
    show(two(iterator), two(iterator))


def program_iterator_ends():
    @tf.function
    def f(iterator):
        return next(iterator)
    iterator = iter(tf.data.Dataset.range(1))
    show(f(iterator))
    try:
        f(iterator)
    except tf.errors.OutOfRangeError:
        print("end")


def program_training_over_dataset():
    w = tf.Variable(0.)

    @tf.function
    def train(data):
        steps = 0
        for x, y in data:
            w.assign_sub(.1 * 2. * (w * x - y) * x)
            steps += 1
        return steps
    data = tf.data.Dataset.from_tensor_slices(([1., 2., 1.], [3., 6., 3.])).repeat(5)
    show(train(data), np.round(w.numpy(), 3))


def program_dataset_with_continue():
    @tf.function
    def f(data):
        s = tf.constant(0, tf.int64)
        for e in data:
            if e % 3 == 0:
                continue
            s += e
        return s
    show(f(tf.data.Dataset.range(10)))


def program_map_with_autograph():
    def collatz(n):
        steps = tf.constant(0)
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps
    show([int(e) for e in tf.data.Dataset.range(1, 8).map(collatz)])


def program_texts():
    @tf.function
    def f(words):
        return tf.strings.join([words, T("!")]), tf.strings.length(words), tf.strings.upper(words)
    joined, length, upper = f(T(["a", "bcd"]))
    print(texts(joined), length.numpy().tolist(), texts(upper))


def program_texts_compared():
    @tf.function
    def f(word):
        if word == "yes":
            return T(1)
        elif tf.strings.length(word) > 2:
            return T(2)
        return T(3)
    show(f(T("yes")), f(T("maybe")), f(T("no")))


def program_split_texts():
    @tf.function
    def f(lines):
        return tf.compat.v2.strings.split(lines).to_tensor("-")
    print(texts(f(T(["a b", "c"]))))


def program_loop_of_texts():
    @tf.function
    def f(n):
        text = T("")
        for i in tf.range(n):
            text = tf.strings.join([text, tf.strings.as_string(i)])
        return text
    print(f(T(4)).numpy().decode())


def program_ragged_result():
    @tf.function
    def f(lengths):
        return tf.ragged.range(lengths)
    print(f(T([1, 3, 0])).to_list())


def program_ragged_argument():
    @tf.function
    def f(rows):
        return tf.reduce_sum(rows, axis=1)
    show(f(tf.ragged.constant([[1, 2], [], [3]])))


def program_sparse_sum():
    @tf.function
    def f(x):
        return tf.sparse.reduce_sum(x, axis=1)
    show(f(tf.sparse.from_dense([[1, 0], [2, 3]])))


def program_sparse_made_inside():
    @tf.function
    def f(values):
        return tf.sparse.SparseTensor([[0, 1], [1, 0]], values, [2, 2])
    show(tf.sparse.to_dense(f(T([5., 6.]))))


def program_table_lookup():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)

    @tf.function
    def f(words):
        return table.lookup(words)
    show(f(T(["b", "x", "a"])))


def program_table_in_dataset():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1, 2], [10, 20]), 0)
    data = tf.data.Dataset.from_tensor_slices([2, 1, 3]).map(lambda e: table.lookup(e))
    show([int(e) for e in data])


def program_random_in_range():
    @tf.function
    def f():
        x = tf.random.uniform([100])
        return tf.reduce_min(x) >= 0., tf.reduce_max(x) < 1., tf.reduce_any(x != tf.random.uniform([100]))
    show(*f())


def program_stateless_random_repeats():
    @tf.function
    def f(seed):
        return tf.random.stateless_uniform([3], seed)
    a, b, c = f(T([1, 2])), f(T([1, 2])), f(T([1, 3]))
    show(tf.reduce_all(a == b), tf.reduce_all(a == c))


def program_one_hot_and_argmax():
    @tf.function
    def f(ids):
        return tf.argmax(tf.one_hot(ids, 4), axis=1)
    show(f(T([3, 0, 2])))


def program_linalg():
    @tf.function
    def f(a, b):
        return tf.linalg.solve(a, b), tf.linalg.det(a), tf.linalg.inv(a)
    show(*[np.round(v, 3) for v in f(T([[2., 0.], [1., 4.]]), T([[2.], [5.]]))])


def program_image_steps():
    @tf.function
    def f(image):
        image = tf.image.flip_left_right(image)
        return tf.compat.v2.image.resize(image, [4, 4], method="nearest")
    show(tf.reshape(f(tf.reshape(tf.range(4.), [2, 2, 1])), [4, 4]))


def program_dynamic_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def f(x):
        rows, columns = tf.shape(x)[0], tf.shape(x)[1]
        return tf.reshape(x, [columns, rows]), x.shape.as_list()
    print(f(tf.ones([2, 3]))[0].shape, f(tf.ones([1, 3]))[0].shape)


def program_unstack_and_stack():
    @tf.function
    def f(x):
        return tf.stack([row * i for i, row in enumerate(tf.unstack(x))], axis=1)
    show(f(T([[1, 2], [3, 4], [5, 6]])))


def program_where_and_masks():
    @tf.function
    def f(x):
        return tf.where(x > 2, x, -x), tf.boolean_mask(x, x > 2), tf.where(x > 2)
    show(*f(T([1, 5, 2, 7])))
