"""Checkpoints of objects, tf.train.Checkpoint's: written, and read back into objects that are made anew."""
import pathlib

import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.parts import initialized, ramp, variable, waves
from model_cases.reading import described


def question(program, prefix="model-1"):
    """The checkpoint's tensors, and what `read_PROGRAM` finds after restoring."""
    return {"kind": "objects", "program": program, "prefix": prefix}


def save(checkpoint, session=None):
    session = session or initialized()
    session.run(checkpoint.save_counter.initializer)
    checkpoint.save("model", session=session)
    pathlib.Path("checkpoint").unlink()  # tells nothing new


def values(session, *tensors):
    return [described(value) for value in session.run(list(tensors))]


def restored(checkpoint, prefix, *tensors):
    """Variables get other values first, so that what is read must be what was written."""
    session = initialized()
    status = checkpoint.restore(prefix)
    status.assert_consumed().run_restore_ops(session)
    return values(session, *tensors)


def two_variables(scale=1.0):
    return variable("a", ramp(3) * np.float32(scale)), variable("b", np.int64(7 * scale), use_resource=True)


def case_variables(folder):
    a, b = two_variables()
    save(tf.train.Checkpoint(first=a, second=b))
    return question("variables")


def read_variables(prefix):
    a, b = two_variables(2)
    return restored(tf.train.Checkpoint(first=a, second=b), prefix, a, b)


def nested(scale):
    a, b = two_variables(scale)
    inner = tf.train.Checkpoint(a=a)
    inner.list = [b, variable("c", waves(2) * np.float32(scale))]
    inner.map = {"x": variable("d", 1.5 * scale), "y/z": variable("e", 2.5 * scale)}
    return tf.train.Checkpoint(inner=inner, again=inner), [a, b, inner.list[1], inner.map["x"], inner.map["y/z"]]


def case_nested(folder):
    save(nested(1)[0])
    return question("nested")


def read_nested(prefix):
    checkpoint, parts = nested(2)
    return restored(checkpoint, prefix, *parts)


def trained(scale):
    w = variable("w", ramp(3) * np.float32(scale), use_resource=True)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(tf.square(w - 1.0)), step)
    slots = [optimizer.get_slot(w, name) for name in optimizer.get_slot_names()]
    return tf.train.Checkpoint(w=w, optimizer=optimizer, step=step), train, [w, step, *slots]


def case_optimizer(folder):
    checkpoint, train, _ = trained(1)
    session = initialized()
    for _ in range(3):
        session.run(train)
    save(checkpoint, session)
    return question("optimizer")


def read_optimizer(prefix):
    checkpoint, train, parts = trained(2)
    session = initialized()
    checkpoint.restore(prefix).assert_consumed().run_restore_ops(session)
    before = values(session, *parts)
    session.run(train)
    return before + values(session, *parts)


def model_of(scale):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(4, "relu", input_shape=(3,)), layers.BatchNormalization(),
                                 layers.Dense(2)])
    tf.keras.backend.get_session()
    model.set_weights([waves(*weight.shape) * np.float32(scale) for weight in model.get_weights()])
    return model


def case_model(folder):
    model = model_of(0.5)
    save(tf.train.Checkpoint(model=model), tf.keras.backend.get_session())
    return question("model")


def read_model(prefix):
    model = model_of(1)
    tf.train.Checkpoint(model=model).restore(prefix).assert_consumed().run_restore_ops(
        tf.keras.backend.get_session())
    return [described(weight) for weight in model.get_weights()]


def case_weights(folder):
    model_of(0.5).save_weights("model", save_format="tf")
    (folder / "checkpoint").unlink()
    return question("weights", "model")


def read_weights(prefix):
    model = model_of(1)
    model.load_weights(prefix)
    return [described(weight) for weight in model.get_weights()]


def case_for_a_saver(folder):
    """A checkpoint of objects, read by a Saver under the names that variables had."""
    a, b = two_variables()
    save(tf.train.Checkpoint(first=a, second=b))
    return question("for_a_saver")


def read_for_a_saver(prefix):
    a, b = two_variables(2)
    session = initialized()
    tf.train.Saver().restore(session, prefix)
    return values(session, a, b)


def case_partly(folder):
    a, b = two_variables()
    save(tf.train.Checkpoint(first=a, second=b))
    return question("partly")


def read_partly(prefix):
    """Objects that the checkpoint lacks, and a part of it that nobody asks for."""
    a, _ = two_variables(2)
    c = variable("c", 5.0)
    session = initialized()
    status = tf.train.Checkpoint(first=a, third=c).restore(prefix)
    status.initialize_or_restore(session)
    try:
        status.assert_consumed()
        consumed = True
    except AssertionError:
        consumed = False
    status.assert_nontrivial_match()
    return [*values(session, a, c), consumed]


def case_managed(folder):
    a, _ = two_variables()
    session = initialized()
    with session.as_default():
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(a=a), ".", max_to_keep=2)
        for _ in range(3):
            session.run(tf.assign_add(a, [1.0, 1.0, 1.0]))
            manager.save()
    return {"kind": "state"}
