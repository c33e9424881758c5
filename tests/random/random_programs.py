"""Small programs whose random numbers must be TensorFlow's.

Each takes the module `tf` (TensorFlow or Rill), builds its graph and returns the steps to run: lists of tensors
or operations, in order, in one session.
"""
import math

PROGRAMS = {}
# Programs whose nodes are not compared, only their values, and why.
VALUES_ONLY = {
    "stateless": "2.15 makes key and counter with an op of their own",
    "stateless_classes_and_integers": "2.15 makes key and counter with an op of their own",
}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def uniform(tf):
    tf.set_random_seed(1234)
    x = tf.random_uniform([7])
    return [[x], [x]]


@program
def uniform_in_a_range(tf):
    tf.set_random_seed(1234)
    with tf.name_scope("layer"):
        x = tf.random_uniform((3, 5), -2.5, 4.0, name="noise")
        y = tf.random.uniform([2, 2], 10, 20, dtype=tf.float64)
    return [[x, y], [y], [x]]


@program
def integers(tf):
    tf.set_random_seed(99)
    x = tf.random_uniform([11], 0, 6, dtype=tf.int32)
    y = tf.random_uniform([3, 2], minval=-(1 << 40), maxval=1 << 40, dtype=tf.int64)
    z = tf.random_uniform([], maxval=100, dtype=tf.int32, name="one")
    return [[x, y, z], [x, y, z]]


@program
def normal(tf):
    tf.set_random_seed(0)
    x = tf.random_normal([2, 3, 5])
    return [[x], [x], [x]]


@program
def normal_of_tensors(tf):
    tf.set_random_seed(7)
    mean = tf.constant([1.0, 10.0, 100.0], tf.float64)
    x = tf.random_normal([4, 3], mean, 0.5, tf.float64)
    y = tf.random.normal([5], dtype=tf.float16, name="half")
    return [[x, y], [x, y]]


@program
def truncated(tf):
    tf.set_random_seed(42)
    x = tf.truncated_normal([33], stddev=0.1)
    y = tf.random.truncated_normal([9], 5.0, 2.0, tf.float64)
    return [[x, y], [x, y]]


@program
def shuffled_rows(tf):
    tf.set_random_seed(3)
    x = tf.random_shuffle(tf.constant([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]))
    y = tf.random.shuffle(["a", "b", "c", "d"])
    return [[x, y], [x, y], [y]]


@program
def drawn_classes(tf):
    tf.set_random_seed(8)
    logits = tf.constant([[0.1, 2.0, -1.0], [5.0, 5.0, 5.0]])
    x = tf.multinomial(logits, 9)
    y = tf.random.categorical([[1.0, 2.0]], 5, dtype=tf.int32)
    return [[x, y], [x, y]]


@program
def gamma(tf):
    tf.set_random_seed(21)
    x = tf.random_gamma([5], [0.5, 1.0, 3.0], beta=[[2.0], [0.25]])
    y = tf.random.gamma([3], 7.5, dtype=tf.float64)
    return [[x, y], [x, y]]


@program
def poisson(tf):
    tf.set_random_seed(22)
    x = tf.random_poisson([0.5, 4.0, 40.0], [6])
    y = tf.random.poisson(12.0, [2, 3], dtype=tf.int32)
    return [[x, y], [x, y]]


@program
def op_seeds_alone(tf):
    x = tf.random_uniform([4], seed=1)
    y = tf.random_normal([4], seed=1)
    z = tf.truncated_normal([4], seed=2)
    return [[x, y, z], [x, y, z]]


@program
def both_seeds(tf):
    tf.set_random_seed(5)
    x = tf.random_uniform([4], seed=1)
    tf.constant(3)
    y = tf.random_uniform([4], seed=1)
    z = tf.random_uniform([4])
    return [[x, y, z]]


@program
def zero_seeds(tf):
    tf.set_random_seed(0)
    return [[tf.random_normal([3], seed=0)]]


@program
def seeds_out_of_range(tf):
    tf.set_random_seed(-1)
    x = tf.random_uniform([3])
    tf.set_random_seed((1 << 31) + 5)
    return [[x, tf.random_uniform([3], seed=-7), tf.random_uniform([3], seed=1 << 40)]]


@program
def seed_changes_in_between(tf):
    tf.set_random_seed(1)
    x = tf.random_uniform([3])
    tf.set_random_seed(2)
    y = tf.random_uniform([3])
    tf.set_random_seed(None)
    z = tf.random_uniform([3], seed=3)
    return [[x, y, z]]


@program
def streams_go_on_across_signatures(tf):
    tf.set_random_seed(17)
    x, y = tf.random_uniform([5]), tf.random_normal([5])
    z = x + y
    return [[x], [x, y], [z], [y], [z, x]]


@program
def dropout_by_hand(tf):
    tf.set_random_seed(31)
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    keep = 0.75
    mask = tf.raw_ops.Floor(x=tf.random_uniform([2, 3], seed=11) + keep)
    return [[x / keep * mask]] * 3


@program
def initial_weights(tf):
    tf.set_random_seed(2019)
    w1 = tf.truncated_normal([4, 8], stddev=1.0 / math.sqrt(4), name="w1")
    limit = math.sqrt(6.0 / (8 + 2))
    w2 = tf.random_uniform([8, 2], -limit, limit, name="w2")
    x = tf.random_normal([3, 4], name="x")
    return [[w1, w2], [x, w1]]


@program
def shape_of_tensors(tf):
    tf.set_random_seed(6)
    rows = tf.constant(3)
    x = tf.random_uniform([rows, 2])
    y = tf.random_normal(tf.constant([2, 2], tf.int64))
    return [[x, y]]


@program
def cut_normals(tf):
    x = tf.raw_ops.ParameterizedTruncatedNormal(
        shape=[3, 7], means=[0.0, 5.0, -2.0], stdevs=[1.0, 2.0, 0.5], minvals=[-1.0, 5.5, 0.0],
        maxvals=[1.0, 6.0, 9.0], seed=1, seed2=2)
    return [[x], [x]]


@program
def stateless(tf):
    seed = [12, 34]
    return [[tf.random.stateless_uniform([5], seed), tf.random.stateless_normal([5], seed, 1.0, 3.0),
             tf.random.stateless_truncated_normal([9], seed, dtype=tf.float64),
             tf.random.stateless_uniform([3], tf.constant([-1, 1 << 40], tf.int64), 2.0, 3.0)]]


@program
def stateless_classes_and_integers(tf):
    seed = tf.constant([56, 78])
    logits = [[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]
    return [[tf.random.stateless_uniform([6], seed, -9, 9, tf.int32),
             tf.random.stateless_categorical(logits, 7, seed),
             tf.random.stateless_multinomial(logits, 3, seed, tf.int32)]]


def generator(tf, state):
    """A handle of a generator's state and the op that sets it."""
    handle = tf.raw_ops.VarHandleOp(dtype=tf.int64, shape=[3], shared_name="state")
    start = tf.constant(state, tf.int64)
    return handle, tf.raw_ops.AssignVariableOp(resource=handle, value=start)


@program
def generator_state(tf):
    handle, start = generator(tf, [1, 2, 3])
    philox = tf.constant(1, tf.int64)
    x = tf.raw_ops.StatefulUniform(resource=handle, algorithm=philox, shape=[5])
    y = tf.raw_ops.StatefulStandardNormalV2(resource=handle, algorithm=philox, shape=[3])
    state = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int64)
    return [[start], [x], [state], [y], [x], [state]]


@program
def binomial(tf):
    handle, start = generator(tf, [3, 4, 5])
    philox = tf.constant(1, tf.int64)
    # TensorFlow forgets to move the state on while it shares memory with its first value; a skip
    # gives it memory of its own.
    skip = tf.raw_ops.RngSkip(resource=handle, algorithm=philox, delta=tf.constant(2, tf.int64))
    state = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int64)

    def draw(shape, counts, probs, dtype, parameters=tf.float64):
        return tf.raw_ops.StatefulRandomBinomial(
            resource=handle, algorithm=philox, shape=shape, counts=tf.constant(counts, parameters),
            probs=tf.constant(probs, parameters), dtype=dtype)

    probs = [0.01, 0.3, 0.5, 0.75, 0.99]
    steps = [[start], [skip]]
    for dtype, parameters in ((tf.int64, tf.float64), (tf.int32, tf.float32),
                              (tf.float32, tf.float32), (tf.float16, tf.float16),
                              (tf.float64, tf.float64)):
        x = draw([2, 4, 5], [[1], [20], [100], [1000]], probs, dtype, parameters)
        steps += [[x], [state], [x], [state]]
    odd = draw([2, 4], [0.0, -3.0, 7.0, 7.0], [0.5, 0.5, -0.5, 1.5], tf.float64)
    return steps + [[odd], [state]]
