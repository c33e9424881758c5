"""Small programs with branches and loops, whose graphs and values must be TensorFlow's.

Each takes the module `tf` (TensorFlow or Rill), builds its graph and returns what to fetch: a list of
steps, each (fetches, feeds), feeds by name of the placeholder. They run unchanged under both.
"""
import numpy as np

PROGRAMS = {}
# Programs whose nodes are not compared, or not their order, and why.
VALUES_ONLY = {
    "gradient_gather_after": "TensorFlow makes rows dense in the scope of the op that reads them",
}
OTHER_ORDER = {
    "cond_in_while_gradient_unknown": "2.15 multiplies before it looks at the shapes",
    "gradient_some_exits": "2.15 multiplies before it looks at the shapes",
    "gradient_not_recurrent": "2.15 multiplies before it looks at the shapes",
}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def place(tf, name, shape=(), dtype=None):
    return tf.placeholder(dtype or tf.float32, shape, name=name)


def less(tf, i, n):
    return tf.raw_ops.Less(x=i, y=n)


def total(tf, x, axis=(0,)):
    return tf.raw_ops.Sum(input=x, axis=list(axis))


def known(gradients):
    return [g for g in gradients if g is not None]


# --- cond --------------------------------------------------------------------------------------

@program
def cond_simple(tf):
    x = place(tf, "x")
    y = tf.cond(x > 0.0, lambda: x * 2.0, lambda: tf.constant(3.0))
    return [(y, {"x": 2.0}), (y, {"x": -2.0})]


@program
def cond_passes_through(tf):
    x, y = place(tf, "x"), place(tf, "y")
    r = tf.cond(x > y, lambda: x, lambda: y, name="larger")
    return [(r, {"x": 2.0, "y": 1.0}), (r, {"x": 1.0, "y": 5.0})]


@program
def cond_structure(tf):
    x = place(tf, "x")
    r = tf.cond(x > 0.0, lambda: {"a": x + 1.0, "b": (x, x * x)},
                lambda: {"a": x - 1.0, "b": (x * 3.0, tf.constant(0.0))})
    return [([r["a"], r["b"][0], r["b"][1]], {"x": v}) for v in (1.5, -1.5)]


@program
def cond_operations(tf):
    x = place(tf, "x")
    ref = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
    init = tf.raw_ops.Assign(ref=ref, value=1.0, name="init")
    with tf.control_dependencies([init]):
        done = tf.cond(x > 0.0, lambda: tf.raw_ops.AssignAdd(ref=ref, value=x).op,
                       lambda: tf.no_op())
    with tf.control_dependencies([done]):
        value = tf.identity(ref, name="value")
    return [(value, {"x": 2.0}), (value, {"x": -2.0})]


@program
def cond_in_cond(tf):
    x = place(tf, "x")
    r = tf.cond(x > 0.0, lambda: tf.cond(x > 10.0, lambda: x * 100.0, lambda: x + 1.0),
                lambda: tf.cond(x < -10.0, lambda: x * 2.0, lambda: -x))
    g = tf.gradients(r, x)
    return [([r] + g, {"x": v}) for v in (20.0, 5.0, -20.0, -5.0)]


@program
def cond_gradient(tf):
    x, w = place(tf, "x"), place(tf, "w", [None])
    r = tf.cond(x > 0.0, lambda: tf.raw_ops.Square(x=x) * total(tf, w),
                lambda: tf.raw_ops.Tanh(x=x))
    g = tf.gradients(r, [x, w])
    return [([r] + g, {"x": v, "w": [1.0, 2.0, 3.0]}) for v in (1.5, -0.5)]


@program
def cond_gradient_unused_branch(tf):
    x, y = place(tf, "x", [None]), place(tf, "y", [None])
    p = place(tf, "p", dtype=tf.bool)
    r = tf.cond(p, lambda: tf.raw_ops.Square(x=x), lambda: tf.raw_ops.Tanh(x=y))
    g = tf.gradients(r, [x, y])
    return [([r] + g, {"x": [1.0, 2.0], "y": [3.0, 4.0, 5.0], "p": v}) for v in (True, False)]


@program
def cond_gradient_of_gradient(tf):
    x = place(tf, "x")
    p = place(tf, "p", dtype=tf.bool)
    r = tf.cond(p, lambda: x * x * x, lambda: x * 2.0)
    g, = tf.gradients(r, x)
    h, = tf.gradients(g, x)
    return [([g, h], {"x": 3.0, "p": v}) for v in (True, False)]


@program
def cond_gather_gradient(tf):
    params = place(tf, "params", [4, 2])
    p = place(tf, "p", dtype=tf.bool)
    rows = tf.constant([1, 3, 1])
    r = tf.cond(p, lambda: -tf.raw_ops.GatherV2(params=params, indices=rows, axis=0),
                lambda: tf.raw_ops.GatherV2(params=params, indices=[0], axis=0))
    g, = tf.gradients(r, params)
    value = np.arange(8, dtype=np.float32).reshape(4, 2)
    g = tf.convert_to_tensor(g)
    return [([r, g], {"params": value, "p": v}) for v in (True, False)]


@program
def case_default(tf):
    x = place(tf, "x")
    r = tf.case([(x < 1.0, lambda: x * 10.0), (x < 2.0, lambda: x * 100.0)],
                default=lambda: -x)
    g = tf.gradients(r, x)
    return [([r] + g, {"x": v}) for v in (0.5, 1.5, 2.5)]


@program
def case_exclusive(tf):
    x = place(tf, "x")
    r = tf.case([(x < 1.0, lambda: x * 10.0), (x > 2.0, lambda: x * 100.0)],
                default=lambda: -x, exclusive=True, name="choose")
    return [(r, {"x": v}) for v in (0.5, 1.5, 2.5)]


@program
def case_without_default(tf):
    x = place(tf, "x")
    r = tf.case([(x < 1.0, lambda: x * 10.0), (x > 2.0, lambda: x * 100.0)])
    return [(r, {"x": v}) for v in (0.5, 2.5)]


# --- while -------------------------------------------------------------------------------------

@program
def while_counts(tf):
    i = tf.while_loop(lambda i: less(tf, i, 10), lambda i: i + 1, [tf.constant(0)])
    return [(i, {})]


@program
def while_as_documented(tf):
    i = tf.constant(0)
    c = lambda i: tf.less(i, 10)
    b = lambda i: (i + 1,)
    r = tf.while_loop(c, b, [i])
    x, y = tf.constant(2), tf.constant(5)
    s = tf.cond(tf.less(x, y), lambda: tf.maximum(x, 17), lambda: tf.square(y))
    return [([r, s], {})]


@program
def case_of_one(tf):
    x = place(tf, "x")
    r = tf.case([(tf.greater(x, 1.0), lambda: tf.tanh(x))])
    return [(r, {"x": 2.0})]


@program
def while_python_values(tf):
    i, s = tf.while_loop(lambda i, s: i < 5, lambda i, s: [i + 1, s * 2.0], [0, 1.0])
    return [([i, s], {})]


@program
def while_invariant(tf):
    x, y = place(tf, "x", [None]), place(tf, "y")
    i, s = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s * y + x),
                         (tf.constant(0), x), name="horner", parallel_iterations=3)
    return [([i, s], {"x": [1.0, 2.0], "y": 0.5})]


@program
def while_maximum_iterations(tf):
    x = place(tf, "x")
    r = tf.while_loop(lambda s: s < 100.0, lambda s: s * 2.0, [x], maximum_iterations=3)
    g = tf.gradients(r, x)
    return [([r] + g, {"x": v}) for v in (1.0, 60.0)]


@program
def while_control_edges(tf):
    x = place(tf, "x")
    before = tf.identity(x, name="before")
    with tf.control_dependencies([before, tf.no_op(name="nothing")]):
        i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + x), (0, x))
    with tf.control_dependencies([i]):
        after = tf.identity(s, name="after")
    return [(after, {"x": 2.0})]


@program
def while_control_inside(tf):
    x = place(tf, "x")
    outside = tf.identity(x, name="outside")

    def body(i, s):
        with tf.control_dependencies([i, outside]):
            t = s * 2.0
            with tf.control_dependencies(None):
                free = tf.constant(7.0, name="free")
        return i + 1, t + free

    i, s = tf.while_loop(lambda i, s: i < 3, body, (0, x))
    return [(s, {"x": 2.0})]


@program
def while_shape_invariants(tf):
    x = place(tf, "x", [1])
    grow = lambda i, s: (i + 1, tf.raw_ops.ConcatV2(values=[s, x], axis=0))
    i, s = tf.while_loop(lambda i, s: i < 3, grow, (tf.constant(0), x),
                         shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": [4.0]})]


@program
def while_structure(tf):
    x = place(tf, "x")
    r = tf.while_loop(lambda i, d: i < 3,
                      lambda i, d: (i + 1, {"a": d["b"], "b": (d["a"][0] + 1.0,)}),
                      (0, {"a": (x,), "b": (x * 2.0,)}))
    return [([r[0], r[1]["a"][0], r[1]["b"][0]], {"x": 1.0})]


@program
def while_never_runs(tf):
    x = place(tf, "x", [None])
    n = place(tf, "n", dtype=tf.int32)
    step = lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s) + x)
    i, s = tf.while_loop(lambda i, s: i < n, step, (0, x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": [1.0, 2.0], "n": v}) for v in (0, 1, 3)]


@program
def gradient_power(tf):
    x = place(tf, "x")
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), (0, x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": 2.0})]


@program
def gradient_matmul(tf):
    x, w = place(tf, "x", [2, 3]), place(tf, "w", [3, 3])
    step = lambda i, s: (i + 1, tf.raw_ops.Tanh(x=tf.matmul(s, w)))
    i, s = tf.while_loop(lambda i, s: i < 4, step, (0, x))
    g = tf.gradients(s, [x, w])
    return [([s] + g, {"x": np.linspace(-1, 1, 6).reshape(2, 3),
                       "w": np.linspace(-0.5, 0.7, 9).reshape(3, 3)})]


@program
def gradient_unknown_shapes(tf):
    x, w = place(tf, "x", [None, None]), place(tf, "w", [None, None])
    step = lambda i, s, t: (i + 1, tf.raw_ops.Sigmoid(x=tf.matmul(s, w)) + t, t + s)
    i, s, t = tf.while_loop(lambda i, s, t: i < 3, step, (0, x, x))
    g = tf.gradients([s, t], [x, w])
    return [([s] + g, {"x": np.linspace(-1, 1, 6).reshape(2, 3),
                       "w": np.linspace(-0.5, 0.7, 9).reshape(3, 3)})]


@program
def gradient_1000_steps(tf):
    x = place(tf, "x")
    i, s = tf.while_loop(lambda i, s: i < 1000, lambda i, s: (i + 1, s * x + 0.001),
                         (0, tf.constant(1.0)))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": 0.9995})]


@program
def gradient_not_recurrent(tf):
    x = place(tf, "x", [None])
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, x * x), (0, x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": [1.0, 3.0]})]


@program
def gradient_some_exits(tf):
    x, y = place(tf, "x", [None]), place(tf, "y", [None])
    step = lambda i, a, b: (i + 1, a * x, tf.raw_ops.Tanh(x=b) + a)
    i, a, b = tf.while_loop(lambda i, a, b: i < 3, step, (0, x, y))
    g = tf.gradients(b, [x, y])
    return [(g, {"x": [2.0, 0.5], "y": [1.0, 2.0]})]


@program
def gradient_swap_memory(tf):
    x = place(tf, "x", [3])
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s) * x), (0, x),
                         swap_memory=True, parallel_iterations=1)
    g = tf.gradients(s, x)
    return [([s] + g, {"x": [0.5, 1.0, -1.0]})]


@program
def gradient_no_back_prop(tf):
    x = place(tf, "x")
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), (0, x),
                         back_prop=False)
    g = tf.gradients(s + x, x)
    return [([s] + known(g), {"x": 2.0})]


@program
def gradient_stopped_inside(tf):
    x = place(tf, "x")
    step = lambda i, s: (i + 1, s + tf.raw_ops.StopGradient(input=s * x) + x)
    i, s = tf.while_loop(lambda i, s: i < 3, step, (0, x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": 2.0})]


@program
def gradient_gathers(tf):
    params = place(tf, "params", [4, 2])
    step = lambda i, s: (i + 1, s + tf.raw_ops.GatherV2(params=params, indices=[i], axis=0))
    i, s = tf.while_loop(lambda i, s: i < 3, step, (0, tf.constant([[1.0, 2.0]])))
    g, = tf.gradients(s, params)
    return [([s, tf.convert_to_tensor(g)], {"params": np.arange(8.0).reshape(4, 2)})]


@program
def gradient_gather_after(tf):
    x, rows = place(tf, "x", [None, None]), place(tf, "rows", [None], tf.int32)
    step = lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s))
    i, s = tf.while_loop(lambda i, s: i < 3, step, (0, x))
    g, = tf.gradients(tf.raw_ops.GatherV2(params=s, indices=rows, axis=0), x)
    g = tf.convert_to_tensor(g)
    return [([s, g], {"x": np.arange(6.0).reshape(3, 2), "rows": [1, 2]})]


@program
def gradient_gather_in_nested_loops(tf):
    params = place(tf, "params", [None, 2])

    def body(i, s):
        row = lambda j, t: (j + 1, t + tf.raw_ops.GatherV2(params=params, indices=[j], axis=0))
        _, t = tf.while_loop(lambda j, t: j < i, row, (0, s))
        return i + 1, tf.raw_ops.Tanh(x=t)

    i, s = tf.while_loop(lambda i, s: i < 3, body, (tf.constant(1), tf.constant([[0.1, 0.2]])))
    g, = tf.gradients(s, params)
    g = tf.convert_to_tensor(g)
    return [([s, g], {"params": np.arange(8.0).reshape(4, 2) / 10})]


@program
def gradient_two_losses(tf):
    x = place(tf, "x", [None])
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s)), (0, x))
    g = tf.gradients(s, x)
    h = tf.gradients(-s, x)
    return [(g + h, {"x": [0.5, 1.0]})]


@program
def gradient_colocated(tf):
    x = place(tf, "x", [2])
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s) + x), (0, x))
    g = tf.gradients(s, x, colocate_gradients_with_ops=True)
    return [([s] + g, {"x": [0.5, 1.0]})]


@program
def gradient_inside_body(tf):
    x = place(tf, "x")

    def body(i, s):
        y = s * s * x
        g, = tf.gradients(y, s)
        return i + 1, s - 0.1 * g

    i, s = tf.while_loop(lambda i, s: i < 3, body, (0, x))
    return [(s, {"x": 0.5})]


# --- nested ------------------------------------------------------------------------------------

@program
def while_in_while(tf):
    x = place(tf, "x")

    def body(i, s):
        _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t * x), (0, s))
        return i + 1, t + x

    i, s = tf.while_loop(lambda i, s: i < 3, body, (tf.constant(1), x))
    return [([i, s], {"x": 1.5})]


@program
def while_in_while_gradient(tf):
    x, y = place(tf, "x", [None]), place(tf, "y", [None])

    def body(i, s):
        step = lambda j, t: (j + 1, tf.raw_ops.Tanh(x=t) + y + x)
        _, t = tf.while_loop(lambda j, t: j < i, step, (0, s))
        return i + 1, tf.raw_ops.Square(x=t)

    i, s = tf.while_loop(lambda i, s: i < 3, body, (tf.constant(1), y))
    g = tf.gradients(s, [x, y])
    return [([s] + g, {"x": [1.5, 0.5], "y": [0.5, -1.0]})]


@program
def cond_in_while(tf):
    x = place(tf, "x")

    def body(i, s):
        odd = tf.raw_ops.Equal(x=i % 2, y=1)
        return i + 1, tf.cond(odd, lambda: s * x, lambda: s + 1.0)

    i, s = tf.while_loop(lambda i, s: i < 5, body, (tf.constant(0), x))
    return [([i, s], {"x": 1.5})]


@program
def cond_in_while_gradient(tf):
    x = place(tf, "x")

    def body(i, s):
        odd = tf.raw_ops.Equal(x=i % 2, y=1)
        return i + 1, tf.cond(odd, lambda: s * x, lambda: s + tf.raw_ops.Square(x=x))

    i, s = tf.while_loop(lambda i, s: i < 5, body, (tf.constant(0), x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": 1.5})]


@program
def cond_in_while_gradient_unknown(tf):
    x, y = place(tf, "x", [None]), place(tf, "y", [None])

    def body(i, s):
        odd = tf.raw_ops.Equal(x=i % 2, y=1)
        return i + 1, tf.cond(odd, lambda: s * y, lambda: tf.raw_ops.Tanh(x=s) + x)

    i, s = tf.while_loop(lambda i, s: i < 4, body, (tf.constant(0), x))
    g = tf.gradients(s, [x, y])
    return [([s] + g, {"x": [0.5, 1.0], "y": [2.0, -1.0]})]


@program
def while_in_cond(tf):
    x = place(tf, "x")
    loop = lambda: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), (0, x))[1]
    r = tf.cond(x > 0.0, loop, lambda: -x)
    return [(r, {"x": v}) for v in (2.0, -2.0)]


@program
def while_in_cond_gradient(tf):
    x = place(tf, "x", [None])
    p = place(tf, "p", dtype=tf.bool)
    step = lambda i, s: (i + 1, tf.raw_ops.Tanh(x=s) + x)
    loop = lambda: tf.while_loop(lambda i, s: i < 3, step, (0, x))[1]
    r = tf.cond(p, loop, lambda: -x)
    g = tf.gradients(r, x)
    return [([r] + g, {"x": [2.0, -2.0], "p": v}) for v in (True, False)]


@program
def cond_in_while_in_while_gradient(tf):
    x = place(tf, "x")

    def inner(j, t):
        even = tf.raw_ops.Equal(x=j % 2, y=0)
        return j + 1, tf.cond(even, lambda: t * x, lambda: tf.raw_ops.Tanh(x=t))

    def body(i, s):
        _, t = tf.while_loop(lambda j, t: j < i + 1, inner, (0, s))
        return i + 1, t + x

    i, s = tf.while_loop(lambda i, s: i < 3, body, (tf.constant(0), x))
    g = tf.gradients(s, x)
    return [([s] + g, {"x": 1.25})]


@program
def dead_branch_in_loop(tf):
    x = place(tf, "x")

    def body(i, s):
        small = s < 10.0
        grown = tf.cond(small, lambda: s * 3.0, lambda: s)
        kept = tf.cond(small, lambda: tf.constant(0.0), lambda: grown * 2.0)
        return i + 1, grown + 0.0 * kept

    i, s = tf.while_loop(lambda i, s: i < 6, body, (tf.constant(0), x))
    return [([i, s], {"x": v}) for v in (1.0, 100.0)]


# --- TensorArray -------------------------------------------------------------------------------

@program
def array_basic(tf):
    x = place(tf, "x", [3, 2])
    ta = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x)
    ta = ta.identity()
    first, some = ta.read(0), ta.gather([2, 0])
    return [([first, some, ta.stack(), ta.concat(), ta.size()], {"x": np.arange(6.0).reshape(3, 2)})]


@program
def array_split_scatter(tf):
    x = place(tf, "x", [4, 2])
    ta = tf.TensorArray(tf.float32, 2, infer_shape=False, clear_after_read=False).split(x, [1, 3])
    other = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False,
                           element_shape=[2])
    other = other.scatter([3, 1, 0, 2], x)
    g = tf.gradients([ta.concat(), other.gather([0, 1])], x)
    return [([ta.read(1), other.stack(), other.size()] + g, {"x": np.arange(8.0).reshape(4, 2)})]


@program
def array_in_loop_gradient(tf):
    x = place(tf, "x", [4])
    source = tf.TensorArray(tf.float32, 4).unstack(x)
    out = tf.TensorArray(tf.float32, 4, element_shape=[])
    body = lambda i, o: (i + 1, o.write(i, source.read(i) * total(tf, x)))
    _, out = tf.while_loop(lambda i, o: i < 4, body, (0, out))
    s = out.stack()
    g = tf.gradients(s, x)
    return [([s] + g, {"x": [1.0, 2.0, 3.0, 4.0]})]


@program
def scan_rnn_gradient(tf):
    x, w, u = place(tf, "x", [5, 2, 3]), place(tf, "w", [3, 4]), place(tf, "u", [4, 4])
    inputs = tf.TensorArray(tf.float32, 5).unstack(x)
    outputs = tf.TensorArray(tf.float32, 5)

    def step(t, state, out):
        state = tf.raw_ops.Tanh(x=tf.matmul(inputs.read(t), w) + tf.matmul(state, u))
        return t + 1, state, out.write(t, state)

    zero = tf.constant(np.zeros([2, 4], np.float32))
    _, last, outputs = tf.while_loop(lambda t, *_: t < 5, step, (tf.constant(0), zero, outputs),
                                     parallel_iterations=32, swap_memory=True)
    sequence = outputs.stack()
    g = tf.gradients([sequence, last], [x, w, u])
    return [([sequence, last] + g, {"x": np.linspace(-1, 1, 30).reshape(5, 2, 3),
                                    "w": np.linspace(-0.5, 0.5, 12).reshape(3, 4),
                                    "u": np.linspace(0.3, -0.3, 16).reshape(4, 4)})]


# --- variables ---------------------------------------------------------------------------------

def handle(tf, name, shape):
    return tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=shape, shared_name=name, name=name)


@program
def resource_variable_in_loop(tf):
    v, x = handle(tf, "v", [3, 3]), place(tf, "x", [2, 3])
    start = np.linspace(-0.5, 0.7, 9).reshape(3, 3).astype(np.float32)
    init = tf.raw_ops.AssignVariableOp(resource=v, value=start)
    with tf.control_dependencies([init]):
        ready = tf.constant(1, name="ready")

    def step(i, s):
        w = tf.raw_ops.ReadVariableOp(resource=v, dtype=tf.float32)
        return i + 1, tf.raw_ops.Tanh(x=tf.matmul(s, w))

    i, s = tf.while_loop(lambda i, s: i < 3, step, (0, x))
    g = tf.gradients(s, [x, v])
    return [(ready, {}), ([s] + g, {"x": np.linspace(-1, 1, 6).reshape(2, 3)})]


@program
def resource_gather_in_branch_of_loop(tf):
    v, n = handle(tf, "v", [4, 2]), place(tf, "n", dtype=tf.int32)
    start = np.arange(8.0).reshape(4, 2).astype(np.float32) / 10
    init = tf.raw_ops.AssignVariableOp(resource=v, value=start)
    with tf.control_dependencies([init]):
        ready = tf.constant(1, name="ready")

    def step(i, s):
        row = lambda: tf.raw_ops.ResourceGather(resource=v, indices=[i], dtype=tf.float32)
        even = tf.raw_ops.Equal(x=i % 2, y=0)
        return i + 1, tf.raw_ops.Tanh(x=s + tf.cond(even, row, lambda: s))

    i, s = tf.while_loop(lambda i, s: i < n, step, (0, tf.constant([[0.5, -0.5]])))
    g, = tf.gradients(s, v)
    g = tf.convert_to_tensor(g)
    return [(ready, {})] + [([s, g], {"n": k}) for k in (1, 4)]


@program
def reference_variable_in_loop_and_branch(tf):
    ref = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name="v")
    x = place(tf, "x")
    init = tf.raw_ops.Assign(ref=ref, value=2.0, name="init")
    i, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * ref), (0, x))
    r = tf.cond(x > 0.0, lambda: ref * 3.0, lambda: -ref)
    g = tf.gradients([s, r], [x, ref])
    return [(init, {})] + [([s, r] + g, {"x": v}) for v in (1.5, -1.5)]


@program
def array_in_nested_loops_gradient(tf):
    x = place(tf, "x", [2, 3])
    rows = tf.TensorArray(tf.float32, 2).unstack(x)
    sums = tf.TensorArray(tf.float32, 2)

    def outer(i, out):
        row = rows.read(i)
        items = tf.TensorArray(tf.float32, 3).unstack(row)
        step = lambda j, t: (j + 1, tf.raw_ops.Tanh(x=t + items.read(j)))
        _, t = tf.while_loop(lambda j, t: j < 3, step, (0, tf.constant(0.25)))
        return i + 1, out.write(i, t)

    _, sums = tf.while_loop(lambda i, out: i < 2, outer, (0, sums))
    y = sums.stack()
    g = tf.gradients(y, x)
    return [([y] + g, {"x": np.linspace(-1, 1, 6).reshape(2, 3)})]


@program
def array_write_in_branch_gradient(tf):
    x = place(tf, "x", [4])
    items = tf.TensorArray(tf.float32, 4).unstack(x)
    out = tf.TensorArray(tf.float32, 4, element_shape=[])

    def step(i, out):
        value = items.read(i)
        odd = tf.raw_ops.Equal(x=i % 2, y=1)
        return i + 1, tf.cond(odd, lambda: out.write(i, tf.raw_ops.Square(x=value)),
                              lambda: out.write(i, -value))

    _, out = tf.while_loop(lambda i, out: i < 4, step, (0, out))
    y = out.stack()
    g = tf.gradients(y, x)
    return [([y] + g, {"x": [1.0, 2.0, 3.0, 4.0]})]


@program
def gradient_options(tf):
    x, w = place(tf, "x", [2]), place(tf, "w", [2])
    with tf.device("/device:CPU:0"):
        step = lambda i, s, t: (i + 1, tf.raw_ops.Tanh(x=s) + w, t + s)
        i, s, t = tf.while_loop(lambda i, s, t: i < 3, step, (0, x, x), name="named")
    with tf.name_scope("outer"):
        g = tf.gradients([s, t], [x, w], gate_gradients=True, name="gradients_of_loop")
    return [(g, {"x": [0.5, 1.0], "w": [0.1, -0.2]})]


@program
def gradient_of_invariant_in_branch_of_nested_loop(tf):
    a, b = place(tf, "a", [2]), place(tf, "b", [2])

    def inner(j, t):
        first = tf.raw_ops.Equal(x=j, y=0)
        return j + 1, tf.cond(first, lambda: t + a, lambda: tf.raw_ops.Tanh(x=t) + b)

    def outer(i, s):
        _, t = tf.while_loop(lambda j, t: j < 2, inner, (0, s))
        return i + 1, tf.cond(i > 0, lambda: t, lambda: tf.raw_ops.Square(x=t))

    _, s = tf.while_loop(lambda i, s: i < 3, outer, (tf.constant(0), a))
    g = tf.gradients(s, [a, b])
    return [([s] + g, {"a": [0.5, 0.25], "b": [0.1, -0.3]})]


# --- lists -------------------------------------------------------------------------------------

def stack(tf, handle, shape):
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=shape,
                                      element_dtype=tf.float32)


def push(tf, handle, x):
    return tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=x)


def no_elements(tf, shape):
    return tf.raw_ops.EmptyTensorList(element_shape=shape, max_num_elements=-1,
                                      element_dtype=tf.float32)


@program
def list_gradient_of_elements(tf):
    x, z = place(tf, "x", [2]), place(tf, "z", [None])
    handle = push(tf, push(tf, no_elements(tf, [2]), x), z)
    handle = tf.raw_ops.TensorListSetItem(input_handle=handle, index=0, item=tf.raw_ops.Tanh(x=z))
    item = tf.raw_ops.TensorListGetItem(input_handle=handle, index=1, element_shape=[2],
                                        element_dtype=tf.float32)
    rest, last = tf.raw_ops.TensorListPopBack(input_handle=handle, element_shape=[2],
                                              element_dtype=tf.float32)
    y = stack(tf, push(tf, tf.raw_ops.TensorListResize(input_handle=rest, size=2), last), [2])
    g = tf.gradients([y, item], [x, z])
    return [([y, item] + g, {"x": [1.0, 2.0], "z": [3.0, 4.0]})]


@program
def list_gradient_of_joins(tf):
    x = place(tf, "x", [4, 2])
    handle = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[2])
    some = tf.raw_ops.TensorListGather(input_handle=handle, indices=[3, 0], element_shape=[2],
                                       element_dtype=tf.float32)
    spread = tf.raw_ops.TensorListScatterV2(tensor=some, indices=[2, 0], element_shape=[2],
                                            num_elements=4)
    into = tf.raw_ops.TensorListScatterIntoExistingList(input_handle=spread, tensor=some,
                                                        indices=[1, 3])
    pieces = tf.raw_ops.TensorListSplit(tensor=stack(tf, into, [2]), element_shape=[-1, 2],
                                        lengths=[1, 3])
    y, _ = tf.raw_ops.TensorListConcatV2(input_handle=pieces, element_shape=[-1, 2],
                                         leading_dims=[], element_dtype=tf.float32)
    return [([y] + tf.gradients(tf.raw_ops.Tanh(x=y), x), {"x": np.arange(8.0).reshape(4, 2)})]


@program
def list_gradient_in_loop(tf):
    x = place(tf, "x", [2])
    step = lambda i, s, l: (i + 1, tf.raw_ops.Tanh(x=s), push(tf, l, s * x))
    _, _, l = tf.while_loop(lambda i, s, l: i < 3, step, (0, x, no_elements(tf, [2])))
    y = stack(tf, l, [2])
    return [([y] + tf.gradients(y, x), {"x": [0.5, 1.0]})]


# --- others ------------------------------------------------------------------------------------

@program
def import_into_branch_and_loop(tf):
    with tf.Graph().as_default() as other:
        a = place(tf, "a")
        b = tf.constant(2.0, name="b")
        tf.raw_ops.AddV2(x=a, y=b, name="sum")
    definition = other.as_graph_def()
    x = place(tf, "x")

    def imported(value):
        return tf.import_graph_def(definition, {"a:0": value}, ["sum:0"])[0]

    r = tf.cond(x > 0.0, lambda: imported(x), lambda: x)
    _, s = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, imported(s) * imported(x)), (0, x))
    g = tf.gradients([r, s], x)
    return [([r, s] + g, {"x": v}) for v in (1.0, -1.0)]


@program
def tuple_and_group(tf):
    x, y = place(tf, "x"), place(tf, "y")
    a, b = tf.tuple([x * 2.0, y + 1.0])
    done = tf.group(a, b.op, name="done")
    with tf.control_dependencies([done]):
        c = tf.identity(a, name="c")
    return [([a, b, c], {"x": 1.0, "y": 2.0})]


@program
def slices_of_tensors(tf):
    x = place(tf, "x", [3, 4])
    i = place(tf, "i", dtype=tf.int32)
    return [([x[0], x[1:, ::2], x[..., -1], x[i, 1:3], x[:, tf.newaxis, 2], x[-1:]],
             {"x": np.arange(12.0).reshape(3, 4), "i": 2})]
