import numpy as np
import pytest

import rill as tf

FIRST = "/job:localhost/replica:0/task:0/device:CPU:0"


def several(**options):
    return tf.ConfigProto(device_count={"CPU": 4}, **options)


def test_device_strings_merge(graph):
    with tf.device("/job:w/task:1"):
        assert tf.constant(1.0).device == "/job:w/task:1"
        with tf.device("/gpu:*"):
            assert tf.constant(1.0).device == "/job:w/task:1/device:GPU:*"
        with tf.device(""):
            assert tf.constant(1.0).device == "/job:w/task:1"
        with tf.device("/job:q/cpu:3"):
            assert tf.constant(1.0).device == "/job:q/task:1/device:CPU:3"
        with tf.device(None):
            assert tf.constant(1.0).op.device == ""
    with tf.device(tf.DeviceSpec(job="w", device_type="GPU", device_index=2)):
        assert tf.constant(1.0).device == "/job:w/device:GPU:2"


@pytest.mark.parametrize("bad", ["/foo:1", "/cpu:0/gpu:1", "localhost", "/cpu:x", "*"])
def test_bad_device_strings(graph, bad):
    with pytest.raises(ValueError):
        with tf.device(bad):
            tf.constant(1.0)


def test_device_functions(graph):
    seen = []

    def choose(op):
        seen.append((op.name, op.type, op.device, [t.name for t in op.inputs]))
        return "/cpu:1" if op.type == "Const" else "/cpu:2"

    with tf.device("/job:w"):
        with tf.device(choose):
            a = tf.constant(1.0, name="a")
            b = tf.identity(a, name="b")
    assert a.device == "/job:w/device:CPU:1" and b.device == "/job:w/device:CPU:2"
    assert seen == [("a", "Const", "", []), ("b", "Identity", "", ["a:0"])]

    with tf.device(lambda op: op.device + "/task:3"):
        with tf.device("/job:w"):
            assert tf.constant(1.0).device == "/job:w/task:3"
    with tf.device(lambda op: tf.DeviceSpec(job="w")):
        assert tf.constant(1.0).device == "/job:w"
    with tf.device(lambda op: "/cpu:0"):
        assert tf.constant(1.0).device == "/cpu:0"
    with pytest.raises(TypeError, match="Expected binary or unicode string, got None"):
        with tf.device(lambda op: None):
            tf.constant(1.0)

    def broken(op):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        with tf.device(broken):
            tf.constant(1.0)


def test_colocation(graph):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.device("/cpu:2"):
        with tf.colocate_with(a):
            b = tf.constant(1.0)
            with tf.device("/cpu:3"):
                c = tf.constant(1.0)
        d = tf.constant(1.0, name="d")
        with tf.colocate_with(d):
            with tf.colocate_with(a):
                e = tf.constant(1.0)
            with tf.colocate_with(a, ignore_existing=True):
                f = tf.constant(1.0)
            with tf.colocate_with(None, ignore_existing=True):
                g = tf.constant(1.0, name="g")
    assert [t.device for t in (b, c, e, f)] == ["/device:CPU:1"] * 4 and g.device == ""
    assert e.op.colocation_groups() == [b"loc:@a", b"loc:@d"]
    assert f.op.colocation_groups() == [b"loc:@a"]
    assert g.op.colocation_groups() == [b"loc:@g"]


def test_imported_nodes_are_put_on_the_devices_around(graph):
    with tf.Graph().as_default() as other:
        with tf.device("/cpu:2"):
            a = tf.constant(1.0, name="a")
        tf.identity(a, name="b")
    for device, want in (("/cpu:1", ["/device:CPU:2", "/device:CPU:1"]),
                         ("/job:q/task:3", ["/job:q/task:3/device:CPU:2", "/job:q/task:3"]),
                         (None, ["/device:CPU:2", ""]),
                         (lambda op: f"/task:{len(op.inputs)}", ["/task:0", "/task:1"])):
        with tf.device(device):
            a, b = tf.import_graph_def(other.as_graph_def(), return_elements=["a", "b"])
        assert [a.device, b.device] == want


def test_device_spec():
    spec = tf.DeviceSpec(job="w", replica=1, task=2, device_type="cpu", device_index=0)
    assert spec.to_string() == "/job:w/replica:1/task:2/device:CPU:0"
    assert repr(spec) == ("<DeviceSpec(job=w, replica=1, task=2, device_type=CPU, "
                          "device_index=0)>")
    assert tf.DeviceSpec.from_string("/cpu:0") == tf.DeviceSpec.from_string("/device:CPU:0")
    assert hash(spec) == hash(tf.DeviceSpec.from_string(spec.to_string()))
    star = tf.DeviceSpec.from_string("/job:ps/cpu:*")
    assert star.to_string() == "/job:ps/device:CPU:*" and star.device_index is None
    merged = tf.DeviceSpec(device_type="GPU")
    merged.merge_from(tf.DeviceSpec.from_string("/job:x/gpu:4"))
    assert merged.to_string() == "/job:x/device:GPU:4"
    assert spec.replace(job="k").job == "k" and spec.job == "w"
    assert tf.DeviceSpec().parse_from_string("/gpu:1").to_string() == "/device:GPU:1"
    spec.job = "q"
    assert spec.to_string().startswith("/job:q/")


def test_log_device_placement(graph, capfd):
    with tf.device("/cpu:2"):
        a = tf.constant(2.0, name="a")
    b = tf.identity(a, name="b")
    with tf.Session(config=several(log_device_placement=True)) as session:
        assert session.run(b) == 2.0
    assert capfd.readouterr().out.splitlines() == [
        f"b: (Identity): {FIRST}", f"a: (Const): {FIRST[:-1]}2"]


def test_missing_device_names_node_and_line(graph):
    with tf.device("/gpu:0"):
        a = tf.constant(1.0, name="a")
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(a)
    assert raised.value.op is a.op
    assert "Cannot assign a device for operation a" in raised.value.message
    assert "test_devices.py" in raised.value.message
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(a) == 1.0


def test_partition_graphs(graph):
    x = tf.placeholder(tf.float32, name="x")
    with tf.device("/cpu:1"):
        y = tf.identity(x, name="y")
    config = several()
    config.graph_options.optimizer_options.opt_level = -1
    options = tf.RunOptions(output_partition_graphs=True, report_tensor_allocations_upon_oom=True)
    with tf.Session(config=config) as session:
        metadata = tf.RunMetadata()
        assert session.run(y, {x: 3.0}, options=options, run_metadata=metadata) == 3.0
        call = session.make_callable(y, [x], accept_options=True)
        called = tf.RunMetadata()
        assert call(3.0, options=options, run_metadata=called) == 3.0
    for graphs in (metadata.partition_graphs, called.partition_graphs):
        ops = sorted((n.device[-5:], n.op) for g in graphs for n in g.node)
        assert ops == [("CPU:0", "_Arg"), ("CPU:0", "_Recv"), ("CPU:0", "_Retval"),
                       ("CPU:0", "_Send"), ("CPU:1", "Identity"), ("CPU:1", "_Recv"),
                       ("CPU:1", "_Send")]


def test_inter_op_thread_pool(graph):
    a = tf.constant(1.0)
    with tf.Session() as session:
        for pool in (0, -1):
            assert session.run(a, options=tf.RunOptions(inter_op_thread_pool=pool)) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid inter_op_thread_pool: 1"):
            session.run(a, options=tf.RunOptions(inter_op_thread_pool=1))


# --- partial runs ------------------------------------------------------------------------------

@pytest.fixture
def sums(graph):
    x, y, z = (tf.placeholder(tf.float32, [], name=name) for name in "xyz")
    a = tf.add(x, y, name="a")
    return x, y, z, a, tf.raw_ops.Mul(x=a, y=z, name="b")


def test_partial_run(sums):
    x, y, z, a, b = sums
    with tf.Session() as session:
        handle = session.partial_run_setup([a, b], [x, y, z])
        assert handle.startswith("x:0,y:0,z:0->a:0,b:0//1/;")
        assert session.partial_run(handle, a, feed_dict={x: 1, y: 2}) == 3
        assert session.partial_run(handle, {"b": b}, feed_dict={z: np.float32(17)}) == {"b": 51}
        other = session.partial_run_setup([a], [x, y])
        assert session.partial_run(other, [], {x: 1}) == []
        assert session.partial_run(other, a, {y: 1}) == 2


@pytest.mark.parametrize("first, second, message", [
    ("a", "a", "The fetch a:0 has already been fetched."),
    ("a", "c", "The fetch c:0 was not specified in partial_run_setup."),
])
def test_partial_run_errors(sums, first, second, message):
    x, y, z, a, b = sums
    tf.identity(x, name="c")
    with tf.Session() as session:
        handle = session.partial_run_setup([a, b], [x, y, z])
        session.partial_run(handle, first + ":0", {x: 1, y: 2})
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.partial_run(handle, second + ":0")
        assert message in raised.value.message


def test_partial_run_refuses(sums):
    x, y, z, a, b = sums
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup'"):
            session.partial_run("zzz", a, {x: 1})
        with pytest.raises(tf.errors.InvalidArgumentError, match="at least one target"):
            session.partial_run_setup([], [x])
        handle = session.partial_run_setup([a, tf.no_op(name="n")], [x, y])
        with pytest.raises(RuntimeError, match="requires empty `target_list`"):
            session.partial_run(handle, ["a:0", "n"], {x: 1})
        with pytest.raises(tf.errors.InvalidArgumentError, match="fed so far"):
            session.partial_run(handle, a, {x: 1})
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.partial_run(handle, a, {x: [1, 2], y: 2})
        session.close()
        with pytest.raises(RuntimeError, match="closed Session"):
            session.partial_run(handle, a, {x: 1, y: 2})


# --- growth ------------------------------------------------------------------------------------

def test_growing_graph_warns_with_the_line(graph, capfd):
    with tf.Session() as session:
        session.run(tf.constant(0.0))
        for _ in range(120):
            session.run(tf.constant(1.0, name="again"))  # the line
    text = capfd.readouterr().err
    assert text.count("grown between runs 100 times") == 1
    assert "test_devices.py" in text and "again" in text


def test_finalize_after(graph):
    a = tf.constant(1.0)
    with tf.Session(finalize_after=1) as session:
        session.run(a)
        with pytest.raises(RuntimeError, match="finalized"):
            tf.constant(2.0)
