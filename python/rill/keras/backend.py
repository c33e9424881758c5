"""tf.keras.backend: functions of tensors under Keras's names, and the session that models run in."""

import weakref

import numpy as np

import rill as tf
from rill import _rill, _surface

_floatx = ["float32"]
_image_data_format = ["channels_last"]
_manual = [False]
_session = [None]
_model_graph = [None]  # of eager execution
_to_restore = []  # models, and the checkpoints that they have been given


# --- settings -------------------------------------------------------------------------------------

def backend():
    """The name of what computes."""
    return "tensorflow"


def epsilon():
    """What keeps divisions and logarithms away from zero."""
    return _rill.keras_epsilon()


def set_epsilon(value):
    """Sets `epsilon`."""
    _rill.keras_set_epsilon(value)


def floatx():
    """The type of weights and inputs where none is said."""
    return _floatx[0]


def set_floatx(value):
    """Sets `floatx`."""
    if value not in ("float16", "float32", "float64"):
        raise ValueError(f"Unknown floatx type: {value}")
    _floatx[0] = str(value)
    _rill.keras_set_floatx(value)


def image_data_format():
    """Where channels stand in images."""
    return _image_data_format[0]


def set_image_data_format(data_format):
    """Sets `image_data_format`."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Unknown data_format: {data_format}")
    _image_data_format[0] = str(data_format)
    _rill.keras_set_image_data_format(str(data_format))


def cast_to_floatx(x):
    """An array or a tensor of type `floatx`."""
    if isinstance(x, (tf.Tensor, tf.Variable)):
        return tf.cast(x, floatx())
    return np.asarray(x, dtype=floatx())


# --- sessions -------------------------------------------------------------------------------------

def model_graph():
    """The graph that models of the default graph are put together in: in eager execution one of their own."""
    if not _rill.executing_eagerly():
        return tf.get_default_graph()
    if _model_graph[0] is None:
        _model_graph[0] = _rill.capturing_graph()
        _model_graph[0]._reads_eager_variables = True
    return _model_graph[0]


def get_session(op_input_list=()):
    """The session that models of the default graph run in, with all variables initialised."""
    graphs = [getattr(x, "graph", None) for x in op_input_list] + [model_graph()]
    for graph in graphs:
        if hasattr(graph, "_reads_eager_variables"):
            return _session_of(graph)
    session = _rill.get_default_session()
    if session is None:
        graph = tf.get_default_graph()
        if _session[0] is None or _session[0].graph is not graph:
            _session[0] = tf.Session(graph=graph, config=tf.ConfigProto(allow_soft_placement=True))
        session = _session[0]
    if not _manual[0]:
        with session.graph.as_default():
            _initialize(session)
    return session


def _session_of(graph):
    """The session of a graph for models in eager execution."""
    if "_model_session" not in graph.__dict__:
        graph._model_session = tf.Session(graph=graph)
    return graph._model_session


def set_session(session):
    """Sets the session that models run in."""
    _session[0] = session


def is_keras_tensor(x):
    """Whether a layer of Keras made the tensor."""
    if not isinstance(x, (_rill.Tensor, tf.Variable, tf.SparseTensor)):
        raise ValueError(f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor instance.")
    return _rill.keras_history(x) is not None


def clear_session():
    """A new default graph, and all names forgotten."""
    tf.reset_default_graph()
    _session[0] = _model_graph[0] = None
    _to_restore.clear()
    reset_uids()


def manual_variable_initialization(value):
    """Whether programs initialise variables themselves."""
    _manual[0] = value


def _initialize(session):
    known = session.__dict__.setdefault("_keras_known", set()) if hasattr(session, "__dict__") else set()
    candidates = [v for v in [*tf.global_variables(), *_rill.keras_tracked()] if v.name not in known]
    if not candidates:
        return
    flags = session.run([tf.is_variable_initialized(v) for v in candidates])
    missing = [v.initializer for v, there in zip(candidates, flags) if not there]
    if missing:
        session.run(missing)
    known.update(v.name for v in candidates)
    _restore_made(session)


def restore_when_made(model, status):
    """Variables that the model makes later get their values of a checkpoint, too."""
    _to_restore[:] = [(ref, other) for ref, other in _to_restore if ref() not in (None, model)]
    _to_restore.append((weakref.ref(model), status))


def _restore_made(session):
    for ref, status in list(_to_restore):
        if ref() is not None:
            status._core.run_new_restore_ops(session)


def learning_phase():
    """Whether models are being trained: a tensor that is fed, or what was set."""
    return _rill.functions._keras.learning_phase()


def set_learning_phase(value):
    """Fixes whether models are being trained."""
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    _rill.functions._keras.set_learning_phase(bool(value))


class learning_phase_scope:
    """The learning phase while a `with` block lasts."""

    def __init__(self, value):
        if value not in (0, 1):
            raise ValueError("Expected learning phase to be 0 or 1.")
        self._value = value

    def __enter__(self):
        before = learning_phase()
        self._before = before if isinstance(before, int) else None
        set_learning_phase(self._value)

    def __exit__(self, *exception):
        _rill.functions._keras.set_learning_phase(self._before)


def in_train_phase(x, alt, training=None):
    """x where the model is being trained, else alt."""
    training = learning_phase() if training is None else training
    if isinstance(training, (int, bool, np.bool_)):
        chosen = x if training else alt
        return chosen() if callable(chosen) else chosen
    return switch(training, x, alt)


def in_test_phase(x, alt, training=None):
    """alt where the model is being trained, else x."""
    return in_train_phase(alt, x, training=training)


def get_uid(prefix=""):
    """1, 2, 3, ...: how often a name was asked for."""
    counts = model_graph().__dict__.setdefault("_keras_uids", {})
    counts[prefix] = counts.get(prefix, 0) + 1
    return counts[prefix]


def reset_uids():
    """Forgets all names."""
    model_graph().__dict__.pop("_keras_uids", None)
    _rill.keras_forget_names()


# --- variables and values -------------------------------------------------------------------------

def variable(value, dtype=None, name=None, constraint=None):
    """A variable with a first value."""
    made = tf.Variable(value, dtype=tf.as_dtype(dtype or floatx()), name=name, constraint=constraint,
                       use_resource=True)
    if isinstance(value, np.ndarray):
        made._keras_shape = value.shape
    return made


def constant(value, dtype=None, shape=None, name=None):
    """A constant."""
    return tf.constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    """A tensor that is fed."""
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True when creating a placeholder.")
    if shape is None and ndim:
        shape = (None,) * ndim
    with model_graph().as_default():
        if sparse:
            return tf.sparse_placeholder(dtype or floatx(), shape, name)
        if ragged:
            rank = len(shape) - 1
            while rank > 0 and shape[rank] is not None:
                rank -= 1
            return tf.ragged.placeholder(dtype or floatx(), rank, shape[rank + 1:], name)
        return tf.placeholder(dtype or floatx(), shape=shape, name=name)


def is_sparse(tensor):
    """Whether it is a sparse tensor."""
    return isinstance(tensor, tf.SparseTensor)


def to_dense(tensor):
    """A sparse tensor as a dense one."""
    return tf.sparse.to_dense(tensor) if is_sparse(tensor) else tensor


name_scope = tf.name_scope


def get_value(x):
    """The value of a variable or a tensor."""
    if _has_value(x):
        return x.numpy()
    return get_session((x,)).run(x) if hasattr(x, "op") else x


def _has_value(x):
    """Whether it is a tensor or variable of eager execution."""
    return isinstance(x, _rill.EagerTensor) or getattr(x, "_is_eager", False)


def batch_get_value(tensors):
    """The values of several variables."""
    if tensors and not [x for x in tensors if not _has_value(x)]:
        return [x.numpy() for x in tensors]
    return get_session(tensors).run(list(tensors)) if tensors else []


def set_value(x, value):
    """Gives a variable a value."""
    batch_set_value([(x, value)])


def batch_set_value(tuples):
    """Gives several variables values."""
    from rill._layer_records import _assignment
    if not tuples:
        return
    feeds, operations = {}, []
    for x, value in tuples:
        value = np.asarray(value, dtype=x.dtype.base_dtype.as_numpy_dtype)
        if _has_value(x):
            with _rill.eager_graph().as_default():
                x.assign(value)
            continue
        fed, operation = _assignment(x, value)
        feeds[fed] = value
        operations.append(operation)
    if operations:
        get_session().run(operations, feed_dict=feeds)


def eval(x):
    """The value of a tensor."""
    return get_value(to_dense(x))


def count_params(x):
    """How many numbers a tensor holds."""
    return int(np.prod(x.shape.as_list()))


def int_shape(x):
    """The shape as a tuple, with None for what is not known."""
    shape = getattr(x, "_keras_shape", None) or x.shape
    try:
        return tuple(shape) if isinstance(shape, tuple) else tuple(shape.as_list())
    except ValueError:
        return None


def ndim(x):
    """The number of dimensions."""
    return x.shape.ndims


def dtype(x):
    """The name of the type."""
    return x.dtype.base_dtype.name


def shape(x):
    """The shape as a tensor."""
    return tf.shape(x)


def zeros(shape, dtype=None, name=None):
    """A variable full of zeros; a tensor where the shape is not known."""
    return _filled(tf.zeros, shape, dtype, name)


def ones(shape, dtype=None, name=None):
    """A variable full of ones; a tensor where the shape is not known."""
    return _filled(tf.ones, shape, dtype, name)


def _filled(make, shape, dtype, name):
    if hasattr(tf.get_default_graph(), "_reads_eager_variables") and tf.TensorShape(shape).is_fully_defined():
        with _rill.eager_graph().as_default():  # where the variable is
            return _filled(make, shape, dtype, name)
    made = make(shape=shape, dtype=tf.as_dtype(dtype or floatx()), name=name)
    return variable(made, dtype=dtype, name=name) if made.shape.is_fully_defined() else made


def eye(size, dtype=None, name=None):
    """A variable with an identity matrix."""
    return variable(tf.eye(size, dtype=tf.as_dtype(dtype or floatx())), dtype, name)


def zeros_like(x, dtype=None, name=None):
    """Zeros in the shape of another tensor."""
    return tf.zeros_like(x, dtype=dtype, name=name)


def ones_like(x, dtype=None, name=None):
    """Ones in the shape of another tensor."""
    return tf.ones_like(x, dtype=dtype, name=name)


def _seeded(seed):
    return np.random.randint(10000000) if seed is None else seed


def random_uniform_variable(shape, low, high, dtype=None, name=None, seed=None):
    """A variable of values between two bounds."""
    dtype = tf.as_dtype(dtype or floatx())
    value = tf.random_uniform_initializer(low, high, dtype=dtype, seed=_seeded(seed))(shape)
    return variable(value, dtype=dtype, name=name)


def random_normal_variable(shape, mean, scale, dtype=None, name=None, seed=None):
    """A variable of normally distributed values."""
    dtype = tf.as_dtype(dtype or floatx())
    value = tf.random_normal_initializer(mean, scale, dtype=dtype, seed=_seeded(seed))(shape)
    return variable(value, dtype=dtype, name=name)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Normally distributed values."""
    return tf.random_normal(shape, mean=mean, stddev=stddev, dtype=dtype or floatx(), seed=_seeded(seed))


def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    """Values between two bounds."""
    return tf.random_uniform(shape, minval=minval, maxval=maxval, dtype=dtype or floatx(),
                             seed=_seeded(seed))


def random_binomial(shape, p=0.0, dtype=None, seed=None):
    """1 with probability p, else 0."""
    dtype = dtype or floatx()
    return tf.where(tf.random_uniform(shape, dtype=dtype, seed=_seeded(seed)) <= p,
                    tf.ones(shape, dtype=dtype), tf.zeros(shape, dtype=dtype))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Normally distributed values, none far from the mean."""
    return tf.truncated_normal(shape, mean, stddev, dtype=dtype or floatx(), seed=_seeded(seed))


def update(x, new_x):
    """An assignment."""
    return tf.assign(x, new_x)


def update_add(x, increment):
    """An assignment of a sum."""
    return tf.assign_add(x, increment)


def update_sub(x, decrement):
    """An assignment of a difference."""
    return tf.assign_sub(x, decrement)


# --- functions that are another one of tf's -------------------------------------------------------

def _as(function, doc, *names):
    """A function of these arguments that hands them on."""
    text = ", ".join(names)
    made = {}
    exec(f"def call({text}):\n    return function({', '.join(n.split('=')[0] for n in names)})",
         {"function": function}, made)
    made["call"].__doc__ = doc
    return made["call"]


def _reduction(function):
    def reduce(x, axis=None, keepdims=False):
        x = tf.cast(x, floatx()) if x.dtype.base_dtype == tf.bool and function in _NUMERIC else x
        return function(x, axis, keepdims)
    reduce.__doc__ = function.__doc__
    return reduce


_NUMERIC = (tf.reduce_mean, tf.math.reduce_variance, tf.math.reduce_std)
sum = _reduction(tf.reduce_sum)
prod = _reduction(tf.reduce_prod)
max = _reduction(tf.reduce_max)
min = _reduction(tf.reduce_min)
mean = _reduction(tf.reduce_mean)
var = _reduction(tf.math.reduce_variance)
std = _reduction(tf.math.reduce_std)


def any(x, axis=None, keepdims=False):
    """Whether something is true."""
    return tf.reduce_any(tf.cast(x, tf.bool), axis, keepdims)


def all(x, axis=None, keepdims=False):
    """Whether everything is true."""
    return tf.reduce_all(tf.cast(x, tf.bool), axis, keepdims)


abs, square, exp, log = (_as(f, f.__doc__, "x") for f in (tf.abs, tf.square, tf.exp, tf.log))
round, sign, sin, cos = (_as(f, f.__doc__, "x") for f in (tf.round, tf.sign, tf.sin, tf.cos))
equal, not_equal, greater = (_as(f, f.__doc__, "x", "y") for f in (tf.equal, tf.not_equal, tf.greater))
greater_equal, less = (_as(f, f.__doc__, "x", "y") for f in (tf.greater_equal, tf.less))
less_equal, maximum, minimum = (_as(f, f.__doc__, "x", "y") for f in (tf.less_equal, tf.maximum, tf.minimum))
tanh, sigmoid, softplus, softsign = (_as(f, f.__doc__, "x") for f in (tf.tanh, tf.sigmoid, tf.math.softplus,
                                                                       tf.nn.softsign))
cast = _as(tf.cast, tf.cast.__doc__, "x", "dtype")
reshape = _as(tf.reshape, tf.reshape.__doc__, "x", "shape")
transpose = _as(tf.transpose, tf.transpose.__doc__, "x")
permute_dimensions = _as(tf.transpose, tf.transpose.__doc__, "x", "pattern")
cumsum = _as(tf.cumsum, tf.cumsum.__doc__, "x", "axis=0")
cumprod = _as(tf.cumprod, tf.cumprod.__doc__, "x", "axis=0")
argmax = _as(tf.argmax, tf.argmax.__doc__, "x", "axis=-1")
argmin = _as(tf.argmin, tf.argmin.__doc__, "x", "axis=-1")
expand_dims = _as(tf.expand_dims, tf.expand_dims.__doc__, "x", "axis=-1")
stack = _as(tf.stack, tf.stack.__doc__, "x", "axis=0")
gather = _as(tf.gather, tf.gather.__doc__, "reference", "indices")
pow = _as(tf.pow, tf.pow.__doc__, "x", "a")


def sqrt(x):
    """The root of what is not negative."""
    zero = tf.constant(0.0, x.dtype.base_dtype)
    return tf.sqrt(tf.clip_by_value(x, zero, tf.constant(np.inf, x.dtype.base_dtype)))


def squeeze(x, axis):
    """Without a dimension of size 1."""
    return tf.squeeze(x, [axis])


def flatten(x):
    """All elements as a vector."""
    return tf.reshape(x, [-1])


def tile(x, n):
    """The tensor n times along each dimension."""
    return tf.tile(x, [n] if isinstance(n, int) else n)


def concatenate(tensors, axis=-1):
    """Tensors one after the other."""
    if axis < 0:
        axis = axis % ndim(tensors[0]) if ndim(tensors[0]) else 0
    return tf.concat([to_dense(x) for x in tensors], axis)


def reverse(x, axes):
    """Dimensions backwards."""
    return tf.reverse(x, [axes] if isinstance(axes, int) else axes)


def one_hot(indices, num_classes):
    """Vectors that are 1 at one place each."""
    return tf.one_hot(indices, depth=num_classes, axis=-1)


def arange(start, stop=None, step=1, dtype="int32"):
    """start, start + step, ... below stop."""
    if stop is None:
        start, stop = 0, 0 if start < 0 else start
    result = tf.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else tf.cast(result, dtype)


def clip(x, min_value, max_value):
    """Values brought between two bounds."""
    if isinstance(min_value, (int, float)) and isinstance(max_value, (int, float)):
        max_value = min_value if max_value < min_value else max_value
    return tf.clip_by_value(x, -np.inf if min_value is None else min_value,
                            np.inf if max_value is None else max_value)


def stop_gradient(variables):
    """Tensors that no gradient flows through."""
    if isinstance(variables, (list, tuple)):
        return [tf.stop_gradient(x) for x in variables]
    return tf.stop_gradient(variables)


def gradients(loss, variables):
    """The derivatives of a loss."""
    return tf.gradients(loss, variables)


def print_tensor(x, message=""):
    """The tensor, which is printed when it is computed."""
    with tf.control_dependencies([tf.print(message, x)]):
        return tf.identity(x)


def in_top_k(predictions, targets, k):
    """Whether targets are among the k best predictions."""
    return tf.nn.in_top_k(predictions, targets, k)


def l2_normalize(x, axis=None):
    """x divided by its norm."""
    return tf.nn.l2_normalize(x, axis=axis)


def temporal_padding(x, padding=(1, 1)):
    """Zeros before and after the steps."""
    return tf.pad(x, [[0, 0], [padding[0], padding[1]], [0, 0]])


def dropout(x, level, noise_shape=None, seed=None):
    """Elements that become 0 at random."""
    return _rill.functions._keras.dropout(x, level, noise_shape, _seeded(seed))


def _activation(name, *arguments):
    def function(*args, **kwargs):
        return _surface._find(f"keras.activations.{name}")(*args, **kwargs)
    return _as(function, _surface._find(f"keras.activations.{name}").__doc__, *arguments)


relu = _activation("relu", "x", "alpha=0.0", "max_value=None", "threshold=0")
elu = _activation("elu", "x", "alpha=1.0")
hard_sigmoid = _activation("hard_sigmoid", "x")


def softmax(x, axis=-1):
    """Positive numbers that add up to one along an axis."""
    return tf.nn.softmax(x, axis=axis)


def switch(condition, then_expression, else_expression):
    """One of two tensors or functions, by a condition."""
    if condition.dtype != tf.bool:
        condition = tf.cast(condition, "bool")
    if not condition.shape.ndims:
        as_function = lambda part: part if callable(part) else lambda: tf.identity(part)  # noqa: E731
        return tf.cond(condition, as_function(then_expression), as_function(else_expression))
    then_expression = then_expression() if callable(then_expression) else then_expression
    else_expression = else_expression() if callable(else_expression) else else_expression
    missing = then_expression.shape.ndims - condition.shape.ndims
    for _ in range(missing):
        condition = tf.expand_dims(condition, -1)
    return tf.where_v2(condition, then_expression, else_expression)


def map_fn(fn, elems, name=None, dtype=None):
    """A function of each element."""
    return tf.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(fn, elems, initializer=None, name=None):
    """Elements put together from the first to the last."""
    return tf.foldl(fn, elems, initializer=initializer, name=name)


def foldr(fn, elems, initializer=None, name=None):
    """Elements put together from the last to the first."""
    return tf.foldr(fn, elems, initializer=initializer, name=name)


def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=0.001):
    """x brought to mean 0 and spread 1, scaled and shifted; its mean and variance."""
    axes = list(reduction_axes)
    spread = sorted(axes) != list(range(x.shape.ndims))[:-1]
    mean_, variance = tf.nn.moments(x, axes, None, None, False)
    shape_ = [1 if i in axes else tf.shape(x)[i] for i in range(x.shape.ndims)]
    wide = (lambda t: None if t is None else tf.reshape(t, tf.stack(shape_))) if spread else lambda t: t
    normed = tf.nn.batch_normalization(x, wide(mean_), wide(variance), wide(beta), wide(gamma), epsilon)
    return normed, mean_, variance


def rnn(step_function, inputs, initial_states, go_backwards=False, mask=None, constants=None, unroll=False,
        input_length=None, time_major=False, zero_output_for_mask=False):
    """Steps through time: the last output, all outputs and the last states."""
    more = list(constants or [])

    def step(x, states):
        output, new_states = step_function(x, list(states) + more)
        return output, list(new_states)
    last, outputs, states = _rill.keras_rnn(step, inputs, list(initial_states), go_backwards, mask, unroll,
                                            time_major, zero_output_for_mask)
    return last, outputs, states


# --- sequences of labels --------------------------------------------------------------------------

def ctc_label_dense_to_sparse(labels, label_lengths):
    """Labels as a sparse tensor, without what is behind their lengths."""
    mask = tf.sequence_mask(label_lengths, tf.shape(labels)[1])
    indices = tf.where(mask)
    return tf.SparseTensor(tf.cast(indices, tf.int64), tf.gather_nd(labels, indices),
                           tf.cast(tf.shape(labels), tf.int64))


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """The CTC loss of each example."""
    label_length = tf.cast(tf.squeeze(label_length, axis=-1), tf.int32)
    input_length = tf.cast(tf.squeeze(input_length, axis=-1), tf.int32)
    labels = tf.cast(ctc_label_dense_to_sparse(y_true, label_length), tf.int32)
    y_pred = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + epsilon())
    return tf.expand_dims(tf.nn.ctc_loss(inputs=y_pred, labels=labels, sequence_length=input_length), 1)


def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    """The most probable labels, and how probable they are."""
    y_pred = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + epsilon())
    input_length = tf.cast(input_length, tf.int32)
    if greedy:
        decoded, probability = tf.nn.ctc_greedy_decoder(inputs=y_pred, sequence_length=input_length)
    else:
        decoded, probability = tf.nn.ctc_beam_search_decoder(
            inputs=y_pred, sequence_length=input_length, beam_width=beam_width, top_paths=top_paths,
            merge_repeated=False)
    return [tf.sparse_to_dense(st.indices, st.dense_shape, st.values, default_value=-1)
            for st in decoded], probability


# --- functions ------------------------------------------------------------------------------------

class Function:
    """What K.function makes: runs outputs and updates for given inputs."""

    def __init__(self, inputs, outputs, updates=None, name=None, **session_kwargs):
        self.inputs, self.outputs = list(inputs), outputs
        self.updates_op = []
        for item in updates or []:
            made = tf.assign(*item) if isinstance(item, tuple) else item
            self.updates_op.append(getattr(made, "op", made))
        self.feed_dict = session_kwargs.pop("feed_dict", None) or {}
        self.fetches = session_kwargs.pop("fetches", None) or []
        self.run_options = session_kwargs.pop("options", None)
        self.run_metadata = session_kwargs.pop("run_metadata", None)
        if session_kwargs:
            raise ValueError(f"Some keys in session_kwargs are not supported at this time: {session_kwargs.keys()}")

    def __call__(self, inputs):
        """The values of the outputs."""
        feeds = dict(self.feed_dict)
        for placeholder_, value in zip(self.inputs, inputs):
            if value is not None and placeholder_ is not None and not isinstance(placeholder_, int):
                feeds[placeholder_] = value
        fetched = get_session(self.inputs).run([self.outputs, self.updates_op, self.fetches], feed_dict=feeds,
                                               options=self.run_options, run_metadata=self.run_metadata)
        return fetched[0]


def function(inputs, outputs, updates=None, name=None, **kwargs):
    """A function that computes outputs of inputs, and runs updates."""
    return Function(inputs, outputs, updates=updates, name=name, **kwargs)


def _name_functions(functions):
    """Those that were made above get the names they have, by which they are pickled and shown."""
    for name, function in functions.items():
        if getattr(function, "__name__", "") in ("call", "reduce"):
            function.__name__ = function.__qualname__ = name
            function.__module__ = __name__


_name_functions(dict(globals()))
__getattr__, __dir__ = _surface.members_of(__name__)
