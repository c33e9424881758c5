"""The graphs of function_graphs.py: each function builds one and returns its steps."""
import functools
from unittest import mock

import numpy as np
import tensorflow.compat.v1 as tf
from google.protobuf import text_format
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops
from tensorflow.python.ops import gen_functional_ops as calls

from control_graphs import Step

CASES = {}
Defun = function.Defun


def case(build):
    CASES[build.__name__] = build
    return build


def v2_case(build):
    """Built with functional control flow: tf.cond makes If, tf.while_loop makes While."""
    @functools.wraps(build)
    def wrapped():
        tf.enable_control_flow_v2()
        tf.enable_resource_variables()
        try:
            return build()
        finally:
            tf.disable_control_flow_v2()
            tf.disable_resource_variables()
    return case(wrapped)


def feed(dtype=tf.float32, shape=()):
    return tf.placeholder(dtype, shape)


def from_text(text, inputs, returned):
    """Imports a graph with functions that is written as text."""
    graph_def = tf.GraphDef()
    text_format.Parse(text, graph_def)
    graph_def.versions.producer = tf.get_default_graph().graph_def_versions.producer
    graph_def.versions.min_consumer = 12
    # Python's own list of functions knows no attributes; the graph itself does, and it runs them.
    with mock.patch.object(function, "from_library", lambda library: []):
        return tf.import_graph_def(graph_def, inputs, returned, name="")


def library(*functions):
    return "library { " + " ".join(functions) + " }\n"


# --- Direct calls --------------------------------------------------------------------------------

@case
def defun_adds():
    @Defun(tf.float32, tf.float32)
    def plus(x, y):
        return x + y
    a, b = feed(), feed()
    return Step(plus(a, b), {a: 1.5, b: 2})


@case
def defun_several_results():
    @Defun(tf.float32, tf.int32)
    def both(x, n):
        return x * 2.0, n + 1, x, n, tf.constant("done")
    x, n = feed(shape=[2]), feed(tf.int32)
    return Step(list(both(x, n)), {x: [1, 2], n: 4})


@case
def defun_no_arguments():
    @Defun()
    def constant():
        return tf.constant([1, 2, 3])
    return Step(constant() + constant())


@case
def defun_returns_twice():
    @Defun(tf.float32)
    def twice(x):
        y = tf.square(x)
        return y, y, x, x
    x = feed(shape=[3])
    return Step(list(twice(x)), {x: [1, 2, 3]})


@case
def defun_unused_argument():
    @Defun(tf.float32, tf.float32)
    def first(x, unused):
        return x - 1.0
    a, b = feed(), feed()
    return Step(first(a, b), {a: 1, b: 2})


@case
def defun_nested():
    @Defun(tf.float32)
    def square(x):
        return x * x
    @Defun(tf.float32)
    def fourth(x):
        return square(square(x))
    @Defun(tf.float32)
    def polynomial(x):
        return fourth(x) + square(x) + x
    x = feed(shape=[2])
    return Step([polynomial(x), fourth(polynomial(x))], {x: [0.5, -1.0]})


@case
def defun_not_inlined():
    @Defun(tf.float32, noinline=True)
    def kept(x):
        return tf.sqrt(x) * 3.0
    x = feed()
    return Step(kept(kept(x)), {x: 16.0})


@case
def defun_captures():
    a, b = feed(), feed(shape=[2])
    outside = a * 2.0
    @Defun(tf.float32)
    def captures(x):
        return x + outside * tf.reduce_sum(b)
    x = feed()
    return Step([captures(x), captures(x + 1.0)], {a: 3, b: [1, 2], x: 0.5})


@case
def defun_by_names():
    @Defun(tf.float32, tf.float32, func_name="Subtract", out_names=["difference"])
    def subtract(x, y):
        return x - y
    a, b = feed(), feed()
    return Step(subtract(a, b, name="here"), {a: 1, b: 4})


@case
def defun_with_a_loop():
    @Defun(tf.int32)
    def factorial(n):
        _, product = tf.while_loop(lambda i, _: i <= n, lambda i, p: (i + 1, p * i), [1, 1])
        return product
    n = feed(tf.int32)
    return [Step(factorial(n), {n: k}) for k in (0, 1, 5)]


@case
def defun_with_branches():
    @Defun(tf.float32)
    def absolute(x):
        return tf.cond(x < 0.0, lambda: -x, lambda: tf.identity(x))
    x = feed()
    return [Step(absolute(x), {x: v}) for v in (-2.0, 3.0)]


@case
def defun_in_a_loop():
    @Defun(tf.float32)
    def halve(x):
        return x / 2.0
    x = feed()
    out = tf.while_loop(lambda i, _: i < 4, lambda i, v: (i + 1, halve(v)), [0, x],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])
    return Step(list(out), {x: 32.0})


@case
def defun_in_a_branch():
    @Defun(tf.float32)
    def constant_and(x):
        return tf.constant(7.0), x + 1.0
    p, x = feed(tf.bool), feed()
    out = tf.cond(p, lambda: list(constant_and(x)), lambda: [x, x])
    return [Step(list(out), {p: v, x: 1.0}) for v in (True, False)]


@case
def defun_orders_effects():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(1.0), use_resource=True)
    @Defun(tf.resource)
    def double_then_read(handle):
        read = lambda: tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
        write = tf.raw_ops.AssignVariableOp(resource=handle, value=read() * 2.0)
        with tf.control_dependencies([write]):
            return read()
    first = double_then_read(v.handle)
    with tf.control_dependencies([first]):
        second = double_then_read(v.handle)
    return [Step(targets=[v.initializer]), Step([first, second]), Step(second)]


@case
def defun_effects_without_results():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(1.0), use_resource=True)
    @Defun(tf.resource, tf.float32)
    def add(handle, x):
        tf.raw_ops.AssignAddVariableOp(resource=handle, value=x)
        return x * 10.0
    call = add(v.handle, tf.constant(2.0))
    with tf.control_dependencies([call]):
        after = v.read_value()
    return [Step(targets=[v.initializer]), Step([call, after]), Step(after)]


@case
def defun_error_names_the_node():
    @Defun(tf.float32)
    def checked(x):
        with tf.control_dependencies([tf.Assert(x > 0.0, ["not positive:", x], name="sign")]):
            return tf.identity(x)
    x = feed()
    return [Step(checked(x), {x: 1.0}), Step(checked(x), {x: -1.0}, error="not positive:")]


@case
def defun_of_strings():
    @Defun(tf.string, tf.string)
    def swap(a, b):
        return b, a
    a, b = feed(tf.string), feed(tf.string, [2])
    return Step(list(swap(a, b)), {a: "x", b: ["y", "z"]})


# --- Polymorphic functions -------------------------------------------------------------------------

SCALE = """
function {
  signature { name: "Scale" input_arg { name: "x" type_attr: "T" } input_arg { name: "y" type_attr: "T" }
              output_arg { name: "z" type_attr: "T" } attr { name: "T" type: "type" } }
  node_def { name: "product" op: "Mul" input: "x" input: "y" attr { key: "T" value { placeholder: "T" } } }
  node_def { name: "sum" op: "AddV2" input: "product:z:0" input: "x" attr { key: "T" value { placeholder: "T" } } }
  ret { key: "z" value: "sum:z:0" } }
"""


@case
def polymorphic_types():
    text = library(SCALE) + """
    node { name: "f" op: "Scale" input: "a" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "i" op: "Scale" input: "b" input: "b" attr { key: "T" value { type: DT_INT64 } } }
    """
    a, b = feed(shape=[2]), feed(tf.int64)
    out = from_text(text, {"a": a, "b": b}, ["f:0", "i:0"])
    return Step(out, {a: [1, 2], b: 7})


@case
def polymorphic_partitioned_call():
    text = library(SCALE) + """
    node { name: "f" op: "PartitionedCall" input: "a" input: "a"
           attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } }
           attr { key: "Tout" value { list { type: DT_FLOAT } } }
           attr { key: "f" value { func { name: "Scale" attr { key: "T" value { type: DT_FLOAT } } } } } }
    """
    a = feed(shape=[2])
    out = from_text(text, {"a": a}, ["f:0"])
    return Step(out, {a: [3, -2]})


@case
def polymorphic_lists():
    text = """
    library { function {
      signature { name: "SumAndFirst" input_arg { name: "xs" type_attr: "T" number_attr: "N" }
                  output_arg { name: "sum" type_attr: "T" } output_arg { name: "xs_out" type_attr: "T" number_attr: "N" }
                  attr { name: "T" type: "type" } attr { name: "N" type: "int" has_minimum: true minimum: 1 } }
      node_def { name: "add" op: "AddN" input: "xs"
                 attr { key: "T" value { placeholder: "T" } } attr { key: "N" value { placeholder: "N" } } }
      node_def { name: "same" op: "IdentityN" input: "xs:2" input: "xs:1" input: "xs:0"
                 attr { key: "T" value { list { type: [DT_FLOAT, DT_FLOAT, DT_FLOAT] } } } }
      ret { key: "sum" value: "add:sum:0" } ret { key: "xs_out" value: "same:output" } } }
    node { name: "f" op: "SumAndFirst" input: "a" input: "b" input: "c"
           attr { key: "T" value { type: DT_FLOAT } } attr { key: "N" value { i: 3 } } }
    """
    a, b, c = feed(), feed(), feed()
    out = from_text(text, {"a": a, "b": b, "c": c}, [f"f:{i}" for i in range(4)])
    return Step(out, {a: 1, b: 2, c: 4})


@case
def functions_as_attributes():
    twice = """
    function {
      signature { name: "Twice" input_arg { name: "x" type_attr: "T" } output_arg { name: "y" type_attr: "T" }
                  attr { name: "T" type: "type" } attr { name: "F" type: "func" } }
      node_def { name: "once" op: "PartitionedCall" input: "x" input: "x"
                 attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } }
                 attr { key: "Tout" value { list { type: DT_FLOAT } } }
                 attr { key: "f" value { placeholder: "F" } } }
      node_def { name: "again" op: "PartitionedCall" input: "once:output:0" input: "x"
                 attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } }
                 attr { key: "Tout" value { list { type: DT_FLOAT } } }
                 attr { key: "f" value { placeholder: "F" } } }
      ret { key: "y" value: "again:output:0" } }
    """
    text = library(SCALE, twice) + """
    node { name: "f" op: "Twice" input: "a" attr { key: "T" value { type: DT_FLOAT } }
           attr { key: "F" value { func { name: "Scale" attr { key: "T" value { type: DT_FLOAT } } } } } }
    """
    a = feed()
    out = from_text(text, {"a": a}, ["f:0"])
    return Step(out, {a: 3})


# --- Recursion -----------------------------------------------------------------------------------

def unary(name, to_type, nodes, returned):
    return f"""function {{
      signature {{ name: "{name}" input_arg {{ name: "n" type: DT_INT32 }}
                  output_arg {{ name: "out" type: {to_type} }} }}
      {nodes} ret {{ key: "out" value: "{returned}" }} }}"""


def number(name, value):
    return f"""node_def {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
      attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{ }} int_val: {value} }} }} }} }}"""


def binary(name, op, x, y):
    return f"""node_def {{ name: "{name}" op: "{op}" input: "{x}" input: "{y}"
      attr {{ key: "T" value {{ type: DT_INT32 }} }} }}"""


def choice(test, to_type, then, otherwise):
    return f"""node_def {{ name: "choice" op: "If" input: "{test}" input: "n"
      attr {{ key: "Tcond" value {{ type: DT_BOOL }} }}
      attr {{ key: "Tin" value {{ list {{ type: DT_INT32 }} }} }}
      attr {{ key: "Tout" value {{ list {{ type: {to_type} }} }} }}
      attr {{ key: "then_branch" value {{ func {{ name: "{then}" }} }} }}
      attr {{ key: "else_branch" value {{ func {{ name: "{otherwise}" }} }} }} }}"""


def call(name, op, x):
    return f'node_def {{ name: "{name}" op: "{op}" input: "{x}" }}'


@case
def recursion():
    text = library(
        unary("Same", "DT_INT32", "", "n"),
        unary("Both", "DT_INT32",
              number("one", 1) + number("two", 2) + binary("a", "Sub", "n", "one:output:0")
              + binary("b", "Sub", "n", "two:output:0") + call("fa", "Fib", "a:z:0")
              + call("fb", "Fib", "b:z:0") + binary("sum", "AddV2", "fa:out:0", "fb:out:0"),
              "sum:z:0"),
        unary("Fib", "DT_INT32",
              number("two", 2) + binary("small", "Less", "n", "two:output:0")
              + choice("small:z:0", "DT_INT32", "Same", "Both"), "choice:output:0"),
    ) + 'node { name: "f" op: "Fib" input: "n" }'
    n = feed(tf.int32)
    out = from_text(text, {"n": n}, ["f:0"])
    return [Step(out, {n: k}) for k in (0, 1, 2, 10)]


@case
def mutual_recursion():
    def asks(other):
        return number("one", 1) + binary("less", "Sub", "n", "one:output:0") + call(
            "ask", other, "less:z:0")
    def parity(otherwise, then):
        return number("zero", 0) + binary("done", "Equal", "n", "zero:output:0") + choice(
            "done:z:0", "DT_BOOL", then, otherwise)
    text = library(
        unary("Yes", "DT_BOOL", binary("same", "Equal", "n", "n"), "same:z:0"),
        unary("No", "DT_BOOL", binary("same", "NotEqual", "n", "n"), "same:z:0"),
        unary("AskOdd", "DT_BOOL", asks("IsOdd"), "ask:out:0"),
        unary("AskEven", "DT_BOOL", asks("IsEven"), "ask:out:0"),
        unary("IsEven", "DT_BOOL", parity("AskOdd", "Yes"), "choice:output:0"),
        unary("IsOdd", "DT_BOOL", parity("AskEven", "No"), "choice:output:0"),
    ) + 'node { name: "even" op: "IsEven" input: "n" } node { name: "odd" op: "IsOdd" input: "n" }'
    n = feed(tf.int32)
    out = from_text(text, {"n": n}, ["even:0", "odd:0"])
    return [Step(out, {n: k}) for k in (0, 1, 7, 20)]


# --- Functional control flow -----------------------------------------------------------------------

@case
def if_of_many_kinds_of_conditions():
    @Defun(tf.float32)
    def plus(x):
        return x + 1.0
    @Defun(tf.float32)
    def minus(x):
        return x - 1.0
    x = feed()
    conditions = [feed(t, None) for t in (tf.bool, tf.int32, tf.float32, tf.string)]
    outs = [functional_ops.If(c, [x], plus, minus)[0] for c in conditions]
    truths = dict(zip(conditions, (True, 2, 0.5, "yes")))
    falsehoods = dict(zip(conditions, (False, 0, 0.0, "")))
    arrays = dict(zip(conditions, ([False], np.zeros([0], np.int32), [0.0], ["a", ""])))
    return [Step(outs, {x: 1.0, **f}) for f in (truths, falsehoods, arrays)]


@case
def while_functional():
    @Defun(tf.int32, tf.float32)
    def test(i, x):
        return i < 10
    @Defun(tf.int32, tf.float32)
    def body(i, x):
        return i + 1, x * 1.5 + tf.cast(i, tf.float32)
    i, x = feed(tf.int32), feed(shape=[2])
    out = functional_ops.While([i, x], test, body)
    return [Step(list(out), {i: k, x: [1, 2]}) for k in (0, 9, 10, 11)]


@case
def while_changes_shapes():
    @Defun(tf.int32, tf.float32)
    def test(i, x):
        return i < 3
    @Defun(tf.int32, tf.float32)
    def body(i, x):
        return i + 1, tf.concat([x, x], 0)
    x = feed(shape=[None])
    return Step(list(functional_ops.While([tf.constant(0), x], test, body)), {x: [1, 2]})


@case
def for_functional():
    @Defun(tf.int32, tf.float32)
    def body(i, x):
        return x * 2.0 + tf.cast(i, tf.float32)
    start, limit, delta, x = feed(tf.int32), feed(tf.int32), feed(tf.int32), feed()
    out = calls._for(start, limit, delta, [x], body)
    steps = [Step(list(out), {start: a, limit: b, delta: c, x: 1.0})
             for a, b, c in ((0, 3, 1), (5, 0, -2), (2, 2, 1), (2, 2, 0), (-3, 3, 4))]
    return steps + [Step(list(out), {start: 0, limit: 3, delta: -1, x: 1.0},
                         error="Invalid start/limit/delta")]


@case
def case_functional():
    def times(factor):
        @Defun(tf.float32, func_name=f"times_{factor}")
        def branch(x):
            return x * float(factor)
        return branch
    branches = [times(1), times(2), times(3)]
    index, x = feed(tf.int32), feed()
    for branch in branches:
        branch.add_to_graph(tf.get_default_graph())
    out = calls.case(index, [x], [tf.float32], branches)
    return [Step(list(out), {index: i, x: 2.0}) for i in (-1, 0, 1, 2, 3)]


@case
def remote_call_local():
    @Defun(tf.float32)
    def triple(x):
        return x * 3.0
    x = feed()
    target = tf.constant("/job:localhost/replica:0/task:0/device:CPU:0")
    return Step(list(functional_ops.remote_call(args=[x], Tout=[tf.float32], f=triple,
                                                target=target)), {x: 2.0})


@v2_case
def cond_v2():
    x, y = feed(), feed()
    z = tf.cond(x < y, lambda: x + y, lambda: x * y)
    return [Step(z, {x: a, y: b}) for a, b in ((1, 2), (3, 2))]


@v2_case
def cond_v2_nested():
    x = feed(tf.int32)
    y = tf.cond(x < 10, lambda: tf.cond(x < 5, lambda: x * 2, lambda: x * 3), lambda: x)
    return [Step(y, {x: v}) for v in (3, 7, 12)]


@v2_case
def cond_v2_assigns():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
    p = feed(tf.bool)
    def assign():
        with tf.control_dependencies([v.assign_add(10.0)]):
            return v.read_value()
    y = tf.cond(p, assign, lambda: v.read_value() * 100.0)
    return [Step(targets=[v.initializer]), Step(y, {p: False}), Step(y, {p: True}),
            Step(y, {p: False})]


@v2_case
def while_v2():
    n, x = feed(tf.int32), feed(shape=[2])
    out = tf.while_loop(lambda i, _: i < n, lambda i, v: (i + 1, v * x), [0, tf.ones([2])])
    return [Step(list(out), {n: k, x: [2, 3]}) for k in (0, 1, 5)]


@v2_case
def while_v2_gradient():
    """TensorFlow keeps what the backward loop needs in lists."""
    x, n = feed(), feed(tf.int32)
    y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, tf.sin(v) * x), [0, x])[1]
    dx = tf.gradients(y, x)[0]
    return [Step([y, dx], {x: 1.5, n: count}) for count in (0, 1, 6)]


@v2_case
def while_v2_second_gradient():
    x, n = feed(), feed(tf.int32)
    y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v * v * x), [0, x])[1]
    dx = tf.gradients(y, x)[0]
    return [Step([y, dx, *tf.gradients(dx, x)], {x: 1.1, n: count}) for count in (1, 3)]


@v2_case
def while_v2_array():
    """A TensorArray is a list here."""
    x = feed(shape=[4, 2])
    source = tf.TensorArray(tf.float32, 4).unstack(x)
    target = tf.TensorArray(tf.float32, 4)

    def body(i, total, out):
        total += source.read(i) * total
        return i + 1, total, out.write(i, total)

    out = tf.while_loop(lambda i, t, o: i < 4, body, [0, tf.ones([2]), target])[2]
    y = out.stack()
    return Step([y, *tf.gradients(y, x), out.size()],
                {x: np.arange(8, dtype=np.float32).reshape(4, 2) / 8})


@v2_case
def while_v2_nested():
    n = feed(tf.int32)
    def body(i, total):
        inner = tf.while_loop(lambda j, _: j < i, lambda j, t: (j + 1, t + i * j), [0, total])
        return i + 1, inner[1]
    return [Step(list(tf.while_loop(lambda i, _: i < n, body, [0, 0])), {n: k}) for k in (0, 3, 6)]


@v2_case
def while_v2_with_branches():
    n = feed(tf.int32)
    def body(k, steps):
        half = tf.cond(tf.equal(k % 2, 0), lambda: k // 2, lambda: 3 * k + 1)
        return half, steps + 1
    return [Step(list(tf.while_loop(lambda k, _: k > 1, body, [n, 0])), {n: k}) for k in (1, 6, 27)]


@v2_case
def while_v2_counts_in_a_variable():
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(0.0))
    def body(i):
        with tf.control_dependencies([v.assign_add(tf.cast(i, tf.float32))]):
            return i + 1
    loop = tf.while_loop(lambda i: i < 5, body, [0])
    with tf.control_dependencies(tf.nest.flatten(loop)):
        after = v.read_value()
    return [Step(targets=[v.initializer]), Step(after), Step(after)]


@v2_case
def switch_case_v2():
    i, x = feed(tf.int32), feed()
    y = tf.switch_case(i, [lambda: x + 1.0, lambda: x * 2.0, lambda: -x])
    return [Step(y, {i: k, x: 5.0}) for k in (-1, 0, 1, 2, 9)]


# --- tf.function -----------------------------------------------------------------------------------

@v2_case
def tf_function():
    @tf.function
    def f(x, y):
        return tf.matmul(x, y), tf.reduce_sum(x)
    x, y = feed(shape=[2, 2]), feed(shape=[2, 1])
    return Step(list(f(x, y)), {x: [[1, 2], [3, 4]], y: [[5], [6]]})


@v2_case
def tf_function_captures():
    a = feed(shape=[2])
    b = a * 3.0
    @tf.function
    def f(x):
        return x + b
    x = feed()
    return Step([f(x), f(x * 2.0)], {a: [1, 2], x: 10})


@v2_case
def tf_function_with_variables():
    v = tf.get_variable("v", [2], initializer=tf.constant_initializer(1.0))
    @tf.function
    def step(x):
        v.assign_add(x)
        v.assign(v * 2.0)
        return v.read_value() + 1.0
    x = feed(shape=[2])
    return [Step(targets=[v.initializer]), Step(step(x), {x: [1, 2]}), Step(v.read_value())]


@v2_case
def tf_function_nested_with_loop():
    @tf.function
    def inner(n):
        return tf.while_loop(lambda i, _: i < n, lambda i, s: (i + 1, s + i), [0, 0])[1]
    @tf.function
    def outer(n):
        return inner(n) * 2 + tf.cond(n > 3, lambda: inner(n - 1), lambda: 0)
    n = feed(tf.int32)
    return [Step(outer(n), {n: k}) for k in (0, 3, 5)]


@v2_case
def tf_function_gradient():
    @tf.function
    def f(x, y):
        return tf.reduce_sum(tf.square(x) * y)
    x, y = feed(shape=[3]), feed()
    return Step(tf.gradients(f(x, y), [x, y]), {x: [1, 2, 3], y: 0.5})


# --- Gradients ---------------------------------------------------------------------------------------

@case
def symbolic_gradient():
    @Defun(tf.float32, tf.float32)
    def f(x, y):
        return x * tf.exp(y), x + y
    x, y, a, b = feed(), feed(), feed(), feed()
    dx = functional_ops.symbolic_gradient(input=[x, y, a, b], Tout=[tf.float32] * 2, f=f)
    return Step(list(dx), {x: 2, y: 0.5, a: 1, b: 3})


@case
def symbolic_gradient_of_nested_calls():
    @Defun(tf.float32)
    def inner(x):
        return tf.tanh(x)
    @Defun(tf.float32)
    def outer(x):
        return tf.reduce_sum(inner(x) * x)
    x = feed(shape=[3])
    y = outer(x)
    return Step([y, *tf.gradients(y, x)], {x: [0.5, -1, 2]})


@case
def gradient_through_a_capture():
    w = feed(shape=[2, 2])
    @Defun(tf.float32)
    def layer(x):
        return tf.nn.relu(tf.matmul(x, w))
    x = feed(shape=[1, 2])
    y = tf.reduce_sum(layer(layer(x)))
    return Step(tf.gradients(y, [x, w]), {x: [[1, 2]], w: [[1, -1], [0.5, 2]]})


@case
def gradient_function_of_our_own():
    @Defun(tf.float32, tf.float32)
    def cube_gradient(x, dy):
        return dy * 100.0 * x
    @Defun(tf.float32, grad_func=cube_gradient)
    def cube(x):
        return x * x * x
    x = feed()
    y = cube(x)
    return Step([y, *tf.gradients(y, x)], {x: 2})


@case
def gradient_of_unused_and_integers():
    @Defun(tf.float32, tf.int32, tf.float32)
    def f(x, n, unused):
        return x * tf.cast(n, tf.float32), n + 1
    x, n, z = feed(), feed(tf.int32), feed(shape=[2])
    dx = functional_ops.symbolic_gradient(
        input=[x, n, z, tf.constant(1.0), tf.constant(0)],
        Tout=[tf.float32, tf.int32, tf.float32], f=f)
    return Step([dx[0], dx[2]], {x: 2, n: 5, z: [1, 1]})
