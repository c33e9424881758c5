"""Random numbers: of the seed of the program, and of the seeds of ops."""
import tensorflow as tf

SHAPE = [3]


def drawn(function, times=3):
    return [function().numpy() for _ in range(times)]


def seeded(function, seed=11):
    """Twice from the same seed."""
    tf.set_random_seed(seed)
    first = drawn(function)
    tf.set_random_seed(seed)
    second = drawn(function)
    return dict(first=first, again=[a.tolist() for a in first] == [a.tolist() for a in second])


def program_uniform():
    return seeded(lambda: tf.random.uniform(SHAPE))


def program_normal():
    return seeded(lambda: tf.random.normal(SHAPE))


def program_truncated_normal():
    return seeded(lambda: tf.random.truncated_normal(SHAPE))


def program_integers():
    return seeded(lambda: tf.random.uniform(SHAPE, 0, 100, tf.int32))


def program_gamma_and_poisson():
    return dict(gamma=seeded(lambda: tf.random.gamma(SHAPE, 2.))["first"], poisson=seeded(lambda: tf.random.poisson(4., SHAPE))["first"])


def program_multinomial():
    return seeded(lambda: tf.random.categorical([[0., 1., 2.]], 5))


def program_shuffle():
    return seeded(lambda: tf.random.shuffle(tf.range(6)))


def program_crops():
    return seeded(lambda: tf.image.random_crop(tf.reshape(tf.range(16), [4, 4]), [2, 2]))


def program_seeds_of_ops():
    return seeded(lambda: tf.random.uniform(SHAPE, seed=5))


def program_seeds_of_ops_without_one_of_the_program():
    return dict(x=drawn(lambda: tf.random.uniform(SHAPE, seed=5)))


def program_two_ops_of_one_seed():
    tf.set_random_seed(3)
    return dict(a=tf.random.uniform(SHAPE, seed=1), b=tf.random.uniform(SHAPE, seed=1), c=tf.random.normal(SHAPE, seed=1))


def program_turns():
    tf.set_random_seed(3)
    return dict(a=tf.random.uniform(SHAPE), b=tf.random.normal(SHAPE), c=tf.random.uniform(SHAPE), d=tf.random.normal(SHAPE))


def program_other_seeds():
    return {f"of{seed}": seeded(lambda: tf.random.uniform(SHAPE), seed)["first"][0] for seed in (0, 1, 2 ** 31 - 1, 12345)}


def program_other_types():
    return {t.name: seeded(lambda t=t: tf.random.uniform(SHAPE, dtype=t))["first"][0] for t in (tf.float16, tf.float64)}


def program_dropout():
    return seeded(lambda: tf.nn.dropout(tf.ones([8]), rate=.5))


def program_dropout_with_a_seed():
    return seeded(lambda: tf.nn.dropout(tf.ones([8]), rate=.5, seed=9))


def program_initializers():
    tf.set_random_seed(4)
    makers = dict(glorot=tf.glorot_uniform_initializer(), normal=tf.random_normal_initializer(), truncated=tf.truncated_normal_initializer(),
                  uniform=tf.random_uniform_initializer(), scaled=tf.variance_scaling_initializer(), orthogonal=tf.orthogonal_initializer())
    return {name: tf.get_variable(name, [2, 3], initializer=maker) for name, maker in makers.items()}


def program_initializers_with_seeds():
    tf.set_random_seed(4)
    return dict(a=tf.get_variable("a", [2, 3], initializer=tf.glorot_uniform_initializer(seed=1)),
                b=tf.get_variable("b", [2, 3], initializer=tf.glorot_uniform_initializer(seed=1)))


def program_layers():
    tf.set_random_seed(4)
    layer = tf.layers.Dense(3)
    return dict(y=layer(tf.ones([1, 2])), kernel=layer.kernel)


def program_keras_layers():
    tf.set_random_seed(4)
    first, second = tf.keras.layers.Dense(3), tf.keras.layers.Dense(3)
    return dict(a=first(tf.ones([1, 2])), b=second(tf.ones([1, 2])))


def program_stateless():
    return dict(uniform=tf.random.stateless_uniform(SHAPE, [1, 2]), normal=tf.random.stateless_normal(SHAPE, [1, 2]),
                again=tf.random.stateless_uniform(SHAPE, [1, 2]), truncated=tf.random.stateless_truncated_normal(SHAPE, [3, 4]))


def program_candidates():
    def sampled():
        return tf.random.uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True, 10).sampled_candidates
    return seeded(sampled)


def program_flips():
    image = tf.reshape(tf.range(4), [1, 4, 1])
    return seeded(lambda: tf.image.random_flip_left_right(image))


def program_brightness():
    return seeded(lambda: tf.image.random_brightness(tf.ones([1, 1, 1]), .5))


def program_batches_of_data():
    tf.set_random_seed(8)
    data = tf.data.Dataset.range(6).shuffle(6)
    return dict(sorted=sorted(int(x) for x in data))


def program_sequences():
    tf.set_random_seed(8)
    total = tf.constant(0.)
    for _ in range(20):
        total += tf.reduce_sum(tf.random.uniform([2]))
    return dict(total=total)


def program_distributions():
    tf.set_random_seed(8)
    return dict(normal=tf.distributions.Normal(0., 1.).sample(3), bernoulli=tf.distributions.Bernoulli(probs=.5).sample(5, seed=1))
