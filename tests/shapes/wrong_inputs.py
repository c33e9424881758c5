"""Inputs of a case changed, one at a time, to what does not go with the others.

Every change builds a graph of its own and tells the class of the error and its message, or that the call
was taken.
"""
from shape_variants import T, V, placeholder, value_shape

FAR = 100  # no axis, size or index of a case


def wrong_shapes(shape):
    """Pairs: what is changed, and the shape then."""
    yield "more", [7, *shape]
    if shape:
        yield "fewer", shape[1:]
    for i in range(len(shape)):
        yield f"dim{i}", [size + (at == i) for at, size in enumerate(shape)]


def wrong_values(value):
    """Pairs: what is changed, and the value then."""
    if not isinstance(value, (list, tuple)):
        yield "vector", [value, value]
        yield "far", FAR
        yield "negative", -FAR
        return
    if not value or isinstance(value[0], (list, tuple)):
        yield "longer", [*value, [0, 0]]
        return
    yield "scalar", value[0]
    yield "longer", [*value, value[0]]
    yield "shorter", value[1:]
    for i in range(len(value)):
        yield f"far{i}", [FAR if at == i else item for at, item in enumerate(value)]
        yield f"negative{i}", [-FAR if at == i else item for at, item in enumerate(value)]


def constant(tf, value, dtype):
    return tf.constant(value, getattr(tf, dtype), value_shape(value))


def make(tf, item):
    return placeholder(tf, item.dtype, item.shape) if isinstance(item, T) else constant(tf, item.value, item.dtype)


def changes(items):
    """Pairs: a name and all inputs."""
    for at, item in enumerate(items):
        changed = ([(name, T(shape, item.dtype)) for name, shape in wrong_shapes(item.shape)] if isinstance(item, T)
                   else [(name, V(value, item.dtype)) for name, value in wrong_values(item.value)])
        for name, wrong in changed:
            yield f"{at}.{name}", [*items[:at], wrong, *items[at + 1:]]


def messages(tf, function, items):
    """Change to "taken", or the class of the error and its message."""
    answers = {}
    for name, inputs in changes(items):
        with tf.Graph().as_default():
            try:
                function(tf, *[make(tf, item) for item in inputs])
                answers[name] = "taken"
            except Exception as error:  # whatever the library raises is its answer
                answers[name] = f"{type(error).__name__}: {error}"
    return answers
