"""The nodes that a Saver makes, and what its messages say."""
import tensorflow as tf


def _said(saver):
    """What the SaverDef says, as plain values."""
    message = saver.as_saver_def()
    return {"filename": message.filename_tensor_name, "save": message.save_tensor_name,
            "restore": message.restore_op_name, "keep": message.max_to_keep,
            "hours": message.keep_checkpoint_every_n_hours, "version": message.version,
            "sharded": message.sharded}


def program_reference_variables():
    tf.Variable([1.0, 2.0], name="b")
    tf.get_variable("a", initializer=[[1.0]])
    tf.Variable(1, name="i", dtype=tf.int64)
    return _said(tf.train.Saver())


def program_resource_variables():
    tf.get_variable("a", initializer=[[1.0]], use_resource=True)
    tf.Variable([1.0], name="c")
    return _said(tf.train.Saver(max_to_keep=3))


def program_named_variables():
    v = tf.Variable([1.0, 2.0], name="b")
    w = tf.Variable([1.0, 2.0], name="c")
    return {"first": _said(tf.train.Saver({"x/w": w, "x/v": v}))["save"],
            **_said(tf.train.Saver([w], filename="elsewhere"))}


def program_sharded_by_device():
    with tf.device("/cpu:0"):
        tf.Variable([1.0, 2.0], name="b")
    tf.Variable([1.0, 2.0], name="z")
    with tf.device("/job:localhost/task:0"):
        tf.get_variable("a", initializer=[1.0], use_resource=True)
    return _said(tf.train.Saver(sharded=True))


def program_sharded_first_format():
    tf.Variable([1.0, 2.0], name="b")
    return _said(tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1))


def program_first_format():
    tf.Variable([1.0, 2.0], name="b")
    tf.Variable([1.0, 2.0], name="c")
    return _said(tf.train.Saver(write_version=tf.train.SaverDef.V1))


def program_parts_of_a_variable():
    tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2),
                    initializer=tf.ones_initializer())
    tf.get_variable("q", initializer=[1.0])
    return _said(tf.train.Saver())


def program_parts_in_a_dict():
    p = tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2),
                        initializer=tf.ones_initializer())
    return _said(tf.train.Saver({"whole": p}))


def program_reshape():
    tf.Variable([1.0, 2.0], name="b")
    tf.get_variable("r", initializer=[[1.0]], use_resource=True)
    return _said(tf.train.Saver(reshape=True))


def program_own_name():
    tf.Variable([1.0, 2.0], name="b")
    with tf.name_scope("outer"):
        return _said(tf.train.Saver(name="my", restore_sequentially=True))


def program_unknown_shape():
    tf.Variable([1.0, 2.0], name="b", validate_shape=False)
    return _said(tf.train.Saver(keep_checkpoint_every_n_hours=2.0))


def program_deferred():
    saver = tf.train.Saver(defer_build=True, allow_empty=True)
    tf.Variable([1.0], name="late")
    saver.build()
    return _said(saver)


def program_moving_averages():
    v = tf.Variable([1.0, 2.0], name="v")
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply([v])
    return _said(tf.train.Saver(average.variables_to_restore()))


def program_optimizer_slots():
    v = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v), global_step=step)
    saver = tf.train.Saver()
    return {"train": train, **_said(saver)}


def program_saver_of_a_message():
    v = tf.Variable([1.0, 2.0], name="v")
    first = tf.train.Saver([v])
    again = tf.train.Saver.from_proto(first.to_proto())
    return {"again": again.as_saver_def() == first.as_saver_def(), **_said(again)}
