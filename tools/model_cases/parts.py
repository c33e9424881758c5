"""What the cases are made of."""
import numpy as np
import tensorflow.compat.v1 as tf

from model_cases.reading import described


def ramp(*shape, scale=1.0):
    """Numbers between -scale and scale, the same in every run."""
    return np.linspace(-scale, scale, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def waves(*shape):
    """Numbers that are neither sorted nor alike."""
    return np.sin(np.arange(1, int(np.prod(shape)) + 1, dtype=np.float64) * 1.7).astype(np.float32).reshape(shape)


def variable(name, value, **options):
    return tf.get_variable(name, initializer=tf.convert_to_tensor(value), **options)


def step(fetches=(), targets=(), **feeds):
    """One run of a question; feeds are `placeholder=value`."""
    return {"fetches": list(fetches), "targets": list(targets),
            "feeds": {f"{name}:0": described(value) for name, value in feeds.items()}}


def call(signature="serving_default", **feeds):
    """One call of a signature."""
    return {"signature": signature, "feeds": {name: described(value) for name, value in feeds.items()}}


def initialized():
    """A session whose variables and tables have their first values."""
    session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer(),
                 tf.tables_initializer()])
    return session
