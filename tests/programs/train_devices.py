"""Devices that replica_device_setter chooses, and critical sections."""
import tensorflow as tf


def placed(*args, **kwargs):
    setter = tf.train.replica_device_setter(*args, **kwargs)
    with tf.device(setter):
        v, w, x = (tf.Variable(tf.zeros([2]), name=name) for name in "vwx")
        r = tf.get_variable("r", [2], use_resource=True)
        y = v + w
        with tf.device("/device:CPU:1"):
            z = tf.identity(y)
            u = tf.Variable(1.0, name="u")
        with tf.device("/job:other/task:3"):
            t = tf.Variable(1.0, name="t")
    for item in [*tf.global_variables(), y, z]:  # kept from being run: there are no such tasks
        tf.get_default_graph().clear_collection("variables")
    return dict(devices=[n.device for n in tf.get_default_graph().as_graph_def().node])


def program_tasks():
    return placed(2)


def program_cluster():
    return placed(cluster=tf.train.ClusterSpec({"ps": ["a:1", "b:1", "c:1"], "worker": ["d:1"]}),
                  worker_device="/job:worker/task:7/gpu:0")


def program_cluster_dict():
    return placed(cluster={"ps": {0: "a:1", 1: "b:1"}}, ps_device="/job:ps/cpu:0")


def program_not_merged():
    return placed(2, merge_devices=False)


def program_ops_and_strategy():
    return placed(3, ps_ops=["VariableV2"], ps_strategy=lambda op: 2 if op.name == "v" else 1)


def program_none():
    return dict(none=tf.train.replica_device_setter(0) is None,
                also=tf.train.replica_device_setter(cluster={"worker": ["a:1"]}) is None)


def program_critical_section():
    section = tf.CriticalSection(name="cs")
    x = tf.constant(2.0)
    results = section.execute(lambda: (x * 2.0, x + 1.0))
    more = section.execute(lambda: tf.constant(1), name="more")
    return dict(results=results, more=more, name=section.name)


def program_critical_section_variable():
    section = tf.CriticalSection()
    v = tf.Variable(1.0, use_resource=True, name="v")
    return dict(result=section.execute(lambda: v + 1.0))
