"""The graphs of placement_goldens.py. Each function builds one and says how it is run."""
import tensorflow.compat.v1 as tf

CASES = {}


class Case:
    def __init__(self, fetches, feeds=None, before=()):
        self.fetches = fetches
        self.feeds = feeds or {}
        self.before = list(before)


def case(build):
    CASES[build.__name__] = build
    return build


def constant(name, device=None, value=1.0):
    with tf.device(device):
        return tf.constant(value, name=name)


def negative(x, name, device=None):
    with tf.device(device):
        return tf.negative(x, name=name)


def set_groups(tensor, *names):
    groups = tf.AttrValue.ListValue(s=[f"loc:@{name}".encode() for name in names])
    tensor.op._set_attr("_class", tf.AttrValue(list=groups))
    return tensor


# --- where nodes go ----------------------------------------------------------------------------

@case
def everything_on_the_first_device():
    return Case([negative(constant("a"), "b")])


@case
def asked_for_by_number():
    return Case([negative(constant("a", "/cpu:1"), "b", "/cpu:2")])


@case
def asked_for_in_full():
    return Case([constant("a", "/job:localhost/replica:0/task:0/device:CPU:3")])


@case
def any_number():
    return Case([negative(constant("a", "/device:CPU:*"), "b", "/cpu:3")])


@case
def job_only():
    return Case([constant("a", "/job:localhost")])


@case
def task_and_device():
    return Case([constant("a", "/replica:0/task:0/cpu:2")])


@case
def no_such_gpu():
    return Case([constant("a", "/gpu:0")])


@case
def no_such_cpu():
    return Case([constant("a", "/cpu:7")])


@case
def no_such_job():
    return Case([constant("a", "/job:ps/task:1")])


@case
def no_such_task():
    return Case([constant("a", "/task:1")])


@case
def no_such_type():
    return Case([constant("a", "/device:TPU:0")])


@case
def gpu_beside_cpu():
    return Case([negative(constant("a", "/cpu:1"), "b", "/gpu:1")])


@case
def generator_follows_its_consumer():
    return Case([negative(constant("a"), "b", "/cpu:3")])


@case
def generator_of_many_consumers():
    a = constant("a")
    return Case([negative(a, "b", "/cpu:1"), negative(a, "c", "/cpu:2")])


@case
def generator_of_agreeing_consumers():
    a = constant("a")
    return Case([negative(a, "b", "/cpu:1"), tf.add(negative(a, "c", "/cpu:1"), 2.0, name="d")])


@case
def generator_follows_who_waits():
    a = constant("a")
    b = constant("b", "/cpu:2")
    with tf.control_dependencies([a]):
        c = negative(b, "c", "/cpu:2")
    return Case([c])


@case
def shapes_follow_their_input():
    x = tf.placeholder(tf.float32, name="x")
    y = negative(x, "y", "/cpu:1")
    s = tf.raw_ops.Shape(input=y, name="s")
    return Case([s, tf.raw_ops.Size(input=y, name="z"), tf.raw_ops.Rank(input=y, name="r"),
                 negative(s, "n")], {x: [[1.0, 2.0]]})


@case
def shape_of_a_generator():
    a = constant("a", "/cpu:1", [1.0, 2.0])
    return Case([tf.raw_ops.Shape(input=a, name="s")])


@case
def arithmetic_does_not_follow():
    return Case([negative(negative(constant("a"), "b", "/cpu:1"), "c")])


@case
def random_numbers_stay_where_asked():
    with tf.device("/cpu:2"):
        r = tf.random_uniform([2], seed=7, name="r")
    return Case([tf.raw_ops.Shape(input=r, name="s")])


# --- who goes together -------------------------------------------------------------------------

@case
def group_of_a_node():
    a = constant("a", "/cpu:1")
    return Case([set_groups(constant("b"), "a"), a])


@case
def group_of_a_group():
    constant("a", "/cpu:1")
    set_groups(constant("b"), "a")
    return Case([set_groups(constant("c", "/job:localhost"), "b")])


@case
def group_of_a_node_that_comes_later():
    b = set_groups(constant("b"), "z")
    constant("z", "/cpu:3")
    return Case([b])


@case
def groups_that_contradict():
    constant("a", "/cpu:1")
    constant("b", "/cpu:2")
    return Case([set_groups(constant("d"), "a", "b")])


@case
def groups_of_two_types():
    constant("a", "/gpu:0")
    return Case([set_groups(constant("b", "/cpu:1"), "a")])


@case
def groups_of_two_jobs():
    a = constant("a", "/job:x")
    return Case([a, set_groups(constant("b", "/job:localhost"), "a")])


@case
def variable_and_its_ops():
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v", use_resource=False)
    return Case([tf.assign_add(v, 2.0, name="a")], before=[v.initializer])


@case
def variable_read_elsewhere():
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v", use_resource=False)
    return Case([negative(v._ref(), "n", "/cpu:2")], before=[v.initializer])


@case
def resource_and_its_readers():
    with tf.device("/cpu:1"):
        v = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], name="v")
    init = tf.raw_ops.AssignVariableOp(resource=v, value=3.0, name="init")
    with tf.device("/cpu:2"):
        r = tf.raw_ops.ReadVariableOp(resource=v, dtype=tf.float32, name="r")
    return Case([r], before=[init])


@case
def resource_goes_to_its_reader():
    v = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], name="v")
    init = tf.raw_ops.AssignVariableOp(resource=v, value=3.0, name="init")
    with tf.device("/cpu:2"):
        r = tf.raw_ops.ReadVariableOp(resource=v, dtype=tf.float32, name="r")
    return Case([r], before=[init])


@case
def gradients_beside_their_ops():
    with tf.device("/cpu:1"):
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.multiply(x, x, name="y")
    z = tf.multiply(y, 3.0, name="z")
    return Case(tf.gradients(z, x, colocate_gradients_with_ops=True), {x: 2.0})


# --- how values go between devices -------------------------------------------------------------

@case
def a_value_is_sent_once():
    a = negative(constant("a"), "n", "/cpu:1")
    with tf.device("/cpu:2"):
        return Case([tf.add(a, a, name="b"), tf.multiply(a, a, name="c")])


@case
def feeds_and_fetches_are_the_clients():
    with tf.device("/cpu:1"):
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.multiply(x, x, name="y")
    return Case([y], {x: 3.0})


@case
def waiting_across_devices():
    a = negative(constant("a"), "n", "/cpu:1")
    with tf.control_dependencies([a]), tf.device("/cpu:2"):
        b = tf.constant(2.0, name="b")
        c = tf.constant(3.0, name="c")
    return Case([tf.add(b, c, name="d")])


@case
def a_chain_over_all_devices():
    x = tf.placeholder(tf.float32, [], name="x")
    y = x
    for i in range(8):
        y = negative(y, f"n{i}", f"/cpu:{i % 4}")
    return Case([y], {x: 5.0})


@case
def several_outputs():
    x = tf.placeholder(tf.float32, [4], name="x")
    with tf.device("/cpu:1"):
        a, b = tf.split(x, 2, name="s")
    with tf.device("/cpu:2"):
        return Case([tf.add(a, b, name="c")], {x: [1.0, 2.0, 3.0, 4.0]})


@case
def a_branch_elsewhere():
    p = tf.placeholder(tf.bool, [], name="p")

    def away():
        with tf.device("/cpu:1"):
            return tf.multiply(tf.constant(2.0, name="two"), 3.0, name="six")
    return Case([tf.cond(p, away, lambda: tf.constant(5.0), name="cond")], {p: True})


@case
def a_branch_elsewhere_that_is_not_taken():
    p = tf.placeholder(tf.bool, [], name="p")

    def away():
        with tf.device("/cpu:1"):
            return tf.multiply(tf.constant(2.0, name="two"), 3.0, name="six")
    return Case([tf.cond(p, away, lambda: tf.constant(5.0), name="cond")], {p: False})


@case
def a_whole_branch_on_another_device():
    p = tf.placeholder(tf.bool, [], name="p")
    with tf.device("/cpu:1"):
        c = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.constant(2.0), name="cond")
    return Case([c], {p: False})


@case
def a_loop_body_elsewhere():
    def body(i):
        with tf.device("/cpu:1"):
            return tf.add(i, 1, name="inc")
    return Case([tf.while_loop(lambda i: i < 3, body, [tf.constant(0, name="i")], name="loop")])


@case
def a_loop_condition_elsewhere():
    def again(i):
        with tf.device("/cpu:2"):
            return tf.less(i, 3, name="less")
    return Case([tf.while_loop(again, lambda i: i + 1, [tf.constant(0, name="i")], name="loop")])


@case
def a_loop_over_three_devices():
    x = tf.placeholder(tf.float32, [], name="x")

    def body(i, s):
        with tf.device("/cpu:1"):
            a = tf.multiply(s, x, name="a")
        with tf.device("/cpu:2"):
            b = tf.add(a, 1.0, name="b")
        return i + 1, b
    loop = tf.while_loop(lambda i, s: i < 4, body, [tf.constant(0), tf.constant(1.0)], name="loop")
    return Case(list(loop), {x: 2.0})


@case
def a_loop_inside_a_loop_elsewhere():
    def inner(j, s):
        with tf.device("/cpu:1"):
            return j + 1, tf.add(s, 1.0, name="more")

    def outer(i, s):
        return i + 1, tf.while_loop(lambda j, s: j < 2, inner, [0, s], name="inner")[1]
    return Case([tf.while_loop(lambda i, s: i < 3, outer, [0, 0.0], name="outer")[1]])
