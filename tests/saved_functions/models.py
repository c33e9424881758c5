"""Objects with functions to be saved and loaded: each case gives an object, its signatures, and calls."""

import os

import numpy as np
import tensorflow as tf

tf = tf.compat.v2
K = tf.keras
S = tf.TensorSpec
F = tf.float32


def case_linear(folder):
    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.w, self.b = tf.Variable([[1., 2.], [3., 4.]]), tf.Variable([.5, -.5])

        @tf.function(input_signature=[S([None, 2], F)])
        def __call__(self, x):
            return tf.matmul(x, self.w) + self.b
    return Linear(), None, [("__call__", [[[1., 2.]]]), ("__call__", [[[0., 1.], [2., 2.]]])]


def module_of(**functions):
    module = tf.Module()
    for name, function in functions.items():
        setattr(module, name, function)
    return module


def case_several_functions(folder):
    @tf.function(input_signature=[S([], F)])
    def twice(x):
        return x * 2.

    @tf.function(input_signature=[S([], F), S([], F)])
    def product(x, y):
        return x * y
    return module_of(twice=twice, product=product), None, [("twice", [3.]), ("product", [3., 4.])]


def case_branches(folder):
    @tf.function(input_signature=[S([], F)])
    def f(x):
        if x > 1.:
            y = x * x
        elif x < 0.:
            y = -x
        else:
            y = x + 10.
        return y
    return module_of(f=f), None, [("f", [2.]), ("f", [-3.]), ("f", [.5])]


def case_early_return(folder):
    @tf.function(input_signature=[S([None], F)])
    def f(x):
        if tf.size(x) == 0:
            return tf.constant(-1.)
        return tf.reduce_max(x)
    return module_of(f=f), None, [("f", [[1., 5.]]), ("f", [np.zeros([0], np.float32)])]


def case_while(folder):
    @tf.function(input_signature=[S([], tf.int32)])
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps
    return module_of(f=collatz), None, [("f", [6]), ("f", [27]), ("f", [1])]


def case_for_range(folder):
    @tf.function(input_signature=[S([], tf.int32)])
    def f(n):
        a, b = 0, 1
        for _ in tf.range(n):
            a, b = b, a + b
        return a
    return module_of(f=f), None, [("f", [10]), ("f", [0])]


def case_for_rows(folder):
    @tf.function(input_signature=[S([None, 2], F)])
    def f(x):
        s = tf.zeros([2])
        for row in x:
            if row[0] < 0.:
                continue
            if row[1] > 9.:
                break
            s += row
        return s
    return module_of(f=f), None, [("f", [[[1., 1.], [-1., 1.], [2., 2.], [1., 10.], [5., 5.]]])]


def case_tensor_array(folder):
    @tf.function(input_signature=[S([], tf.int32)])
    def squares(n):
        array = tf.TensorArray(tf.int32, size=n)
        for i in tf.range(n):
            array = array.write(i, i * i)
        return array.stack()
    return module_of(f=squares), None, [("f", [5])]


def case_map_and_scan(folder):
    @tf.function(input_signature=[S([None], F)])
    def f(x):
        return tf.map_fn(lambda e: e * 2., x), tf.scan(lambda a, e: a + e, x)
    return module_of(f=f), None, [("f", [[1., 2., 3.]])]


def case_cond_and_switch(folder):
    @tf.function(input_signature=[S([], tf.int32), S([], F)])
    def f(i, x):
        y = tf.switch_case(i, [lambda: x, lambda: x * 2., lambda: x * 3.])
        return tf.cond(y > 5., lambda: y - 5., lambda: y)
    return module_of(f=f), None, [("f", [0, 2.]), ("f", [1, 3.]), ("f", [2, 1.])]


def case_table(folder):
    class Words(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64)), -1)

        @tf.function(input_signature=[S([None], tf.string)])
        def ids(self, words):
            return self.table.lookup(words)
    return Words(), None, [("ids", [["b", "x", "a"]])]


def case_table_of_numbers(folder):
    class Names(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(tf.constant([5, 7], tf.int64), ["five", "seven"]), "none")

        @tf.function(input_signature=[S([None], tf.int64)])
        def names(self, ids):
            return tf.strings.join([self.table.lookup(ids), "!"])
    return Names(), None, [("names", [np.array([7, 1, 5])])]


def vocabulary(folder):
    path = os.path.join(folder, "words.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("the\nquick\nfox\n")
    return path


def initializer_of(path):
    return tf.lookup.TextFileInitializer(path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                                         tf.lookup.TextFileIndex.LINE_NUMBER)


def case_asset(folder):
    class Words(tf.Module):
        def __init__(self, path):
            super().__init__()
            self.table = tf.lookup.StaticHashTable(initializer_of(path), -1)

        @tf.function(input_signature=[S([None], tf.string)])
        def ids(self, words):
            return {"ids": self.table.lookup(words), "size": self.table.size()}
    return Words(vocabulary(folder)), None, [("ids", [["fox", "cat", "the"]])]


def case_vocabulary(folder):
    class Words(tf.Module):
        def __init__(self, path):
            super().__init__()
            self.table = tf.lookup.StaticVocabularyTable(initializer_of(path), 3)

        @tf.function(input_signature=[S([None], tf.string)])
        def ids(self, words):
            return self.table.lookup(words)
    return Words(vocabulary(folder)), None, [("ids", [["quick", "cat", "dog", "the"]])]


def case_table_and_embedding(folder):
    class Model(tf.Module):
        def __init__(self, path):
            super().__init__()
            self.words = tf.lookup.StaticHashTable(initializer_of(path), 0)
            self.vectors = tf.Variable([[1., 2.], [3., 4.], [5., 6.]])

        @tf.function(input_signature=[S([None], tf.string)])
        def __call__(self, words):
            return tf.reduce_sum(tf.gather(self.vectors, self.words.lookup(words)), 0)
    return Model(vocabulary(folder)), None, [("__call__", [["fox", "the"]])]


def case_several_signatures(folder):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(3.)

        @tf.function(input_signature=[S([None], F, name="x")])
        def scaled(self, x):
            return {"scaled": x * self.w}

        @tf.function(input_signature=[S([None], F, name="b"), S([None], F, name="a")])
        def difference(self, b, a):
            return {"d": b - a, "c": a}
    model = Model()
    return model, {"serving_default": model.scaled, "difference": model.difference}, [
        ("scaled", [[1., 2.]]), ("difference", [[5.], [3.]])]


def case_signature_of_concrete(folder):
    @tf.function
    def f(x):
        return x + 1
    module = module_of(f=f)
    return module, f.get_concrete_function(S([None], tf.int32, name="numbers")), [("f", [np.array([1, 2], np.int32)])]


def case_results_of_every_structure(folder):
    @tf.function(input_signature=[S([], F)])
    def f(x):
        return {"a": x, "b": (x * 2., [x * 3., {"c": x * 4.}])}
    return module_of(f=f), {}, [("f", [2.])]


def case_list_of_results(folder):
    @tf.function(input_signature=[S([2], F)])
    def f(x):
        return x[0], x[1], tf.reduce_sum(x)
    return module_of(f=f), None, [("f", [[1., 2.]])]


def case_training_argument(folder):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.)

        @tf.function
        def __call__(self, x, training=False):
            return x * self.w if training else x + self.w
    model = Model()
    model(tf.constant([1., 5.]))
    model(tf.constant([1., 5.]), training=True)
    return model, {}, [("__call__", [[1., 5.]]), ("__call__", [[1., 5.]], {"training": True}),
                       ("__call__", [[1., 5.], False])]


def case_python_values(folder):
    @tf.function
    def f(x, n, how="sum"):
        for _ in range(n):
            x = x + 1.
        return tf.reduce_sum(x) if how == "sum" else tf.reduce_max(x)
    f(tf.constant([1., 2.]), 2)
    f(tf.constant([1., 2.]), 3, how="max")
    return module_of(f=f), {}, [("f", [[1., 2.], 2]), ("f", [[1., 2.], 3], {"how": "max"})]


def case_traces_by_type(folder):
    @tf.function
    def f(x):
        return x + x
    f(tf.constant(1))
    f(tf.constant(1.5))
    f(tf.constant(["a"]))
    return module_of(f=f), {}, [("f", [np.int32(4)]), ("f", [np.float32(2.5)]), ("f", [["b"]])]


def case_structured_arguments(folder):
    @tf.function
    def f(pair, named):
        return pair[0] - pair[1] * named["k"]
    f((tf.constant(1.), tf.constant(2.)), {"k": tf.constant(3.)})
    return module_of(f=f), {}, [("f", [(np.float32(5.), np.float32(2.)), {"k": np.float32(.5)}])]


def case_counter(folder):
    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.count = tf.Variable(10, trainable=False)

        @tf.function(input_signature=[S([], tf.int32)])
        def add(self, n):
            self.count.assign_add(n)
            return self.count.read_value()
    return Counter(), None, [("add", [1]), ("add", [5])]


def case_effect_without_result(folder):
    class Store(tf.Module):
        def __init__(self):
            super().__init__()
            self.value = tf.Variable([0., 0.])

        @tf.function(input_signature=[S([2], F)])
        def put(self, x):
            self.value.assign(x * 2.)

        @tf.function(input_signature=[])
        def get(self):
            return self.value + 1.
    return Store(), {}, [("get", []), ("put", [[1., 2.]]), ("get", [])]


def case_training_step(folder):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([1., 1.])

        @tf.function(input_signature=[S([None, 2], F), S([None], F)])
        def train(self, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.linalg.matvec(x, self.w) - y) ** 2)
            self.w.assign_sub(.1 * tape.gradient(loss, self.w))
            return loss
    x, y = np.array([[1., 2.], [3., 4.]], np.float32), np.array([1., 2.], np.float32)
    return Model(), None, [("train", [x, y]), ("train", [x, y])]


def case_lists_dicts_and_shared(folder):
    class Parts(tf.Module):
        def __init__(self):
            super().__init__()
            self.first = tf.Variable(1.)
            self.all = [self.first, tf.Variable(2.)]
            self.named = {"x": tf.Variable(3.), "y": self.first}

        @tf.function(input_signature=[S([], F)])
        def f(self, x):
            self.first.assign_add(x)
            return self.all[0] * 100. + self.all[1] * 10. + self.named["x"] + self.named["y"]
    return Parts(), None, [("f", [1.]), ("f", [0.])]


def case_nested_modules(folder):
    class Layer(tf.Module):
        def __init__(self, value):
            super().__init__()
            self.w = tf.Variable(value)

        @tf.function(input_signature=[S([None], F)])
        def __call__(self, x):
            return x * self.w

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Layer(2.), Layer(3.)]
            self.last = Layer(5.)

        @tf.function(input_signature=[S([None], F)])
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return self.last(x)
    return Net(), None, [("__call__", [[1., 2.]]), ("last", [[1.]])]


def case_nested_functions(folder):
    @tf.function
    def inner(x):
        return x + 1.

    @tf.function
    def middle(x):
        return inner(x) * inner(2. * x)

    @tf.function(input_signature=[S([], F)])
    def outer(x):
        return middle(x) - inner(x)
    return module_of(f=outer), None, [("f", [3.])]


def case_constants_from_outside(folder):
    weights, shift = tf.constant([[1., 2.], [3., 4.]]), np.array([10., 20.], np.float32)

    @tf.function(input_signature=[S([None, 2], F)])
    def f(x):
        return tf.matmul(x, weights) + shift
    return module_of(f=f), None, [("f", [[[1., 1.]]])]


def case_types(folder):
    @tf.function(input_signature=[S([None], tf.int64), S([None], tf.bool), S([None], tf.float64)])
    def f(i, b, d):
        return tf.cast(i, tf.float64) * d, tf.logical_not(b), tf.cast(d, tf.complex64)
    return module_of(f=f), None, [("f", [np.array([1, 2]), np.array([True, False]), np.array([.5, 4.])])]


def case_texts(folder):
    @tf.function(input_signature=[S([None], tf.string)])
    def f(lines):
        words = tf.strings.split(lines).to_tensor("")
        return tf.strings.upper(words), tf.strings.length(lines)
    return module_of(f=f), None, [("f", [["a bc", "d"]])]


def case_shapes(folder):
    @tf.function(input_signature=[S([None, None, 3], F)])
    def f(x):
        shape = tf.shape(x)
        return tf.reshape(x, [shape[0] * shape[1], 3]), shape
    return module_of(f=f), None, [("f", [np.ones([2, 2, 3], np.float32)])]


def case_stateless_random(folder):
    @tf.function(input_signature=[S([2], tf.int32)])
    def f(seed):
        return tf.random.stateless_uniform([3], seed)
    return module_of(f=f), None, [("f", [np.array([1, 2], np.int32)])]


def case_assertion(folder):
    @tf.function(input_signature=[S([], F)])
    def f(x):
        tf.debugging.assert_greater(x, 0., message="positive wanted")
        return tf.sqrt(x)
    return module_of(f=f), None, [("f", [4.]), ("f", [-1.])]


def case_convolution(folder):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.kernel = tf.Variable(np.arange(8, dtype=np.float32).reshape(2, 2, 1, 2))

        @tf.function(input_signature=[S([None, 4, 4, 1], F)])
        def __call__(self, x):
            return tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(x, self.kernel, 1, "SAME") - 3.), [1, 2])
    return Net(), None, [("__call__", [np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1) / 8])]


def case_recurrence(folder):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w, self.u = tf.Variable([[.5, -.5]]), tf.Variable([[.1, .2], [.3, .4]])

        @tf.function(input_signature=[S([None, None, 1], F)])
        def __call__(self, x):
            state = tf.zeros([tf.shape(x)[0], 2])
            for t in tf.range(tf.shape(x)[1]):
                state = tf.tanh(tf.matmul(x[:, t], self.w) + tf.matmul(state, self.u))
            return state
    return Net(), None, [("__call__", [np.ones([2, 3, 1], np.float32)])]


def case_generation(folder):
    class Chain(tf.Module):
        def __init__(self):
            super().__init__()
            self.next = tf.Variable([[0., 2., 1.], [1., 0., 3.], [5., 1., 0.]])

        @tf.function(input_signature=[S([], tf.int64), S([], tf.int32)])
        def sample(self, start, limit):
            token, made = start, tf.TensorArray(tf.int64, size=0, dynamic_size=True)
            for i in tf.range(limit):
                token = tf.argmax(self.next[token])
                made = made.write(i, token)
                if token == 0:
                    break
            return made.stack()
    return Chain(), None, [("sample", [np.int64(0), 10]), ("sample", [np.int64(1), 1])]


def case_keras_layer(folder):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.dense = K.layers.Dense(2, activation="relu", kernel_initializer="ones")
            self.dense.build([None, 3])

        @tf.function(input_signature=[S([None, 3], F)])
        def __call__(self, x):
            return self.dense(x)
    return Net(), None, [("__call__", [[[1., 2., -5.], [1., 1., 1.]]])]


def case_keras_sequential(folder):
    model = K.Sequential([K.layers.Dense(3, activation="tanh", kernel_initializer="ones", input_shape=(2,)),
                          K.layers.Dense(1, kernel_initializer="ones")])
    return model, None, [("__call__", [np.array([[.1, .2]], np.float32)])]


def case_keras_functional(folder):
    a, b = K.layers.Input((2,), name="a"), K.layers.Input((2,), name="b")
    total = K.layers.Dense(2, kernel_initializer="ones", name="out")(K.layers.Add()([a, b]))
    model = K.Model([a, b], total)
    return model, None, [("__call__", [[np.array([[1., 2.]], np.float32), np.array([[3., 4.]], np.float32)]])]


def case_keras_subclass(folder):
    class Net(K.Model):
        def __init__(self):
            super().__init__()
            self.first, self.second = (K.layers.Dense(n, kernel_initializer="ones") for n in (3, 1))

        def call(self, x):
            return self.second(tf.nn.relu(self.first(x)))
    model = Net()
    model(np.ones([1, 2], np.float32))
    return model, None, [("__call__", [np.array([[.5, 2.]], np.float32)])]


def case_normalisation(folder):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.norm = K.layers.BatchNormalization(momentum=.5)
            self.norm.build([None, 2])

        @tf.function(input_signature=[S([None, 2], F)])
        def train(self, x):
            return self.norm(x, training=True)

        @tf.function(input_signature=[S([None, 2], F)])
        def infer(self, x):
            return self.norm(x, training=False)
    x = np.array([[1., 2.], [3., 6.]], np.float32)
    return Net(), {}, [("infer", [x]), ("train", [x]), ("infer", [x])]


def case_large_variable(folder):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(np.arange(60000, dtype=np.float32).reshape(300, 200))

        @tf.function(input_signature=[S([], tf.int32)])
        def row_sum(self, i):
            return tf.reduce_sum(self.w[i])
    return Net(), None, [("row_sum", [7])]


def case_gradient_function(folder):
    @tf.custom_gradient
    def clipped(x):
        return x * x, lambda dy: tf.clip_by_value(dy * x * 2., -1., 1.)

    @tf.function(input_signature=[S([], F)])
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x)
        return tape.gradient(y, x)
    return module_of(f=slope), None, [("f", [.25]), ("f", [5.])]


def case_loop_gradient_inside(folder):
    @tf.function(input_signature=[S([], F), S([], tf.int32)])
    def slope(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = y * x
        return tape.gradient(y, x)
    return module_of(f=slope), None, [("f", [2., 3])]
