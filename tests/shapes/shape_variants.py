"""What is known of the inputs of a case, dropped piece by piece.

A case is a function of tensors and the inputs it is called with: T is data of some shape, V numbers that
a shape function may ask for. Every variant builds a graph of its own and tells the shapes of the results,
or the class of the error.
"""
import collections
import itertools

T = collections.namedtuple("T", "shape dtype", defaults=["float32"])
V = collections.namedtuple("V", "value dtype", defaults=["int32"])


def placeholder(tf, dtype, shape):
    return tf.placeholder(getattr(tf, dtype), shape)


def folded(tf, value, dtype):
    """The value as the result of ops that are no constants."""
    number = tf.constant(value, getattr(tf, dtype))
    return tf.reduce_max(tf.stack([number, tf.minimum(number, number - 1)]), axis=0)


def with_unknown(tf, value, dtype, at):
    """A vector or matrix of which item (or row) `at` is not known."""
    rank = 0 if not isinstance(value[0], (list, tuple)) else 1
    unknown = placeholder(tf, dtype, [len(value[0])] if rank else [])
    return tf.stack([unknown if i == at else tf.constant(item, getattr(tf, dtype))
                     for i, item in enumerate(value)])


def value_shape(value):
    return [len(value)] + value_shape(value[0]) if isinstance(value, (list, tuple)) and value else (
        [0] if isinstance(value, (list, tuple)) else [])


def makers(item):
    """Pairs: what is dropped, and a function of `tf` that makes the input without it."""
    if isinstance(item, T):
        yield "all", lambda tf: placeholder(tf, item.dtype, item.shape)
        for i in range(len(item.shape)):
            dims = list(item.shape)
            dims[i] = None
            yield f"dim{i}", lambda tf, dims=dims: placeholder(tf, item.dtype, dims)
        if len(item.shape) > 1:
            yield "dims", lambda tf: placeholder(tf, item.dtype, [None] * len(item.shape))
        yield "rank", lambda tf: placeholder(tf, item.dtype, None)
        return
    shape = value_shape(item.value)
    yield "all", lambda tf: tf.constant(item.value, getattr(tf, item.dtype), shape)
    if 0 not in shape:
        yield "folded", lambda tf: folded(tf, item.value, item.dtype)
    yield "value", lambda tf: placeholder(tf, item.dtype, shape)
    yield "rank", lambda tf: placeholder(tf, item.dtype, None)
    if shape and 0 not in shape:
        for i in range(shape[0]):
            yield f"item{i}", lambda tf, i=i: with_unknown(tf, item.value, item.dtype, i)


def variants(items):
    """Pairs: a name and the makers of all inputs. One or two inputs are less than fully known, or all."""
    choices = [list(makers(item)) for item in items]
    whole = {i: choice[0][1] for i, choice in enumerate(choices)}
    yield "all", list(whole.values())
    dropped = [[(f"{i}.{name}", {i: make}) for name, make in choice[1:]] for i, choice in enumerate(choices)]
    for name, made in itertools.chain(*dropped):
        yield name, list({**whole, **made}.values())
    for first, second in itertools.combinations(dropped, 2):
        for (name, made), (other, also) in itertools.product(first, second):
            yield f"{name} {other}", list({**whole, **made, **also}.values())
    if len(items) > 2:
        yield "ranks", [dict(choice)["rank"] for choice in choices]


def shape_text(shape):
    if shape.ndims is None:
        return "?"
    return "[" + ",".join("?" if size is None else str(size) for size in shape.as_list()) + "]"


def flat(result):
    return [part for item in result for part in flat(item)] if isinstance(result, (list, tuple)) else [result]


def record(tf, function, items):
    """Variant to the shapes of the results, "[2,?];[]", or "!" and the class of the error."""
    answers = {}
    for name, inputs in variants(items):
        with tf.Graph().as_default():
            try:
                result = function(tf, *[make(tf) for make in inputs])
                answers[name] = ";".join(shape_text(tensor.shape) for tensor in flat(result))
            except Exception as error:  # whatever the library raises is its answer
                answers[name] = "!" + type(error).__name__
    return answers
