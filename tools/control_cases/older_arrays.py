"""TensorArrays and stacks whose handles are strings, from graphs of the time when they were new."""
import tensorflow.compat.v1 as tf

from control_cases.common import CASES, numbers, Step


class OldGraph:
    """A GraphDef that is written node by node, since today's Python no longer makes such nodes."""

    def __init__(self, producer, suffix=""):
        self.graph = tf.GraphDef()
        self.graph.versions.producer = producer
        self.suffix = suffix
        self.count = 0

    def add(self, op, *inputs, **attrs):
        self.count += 1
        node = self.graph.node.add(name=f"n{self.count}", op=op, input=inputs)
        for name, value in attrs.items():
            if isinstance(value, tf.DType):
                node.attr[name].type = value.as_datatype_enum
            elif isinstance(value, bool):
                node.attr[name].b = value
            else:
                node.attr[name].s = value.encode()
        return node.name

    def constant(self, value, dtype=None):
        tensor = tf.make_tensor_proto(value, dtype)
        name = self.add("Const", dtype=tf.as_dtype(tensor.dtype))
        self.graph.node[-1].attr["value"].tensor.CopyFrom(tensor)
        return name

    def array(self, part, *inputs, **attrs):
        return self.add(f"TensorArray{part}{self.suffix}", *inputs, **attrs)

    def new_array(self, size, **attrs):
        return self.array("", self.constant(size), dtype=tf.float32, **attrs)

    def steps(self, *fetches, error=""):
        names = [f if ":" in f else f + ":0" for f in fetches]
        return [Step(tf.import_graph_def(self.graph, return_elements=names, name=""), error=error)]


def case_of_both(build):
    """One graph with the ops that ended with version 26 of GraphDefs, one with those before 16."""
    for suffix, producer in (("V2", 25), ("", 15)):
        CASES[f"older_{build.__name__}{suffix or 'V1'}".lower()] = (
            lambda suffix=suffix, producer=producer: build(OldGraph(producer, suffix)))
    return build


@case_of_both
def array_elements(old):
    array = old.new_array(2, clear_after_read=False)
    flow, x = old.constant(0.0), old.constant(numbers(2))
    twice = old.add("Add", x, x, T=tf.float32)
    zero, one, both = old.constant(0), old.constant(1), old.constant([1, 0])
    flow = old.array("Write", array, zero, x, flow, T=tf.float32)
    flow = old.array("Write", array, one, twice, flow, T=tf.float32)
    return old.steps(old.array("Read", array, one, flow, dtype=tf.float32),
                     old.array("Gather", array, both, flow, dtype=tf.float32),
                     old.array("Size", array, flow))


@case_of_both
def array_rows(old):
    flow, x = old.constant(0.0), old.constant(numbers(2, 2))
    lengths = old.constant([0, 2], tf.int64)
    rows, pieces = old.new_array(0, dynamic_size=True), old.new_array(2)
    scattered = old.array("Scatter", rows, old.constant([1, 0]), x, flow, T=tf.float32)
    split = old.array("Split", pieces, x, lengths, flow, T=tf.float32)
    joined = old.array("Concat", pieces, split, dtype=tf.float32)
    return old.steps(old.array("Read", rows, old.constant(1), scattered, dtype=tf.float32),
                     joined, joined + ":1")


@case_of_both
def array_gradients(old):
    array = old.new_array(2)
    flow, x, zero = old.constant(0.0), old.constant(numbers(2)), old.constant(0)
    flow = old.array("Write", array, zero, x, flow, T=tf.float32)
    gradient = old.array("Grad", array, flow, source="gradients")
    for _ in range(3):
        flow = old.array("Write", gradient, zero, x, flow, T=tf.float32)
    same = old.array("Grad", array, flow, source="gradients")
    return old.steps(old.array("Read", same, zero, flow, dtype=tf.float32))


@case_of_both
def array_gradient_of_gradient(old):
    flow = old.constant(0.0)
    first = old.array("Grad", old.new_array(2), flow, source="a")
    second = old.array("Grad", first, flow, source="b")
    return old.steps(old.array("Size", second, flow),
                     error="Input container should be '_tensor_arrays',  but received")


@case_of_both
def array_read_beyond(old):
    read = old.array("Read", old.new_array(2), old.constant(2), old.constant(0.0), dtype=tf.float32)
    return old.steps(read, error="Tried to read from index 2 but array size is: 2")


@case_of_both
def array_closed(old):
    array = old.new_array(2)
    closed = old.array("Close", array)
    size = old.array("Size", array, old.constant(0.0), "^" + closed)
    return old.steps(size, error="has already been closed")


@case_of_both
def array_write_of_another_type(old):
    flow = old.array("Write", old.new_array(2), old.constant(0), old.constant(7), old.constant(0.0),
                     T=tf.int32)
    return old.steps(flow, error="dtype is float but Op is trying to write dtype int32")


def older(build):
    CASES["older_" + build.__name__] = build
    return build


@older
def array_packed():
    old = OldGraph(15)
    array = old.new_array(3)
    flow = old.add("TensorArrayUnpack", array, old.constant(numbers(3, 2)), old.constant(0.0),
                   T=tf.float32)
    return old.steps(old.add("TensorArrayPack", array, flow, dtype=tf.float32))


@older
def array_unpacked_too_far():
    old = OldGraph(15)
    flow = old.add("TensorArrayUnpack", old.new_array(2), old.constant(numbers(3, 2)),
                   old.constant(0.0), T=tf.float32)
    return old.steps(flow, error="must have first dimension equal to the array size")


@older
def array_handle_of_nothing():
    old = OldGraph(25, "V2")
    size = old.array("Size", old.constant(["_tensor_arrays", "nobody"]), old.constant(0.0))
    return old.steps(size, error="Could not find resource")


@older
def stack_of_values():
    old = OldGraph(100)
    stack = old.add("Stack", elem_type=tf.float32)
    first = old.add("StackPush", stack, old.constant(numbers(2)), T=tf.float32)
    second = old.add("StackPush", stack, old.constant(3.0), "^" + first, T=tf.float32)
    one = old.add("StackPop", stack, "^" + second, elem_type=tf.float32)
    other = old.add("StackPop", stack, "^" + one, elem_type=tf.float32)
    return old.steps(first, second, one, other)


@older
def stack_of_nothing():
    old = OldGraph(100)
    pop = old.add("StackPop", old.add("Stack", elem_type=tf.float32), elem_type=tf.float32)
    return old.steps(pop, error="is empty when calling Pop")


@older
def stack_closed():
    old = OldGraph(100)
    stack = old.add("Stack", elem_type=tf.float32)
    closed = old.add("StackClose", stack)
    push = old.add("StackPush", stack, old.constant(1.0), "^" + closed, T=tf.float32)
    return old.steps(push, error="has already been closed")
