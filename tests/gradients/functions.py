"""Small functions whose gradients must be the graphs that TensorFlow's are.

Each takes the module `tf` (TensorFlow or Rill), builds its graph and returns ys and xs.
Placeholders are fed from FEEDS by name; sizes that are not known keep TensorFlow 2 from taking shortcuts that
TensorFlow 1 had not.
"""
import numpy as np

FEEDS = {
    "x": np.array([[0.5, -1.5, 2.0], [1.25, 0.75, -0.25]], np.float32),
    "y": np.array([[2.0, 0.5, -1.0], [-0.75, 1.5, 0.25]], np.float32),
    "row": np.array([1.0, -2.0, 0.5], np.float32),
    "w": np.array([[1.0, 2.0], [-1.0, 0.5], [0.25, 3.0]], np.float32),
    "p": np.array([[0.5, 1.5, 2.0], [1.25, 0.75, 0.25]], np.float32),
    "u": np.array([[0.5, -0.5, 0.2], [0.25, 0.75, -0.25]], np.float32),
    "i": np.array([1, 0, 1], np.int32),
    "axis": np.array([1], np.int32),
    "perm": np.array([1, 0], np.int32),
    "mask": np.array([[True, False, True], [False, True, True]]),
    "labels": np.array([2, 0], np.int32),
}
FUNCTIONS = {}
# Functions whose nodes are not compared, only their values, and why.
VALUES_ONLY = {
    "sum_axis": "2.15 broadcasts where 1.15 tiles",
    "mean_axis": "2.15 broadcasts where 1.15 tiles",
    "mean_all": "2.15 counts along the reduced dimensions",
    "prod_axis": "2.15 broadcasts where 1.15 tiles",
    "max_axis": "2.15 makes the ones of a reduced shape with another function",
    "min_axis": "2.15 makes the ones of a reduced shape with another function",
    "maximum": "2.15 selects with broadcasting",
    "minimum": "2.15 selects with broadcasting",
    "squared_difference": "2.15 negates before it sums",
    "softplus": "2.15 multiplies with a sigmoid",
    "cumprod": "2.15 divides without NaN",
    "strided": "2.15 copies bounds that are constants",
    "gather_columns": "2.15 handles batch dimensions",
    "gather_batches": "batches are joined in another way than TensorFlow's",
    "image_patches": "rows are summed where TensorFlow multiplies with a sparse matrix",
    "partition": "2.15 stitches in parallel",
    "segment_sum": "2.15 broadcasts with an and",
}


def function(f):
    FUNCTIONS[f.__name__] = f
    return f


def place(tf, name):
    value = FEEDS[name]
    return tf.placeholder(tf.as_dtype(value.dtype), [None] * value.ndim, name=name)


def unary(name, op, feed="x"):
    def build(tf):
        x = place(tf, feed)
        return [getattr(tf.raw_ops, op)(x=x)], [x]
    FUNCTIONS[name] = build


for _op, _feed in [("Abs", "x"), ("Acos", "u"), ("Asin", "u"), ("Asinh", "x"), ("Atan", "x"),
                   ("Atanh", "u"), ("Cos", "x"), ("Cosh", "x"), ("Erf", "x"), ("Exp", "x"),
                   ("Expm1", "x"), ("Lgamma", "p"), ("Log", "p"), ("Log1p", "p"), ("Neg", "x"),
                   ("Reciprocal", "p"), ("Rsqrt", "p"), ("Sigmoid", "x"), ("Sign", "x"),
                   ("Sin", "x"), ("Sinh", "x"), ("Sqrt", "p"), ("Square", "x"), ("Tan", "u"),
                   ("Tanh", "x"), ("Floor", "x")]:
    unary(_op.lower(), _op, _feed)


def binary(name, op, left, right, names=("x", "y")):
    def build(tf):
        a, b = place(tf, left), place(tf, right)
        return [getattr(tf.raw_ops, op)(**{names[0]: a, names[1]: b})], [a, b]
    FUNCTIONS[name] = build


binary("add", "AddV2", "x", "row")
binary("sub", "Sub", "x", "row")
binary("mul", "Mul", "x", "row")
binary("div", "RealDiv", "x", "p")
binary("pow", "Pow", "p", "row")
binary("maximum", "Maximum", "x", "row")
binary("minimum", "Minimum", "x", "row")
binary("squared_difference", "SquaredDifference", "x", "row")
binary("atan2", "Atan2", "x", "p", ("y", "x"))
binary("xlogy", "Xlogy", "x", "p")
binary("floormod", "FloorMod", "x", "p")
binary("matmul", "MatMul", "x", "w", ("a", "b"))
binary("bias_add", "BiasAdd", "x", "row", ("value", "bias"))


@function
def cross_entropy(tf):
    x, p = place(tf, "x"), place(tf, "p")
    return [tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=p)[0]], [x, p]


def reduction(name, op, feed, axis):
    def build(tf):
        x = place(tf, feed)
        chosen = place(tf, "axis") if axis is None else axis
        return [getattr(tf.raw_ops, op)(input=x, axis=chosen)], [x]
    FUNCTIONS[name] = build


reduction("sum_all", "Sum", "x", [0, 1])
for _op in "Sum", "Mean", "Prod", "Max", "Min":
    reduction(_op.lower() + "_axis", _op, "p", None)
reduction("mean_all", "Mean", "x", [0, 1])


@function
def matmul_transposed(tf):
    x, y = place(tf, "x"), place(tf, "y")
    return [tf.raw_ops.MatMul(a=x, b=y, transpose_b=True)], [x, y]


@function
def sparse_cross_entropy(tf):
    x, labels = place(tf, "x"), place(tf, "labels")
    return [tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=labels)[0]], [x]


@function
def softmax(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Softmax(logits=x)], [x]


@function
def log_softmax(tf):
    x = place(tf, "x")
    return [tf.raw_ops.LogSoftmax(logits=x)], [x]


@function
def relu(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Relu(features=x)], [x]


@function
def elu(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Elu(features=x)], [x]


@function
def softplus(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Softplus(features=x)], [x]


@function
def l2_loss(tf):
    x = place(tf, "x")
    return [tf.raw_ops.L2Loss(t=x)], [x]


@function
def select(tf):
    x, y, mask = place(tf, "x"), place(tf, "y"), place(tf, "mask")
    return [tf.raw_ops.Select(condition=mask, x=x, y=y)], [x, y]


@function
def cast(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Cast(x=x, DstT=tf.float64)], [x]


@function
def cumsum(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Cumsum(x=x, axis=1, exclusive=True)], [x]


@function
def cumprod(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Cumprod(x=x, axis=1)], [x]


@function
def joined(tf):
    x, y = place(tf, "x"), place(tf, "y")
    return [tf.raw_ops.ConcatV2(values=[x, y], axis=1)], [x, y]


@function
def packed(tf):
    x, y = place(tf, "x"), place(tf, "y")
    return [tf.raw_ops.Pack(values=[x, y], axis=1)], [x, y]


@function
def unpacked(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Unpack(value=x, num=3, axis=1)[1]], [x]


@function
def sliced(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Slice(input=x, begin=[0, 1], size=[1, 2])], [x]


@function
def strided(tf):
    x = place(tf, "x")
    return [tf.raw_ops.StridedSlice(input=x, begin=place(tf, "perm"), end=[2, 3],
                                    strides=[1, 1])], [x]


@function
def reshaped(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Reshape(tensor=x, shape=[-1])], [x]


@function
def transposed(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Transpose(x=x, perm=place(tf, "perm"))], [x]


@function
def tiled(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Tile(input=x, multiples=[2, 3])], [x]


@function
def padded(tf):
    x = place(tf, "x")
    return [tf.raw_ops.Pad(input=x, paddings=[[1, 0], [0, 2]])], [x]


@function
def gather_rows(tf):
    x = place(tf, "x")
    return [tf.raw_ops.GatherV2(params=x, indices=place(tf, "i"), axis=0)], [x]


@function
def gather_rows_twice(tf):
    x, i = place(tf, "x"), place(tf, "i")
    first = tf.raw_ops.GatherV2(params=x, indices=i, axis=0)
    second = tf.raw_ops.GatherV2(params=x, indices=i, axis=0)
    return [first, second], [x]


@function
def gather_rows_and_dense(tf):
    x = place(tf, "x")
    rows = tf.raw_ops.GatherV2(params=x, indices=place(tf, "i"), axis=0)
    return [rows, tf.raw_ops.Neg(x=x)], [x]


@function
def gather_columns(tf):
    x = place(tf, "x")
    return [tf.raw_ops.GatherV2(params=x, indices=place(tf, "i"), axis=1)], [x]


@function
def gather_batches(tf):
    x, y = place(tf, "x"), place(tf, "y")
    places = tf.constant([[2, 0], [1, 1]])
    rows = tf.raw_ops.GatherV2(params=x, indices=places, axis=1, batch_dims=1)
    deep = tf.raw_ops.Reshape(tensor=y, shape=[2, 1, 3])
    columns = tf.raw_ops.GatherV2(params=deep, indices=places, axis=2, batch_dims=1)
    return [rows, tf.raw_ops.Square(x=columns)], [x, y]


@function
def image_patches(tf):
    x = place(tf, "x")
    image = tf.raw_ops.Reshape(tensor=x, shape=[1, 2, 3, 1])
    patches = tf.raw_ops.ExtractImagePatches(images=image, ksizes=[1, 2, 2, 1],
                                             strides=[1, 1, 2, 1], rates=[1, 1, 1, 1],
                                             padding="SAME")
    return [tf.raw_ops.Square(x=patches)], [x]


@function
def partition(tf):
    x = place(tf, "x")
    parts = tf.raw_ops.DynamicPartition(data=x, partitions=place(tf, "perm"), num_partitions=2)
    return [parts[0]], [x]


@function
def segment_sum(tf):
    x = place(tf, "x")
    return [tf.raw_ops.UnsortedSegmentSum(data=x, segment_ids=place(tf, "perm"),
                                          num_segments=3)], [x]


@function
def used_three_times(tf):
    x = place(tf, "x")
    return [tf.raw_ops.AddN(inputs=[tf.raw_ops.Neg(x=x), tf.raw_ops.Exp(x=x),
                                    tf.raw_ops.Square(x=x)])], [x]


@function
def two_layers(tf):
    x, w, row = place(tf, "x"), place(tf, "w"), place(tf, "y")
    hidden = tf.raw_ops.Tanh(x=tf.raw_ops.MatMul(a=x, b=w))
    back = tf.raw_ops.MatMul(a=hidden, b=w, transpose_b=True)
    return [tf.raw_ops.Square(x=tf.raw_ops.Sub(x=back, y=row))], [x, w]


@function
def second_order(tf):
    x = place(tf, "x")
    first = tf.gradients([tf.raw_ops.Sigmoid(x=x)], [x], name="first")[0]
    return [first], [x]


@function
def gamma_samples(tf):
    p = place(tf, "p")
    return [tf.raw_ops.RandomGamma(shape=[4, 2], alpha=p, seed=1, seed2=2)], [p]
