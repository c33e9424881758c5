"""What clients see of a cluster: partial runs, watches, traces, functions, queues and iterators on other tasks, who is
let in."""
import os
import subprocess

import numpy as np
import pytest
import rill as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

from test_cluster import ROOT, cluster, free_ports  # noqa: F401 (a fixture)


def test_partial_runs(cluster):
    a = tf.placeholder(tf.float32, [])
    b = tf.placeholder(tf.float32, [])
    with tf.device("/job:ps/task:0"):
        r1 = a + 1.0
    with tf.device("/job:worker/task:1"):
        r2 = r1 * b
    with tf.Session(cluster[0][0].target) as sess:
        handle = sess.partial_run_setup([r1, r2], [a, b])
        assert sess.partial_run(handle, r1, {a: 1.0}) == 2.0
        assert sess.partial_run(handle, r2, {b: 10.0}) == 20.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.partial_run(handle, r2)
        handle = sess.partial_run_setup([r1, r2], [a, b])
        with pytest.raises(tf.errors.InvalidArgumentError, match="feeds"):
            sess.partial_run(handle, r2, {a: 1.0})


def test_watches_dump_on_their_tasks(cluster, tmp_path):
    with tf.device("/job:ps/task:0"):
        v = tf.get_variable("watched", initializer=[1.0, 2.0])
    with tf.device("/job:worker/task:1"):
        y = tf.multiply(v, 3.0, name="product")
    options = tf.RunOptions()
    for node in ("watched", "product"):
        watch = options.debug_options.debug_tensor_watch_opts.add()
        watch.node_name = node
        watch.debug_ops.append("DebugIdentity")
        watch.debug_urls.append(f"file://{tmp_path}")
    with tf.Session(cluster[0][0].target) as sess:
        sess.run(v.initializer)
        np.testing.assert_array_equal(sess.run(y, options=options), [3.0, 6.0])
    files = [os.path.join(folder, name) for folder, _, names in os.walk(tmp_path) for name in names]
    assert any("job_worker,replica_0,task_1" in f and "product_0_DebugIdentity" in f for f in files), files
    assert any("job_ps,replica_0,task_0" in f and "watched_0_DebugIdentity" in f for f in files), files
    assert any("_tfdbg_graph" in f and "job_ps" in f for f in files), files
    assert any("_tfdbg_core_metadata" in f for f in files), files


def test_traces_of_all_tasks_show_transfers(cluster):
    with tf.device("/job:ps/task:0"):
        x = tf.random_uniform([100])
    with tf.device("/job:worker/task:1"):
        y = tf.reduce_sum(x)
    metadata = tf.RunMetadata()
    with tf.Session(cluster[0][0].target) as sess:
        sess.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True),
                 run_metadata=metadata)
    devices = {d.device for d in metadata.step_stats.dev_stats}
    assert {"/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:1/device:CPU:0"} <= devices
    labels = [n.timeline_label for d in metadata.step_stats.dev_stats for n in d.node_stats
              if n.node_name == "RecvTensor"]
    assert any("[400B] edge_" in label for label in labels), labels
    assert len(metadata.partition_graphs) >= 2


def test_functions_run_on_other_tasks(cluster):
    @function.Defun(tf.float32, tf.float32)
    def scaled(a, b):
        return a * b, a + b

    where = tf.placeholder(tf.string, [])
    with tf.device("/job:worker/task:0"):
        both = functional_ops.remote_call(args=[tf.constant([1.0, 2.0]), tf.constant(3.0)], Tout=[tf.float32, tf.float32],
                                          f=scaled, target=where)
    with tf.Session(cluster[0][0].target) as sess:
        for task in ("/job:ps/task:0", "/job:worker/task:1", "/job:worker/task:0"):
            for _ in range(2):
                product, total = sess.run(both, {where: task + "/device:CPU:0"})
                np.testing.assert_array_equal(product, [3.0, 6.0])
                np.testing.assert_array_equal(total, [4.0, 5.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="no task"):
            sess.run(both, {where: "/job:nowhere/task:0/device:CPU:0"})


def test_queues_are_shared_by_name(cluster):
    targets = [w.target for w in cluster[0]]
    graphs = []
    for _ in targets:
        with tf.Graph().as_default() as g:
            with tf.device("/job:ps/task:0"):
                queue = tf.FIFOQueue(10, tf.int32, shared_name="between_clients")
                alone = tf.FIFOQueue(10, tf.int32)
                graphs.append((g, queue.enqueue([7]), queue.dequeue(), alone.enqueue([1]), alone.size()))
    with tf.Session(targets[0], graph=graphs[0][0]) as one, tf.Session(targets[1], graph=graphs[1][0]) as two:
        one.run(graphs[0][1])
        assert two.run(graphs[1][2]) == 7
        one.run(graphs[0][3])
        assert two.run(graphs[1][4]) == 0


def test_iterators_of_another_task(cluster):
    with tf.device("/job:worker/task:1"):
        iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(5).map(lambda x: x * 2).batch(2))
        element = iterator.get_next()
    with tf.device("/job:ps/task:0"):
        total = tf.reduce_sum(element)
    with tf.Session(cluster[0][0].target) as sess:
        sess.run(iterator.initializer)
        assert [sess.run(total) for _ in range(3)] == [2, 10, 8]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(total)


def test_containers_are_cleared_by_name(cluster):
    target = cluster[0][0].target
    with tf.device("/job:ps/task:0"):
        with tf.container("kept"):
            kept = tf.get_variable("kept_one", initializer=1.0)
        with tf.container("gone"):
            gone = tf.get_variable("gone_one", initializer=1.0)
    with tf.Session(target) as sess:
        sess.run(tf.global_variables_initializer())
    tf.Session.reset(target, ["gone"])
    with tf.Session(target) as sess:
        assert sess.run(kept) == 1.0
        with pytest.raises(tf.errors.FailedPreconditionError):
            sess.run(gone)


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def make_certificate(folder, name, authority=None):
    """Files of a certificate and its key, signed by itself or by an authority."""
    key, certificate, request = (str(folder / f"{name}.{kind}") for kind in ("key", "pem", "csr"))
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}")
    if authority is None:
        openssl("req", "-x509", *curve, "-days", 2, "-keyout", key, "-out", certificate)
    else:
        openssl("req", *curve, "-keyout", key, "-out", request)
        names = folder / "names"
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("x509", "-req", "-in", request, "-CA", authority[0], "-CAkey", authority[1], "-CAcreateserial",
                "-days", 2, "-extfile", names, "-out", certificate)
    return certificate, key


CLIENT = """
import sys
import rill as tf
with tf.device("/job:b/task:0"):
    three = tf.constant(1) + 2
with tf.Session(sys.argv[1], config=tf.ConfigProto(operation_timeout_in_ms=3000)) as sess:
    print(sess.run(three))
"""


def run_client(target, tmp_path, **environment):
    program = tmp_path / "client.py"
    program.write_text(CLIENT)
    return subprocess.run([os.path.join(ROOT, "bin", "rill"), "run", str(program), target], capture_output=True,
                          text=True, env={**os.environ, **environment}, timeout=60)


def start_pair(**security):
    ports = free_ports(2)
    spec = {"a": [f"localhost:{ports[0]}"], "b": [f"localhost:{ports[1]}"]}
    return [tf.train.Server(spec, job, 0, **security) for job in "ab"], f"grpc://localhost:{ports[0]}"


def test_a_token_lets_in(tmp_path):
    servers, target = start_pair(token="sesame")
    assert run_client(target, tmp_path, RILL_CLUSTER_TOKEN="sesame").stdout == "3\n"
    assert run_client(target + "?token=sesame", tmp_path).stdout == "3\n"
    refused = run_client(target, tmp_path)
    assert refused.returncode != 0 and "UnauthenticatedError" in refused.stderr, refused.stderr
    del servers


def test_certificates_let_in(tmp_path):
    authority = make_certificate(tmp_path, "authority")
    certificate, key = make_certificate(tmp_path, "task", authority)
    other = make_certificate(tmp_path, "other")
    servers, target = start_pair(certificate=certificate, key=key, authority=authority[0])
    assert run_client(f"{target}?certificate={certificate}&key={key}&authority={authority[0]}", tmp_path).stdout == "3\n"
    good = {"RILL_CLUSTER_CERTIFICATE": certificate, "RILL_CLUSTER_KEY": key, "RILL_CLUSTER_AUTHORITY": authority[0]}
    assert run_client(target, tmp_path, **good).stdout == "3\n"
    wrong = dict(good, RILL_CLUSTER_CERTIFICATE=other[0], RILL_CLUSTER_KEY=other[1], RILL_CLUSTER_WAIT_SECONDS="2")
    for environment in (wrong, dict(RILL_CLUSTER_WAIT_SECONDS="2")):
        refused = run_client(target, tmp_path, **environment)
        assert refused.returncode != 0 and "3" not in refused.stdout, refused.stderr
    del servers


def test_what_is_open_to_others_needs_a_token_or_a_certificate():
    with pytest.raises(tf.errors.FailedPreconditionError, match="RILL_CLUSTER_TOKEN"):
        tf.train.Server({"a": ["192.0.2.1:0"]})
    tf.train.Server({"a": ["192.0.2.1:0"]}, token="sesame")


def test_rules_for_ops(tmp_path):
    file = tmp_path / "secret"
    file.write_text("secret")
    server = tf.train.Server({"a": ["localhost:0"]}, refuse="files,code", allow="WriteFile")
    with tf.Session(server.target) as sess:
        with pytest.raises(tf.errors.PermissionDeniedError, match="ReadFile"):
            sess.run(tf.read_file(str(file)))
        with pytest.raises(tf.errors.PermissionDeniedError, match="PyFunc"):
            sess.run(tf.py_func(lambda: np.float32(1), [], tf.float32))
        sess.run(tf.write_file(str(file), "written"))
    assert file.read_text() == "written"
    with pytest.raises(tf.errors.InvalidArgumentError, match="no_such_op"):
        tf.train.Server({"a": ["localhost:0"]}, refuse="no_such_op")


def test_the_status_of_a_cluster(cluster):
    target = cluster[0][0].target
    with tf.Session(target) as sess:
        sess.run(tf.constant(1) + 1)
        shown = subprocess.run([os.path.join(ROOT, "bin", "rill"), "cluster", "status", target], capture_output=True,
                               text=True, timeout=60)
    assert shown.returncode == 0, shown.stderr
    for task in ("/job:ps/replica:0/task:0", "/job:worker/replica:0/task:0", "/job:worker/replica:0/task:1"):
        assert f"{task} at localhost:" in shown.stdout, shown.stdout
    assert "master of session" in shown.stdout and "answered" in shown.stdout, shown.stdout
    nobody = subprocess.run([os.path.join(ROOT, "bin", "rill"), "cluster", "status", f"localhost:{free_ports(1)[0]}"],
                            capture_output=True, text=True, timeout=60)
    assert nobody.returncode == 1 and "cannot be reached" in nobody.stderr, nobody.stderr


@pytest.mark.long
def test_a_tensor_of_more_than_two_gigabytes(cluster):
    count = 580 << 20  # 2.3 GB
    with tf.device("/job:ps/task:0"):
        large = tf.get_variable("large", initializer=lambda: tf.fill([count], 2.0))
    with tf.device("/job:worker/task:1"):
        ends = tf.stack([large[0], large[count - 1]]) + tf.cast(tf.size(large, out_type=tf.int64) - count, tf.float32)
    with tf.Session(cluster[0][0].target) as sess:
        sess.run(large.initializer)
        np.testing.assert_array_equal(sess.run(ends), [2.0, 2.0])
    tf.Session.reset(cluster[0][0].target)
