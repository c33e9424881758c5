"""Initializers: nodes, and the values that seeds give."""
import tensorflow as tf


def made(initializer, shape=(3, 4), dtype=tf.float32):
    tf.set_random_seed(7)
    return {"v": tf.get_variable("v", shape, dtype, initializer=initializer)}


def program_zeros():
    return made(tf.zeros_initializer())


def program_ones():
    return made(tf.ones_initializer())


def program_ones_large():
    return made(tf.ones_initializer(), (40, 50))


def program_zeros_large():
    return made(tf.zeros_initializer(), (40, 50))


def program_integer_ones():
    return made(tf.ones_initializer(dtype=tf.int32), (2,), tf.int32)


def program_constant():
    return made(tf.constant_initializer(2.5))


def program_constant_list():
    return made(tf.constant_initializer([1, 2, 3, 4]), (2, 2))


def program_constant_short_list():
    return made(tf.constant_initializer([1.0, 2.0]), (2, 3))


def program_random_uniform():
    return made(tf.random_uniform_initializer(-1.0, 1.0, seed=3))


def program_random_normal():
    return made(tf.random_normal_initializer(mean=1.0, stddev=0.1, seed=3))


def program_truncated_normal():
    return made(tf.truncated_normal_initializer(stddev=0.1, seed=3))


def program_uniform_unit_scaling():
    return made(tf.uniform_unit_scaling_initializer(factor=1.4, seed=3))


def program_variance_scaling():
    return made(tf.variance_scaling_initializer(scale=2.0, mode="fan_out", seed=3))


def program_variance_scaling_uniform():
    return made(tf.variance_scaling_initializer(mode="fan_avg", distribution="uniform", seed=3))


def program_variance_scaling_untruncated():
    return made(tf.variance_scaling_initializer(distribution="untruncated_normal", seed=3))


def program_glorot_uniform():
    return made(tf.glorot_uniform_initializer(seed=3))


def program_glorot_normal():
    return made(tf.glorot_normal_initializer(seed=3))


def program_glorot_of_kernels():
    return made(tf.glorot_uniform_initializer(seed=3), (2, 2, 3, 4))


def program_glorot_of_vectors():
    return made(tf.glorot_uniform_initializer(seed=3), (5,))


def program_glorot_double():
    return made(tf.glorot_uniform_initializer(seed=3, dtype=tf.float64), (2, 3), tf.float64)


def program_he_normal():
    return made(tf.initializers.he_normal(seed=3))


def program_he_uniform():
    return made(tf.initializers.he_uniform(seed=3))


def program_lecun_normal():
    return made(tf.initializers.lecun_normal(seed=3))


def program_lecun_uniform():
    return made(tf.initializers.lecun_uniform(seed=3))


def program_called_directly():
    return {"x": tf.glorot_uniform_initializer(seed=1)([2, 3]), "z": tf.zeros_initializer()([2], tf.int32),
            "c": tf.constant_initializer(3)([2])}


def program_classes_without_calling():
    return made(tf.ones_initializer, (2,))


def program_configs():
    same = tf.random_normal_initializer.from_config(
        tf.random_normal_initializer(1.0, 0.1, seed=3).get_config())
    return made(same)


def program_partitioned():
    tf.set_random_seed(7)
    v = tf.get_variable("v", [4, 3], initializer=tf.glorot_uniform_initializer(seed=3),
                        partitioner=tf.fixed_size_partitioner(2))
    return {"v": list(v)}


def program_keras_names():
    tf.set_random_seed(7)
    keras = tf.keras.initializers
    made_by = [keras.RandomNormal(seed=1), keras.RandomUniform(seed=1), keras.TruncatedNormal(seed=1),
               keras.get("zeros"), keras.Ones(), keras.Constant(2.0), keras.glorot_uniform(seed=1),
               keras.he_normal(seed=1), keras.VarianceScaling(seed=1)]
    return {"v": [tf.get_variable(f"v{i}", [2, 3], initializer=made) for i, made in enumerate(made_by)]}
