"""More of tf.data's stages that work in the background: together with others, with options, in steps."""
import numpy as np
import tensorflow as tf
from helpers.walks import walk

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def slowly(x):
    return tf.py_func(lambda v: np.int64(v), [x], tf.int64)


def program_with_batches():
    data = Dataset.range(23).map(lambda x: x * 2, num_parallel_calls=3)
    return dict(batch=walk(data.batch(5)), padded=walk(data.map(lambda x: tf.range(x % 4), 2).padded_batch(4, [None])),
                unbatched=walk(data.batch(4).prefetch(1).apply(experimental.unbatch())))


def program_with_limits():
    data = Dataset.range(100).map(lambda x: x + 1, num_parallel_calls=4).prefetch(3)
    return dict(take=walk(data.take(5)), skip=walk(data.skip(95)), both=walk(data.skip(3).take(2)),
                shard=walk(data.shard(20, 3)))


def program_with_repeats():
    data = Dataset.range(3).map(slowly, num_parallel_calls=2).prefetch(1)
    return dict(repeat=walk(data.repeat(3)), outside=walk(Dataset.range(2).repeat(3).map(lambda x: -x, 2)),
                joined=walk(data.concatenate(Dataset.range(10, 12).prefetch(2))))


def program_with_shuffles():
    data = Dataset.range(12).map(lambda x: x, num_parallel_calls=2)
    return dict(after=walk(data.shuffle(5, seed=3)), before=walk(Dataset.range(12).shuffle(4, seed=1).map(lambda x: x, 2)),
                twice=walk(data.shuffle(12, seed=2, reshuffle_each_iteration=False).prefetch(2).repeat(2)))


def program_zipped():
    numbers = Dataset.range(6)
    return dict(zip=walk(Dataset.zip((numbers.map(slowly, 2), numbers.prefetch(2), numbers.map(lambda x: x * x)))),
                uneven=walk(Dataset.zip((numbers.prefetch(3), Dataset.range(3).prefetch(1)))))


def program_chains():
    data = Dataset.range(30)
    for calls in (1, 2, 3):
        data = data.map(lambda x: x + 1, num_parallel_calls=calls).prefetch(calls)
    return dict(chain=walk(data))


def program_filters():
    return dict(filter=walk(Dataset.range(20).map(lambda x: x * x, 2).filter(lambda x: tf.equal(x % 3, 1)).prefetch(2)),
                none=walk(Dataset.range(20).prefetch(4).filter(lambda x: x < 0).prefetch(1)))


def program_inner_workers():
    def inner(x):
        return Dataset.range(3).map(lambda y: x * 10 + y, num_parallel_calls=2).prefetch(1)

    return dict(flat=walk(Dataset.range(4).flat_map(inner)),
                cycle=walk(Dataset.range(4).interleave(inner, cycle_length=2, num_parallel_calls=2)),
                replacing=walk(Dataset.range(4).apply(experimental.parallel_interleave(inner, cycle_length=2))))


def program_interleaved_errors_go_on():
    def inner(x):
        return Dataset.range(4).map(lambda y: tf.check_numerics(1 / tf.cast(y - x, tf.float32), "bad"), 2)

    return dict(cycle=walk(Dataset.range(3).interleave(inner, cycle_length=3, num_parallel_calls=2)),
                ignored=walk(Dataset.range(3).interleave(inner, cycle_length=2, num_parallel_calls=2)
                                 .apply(experimental.ignore_errors())))


def program_cycle_longer_than_input():
    def ranges(x):
        return Dataset.range(x)

    return dict(long=walk(Dataset.range(1, 4).interleave(ranges, cycle_length=10, num_parallel_calls=3)),
                empty=walk(Dataset.range(0).interleave(ranges, cycle_length=3, num_parallel_calls=2)),
                all_empty=walk(Dataset.range(4).interleave(lambda x: Dataset.range(0), cycle_length=2, num_parallel_calls=2)),
                some_empty=walk(Dataset.from_tensor_slices(np.array([0, 3, 0, 2], np.int64))
                                    .interleave(ranges, cycle_length=2, block_length=2, num_parallel_calls=2)))


def program_replaced_many():
    def ranges(x):
        return Dataset.range(x % 4)

    return {f"{c}_{p}": walk(Dataset.range(12).apply(experimental.parallel_interleave(
        ranges, cycle_length=c, block_length=1, prefetch_input_elements=p))) for c, p in ((2, 0), (3, 1), (4, 4))}


def program_map_and_batch_structures():
    fused = experimental.map_and_batch(lambda x: {"a": x, "b": ([x], tf.as_string(x))}, 3, num_parallel_calls=2)
    data = Dataset.range(7).apply(fused)
    return dict(a=walk(data.map(lambda d: d["a"])), b=walk(data.map(lambda d: d["b"])),
                shapes=str(tf.data.get_output_shapes(data)),
                dropped=str(tf.data.get_output_shapes(Dataset.range(7).apply(
                    experimental.map_and_batch(lambda x: [x, x], 3, drop_remainder=True)))))


def program_map_and_batch_calls():
    def given(**options):
        return walk(Dataset.range(10).apply(experimental.map_and_batch(lambda x: x * x, 4, **options)))

    return dict(batches=given(num_parallel_batches=2), calls=given(num_parallel_calls=1), auto=given(num_parallel_calls=-1))


def program_options():
    options = tf.data.Options()
    options.experimental_threading.private_threadpool_size = 2
    options.experimental_threading.max_intra_op_parallelism = 1
    options.experimental_optimization.apply_default_optimizations = False
    data = Dataset.range(9).map(lambda x: x * x, num_parallel_calls=-1).with_options(options)
    return dict(numbers=walk(data))


def program_steps():
    following = tf.data.make_one_shot_iterator(Dataset.range(6).map(lambda x: x * x, 2).prefetch(2)).get_next()
    doubled = following * 2
    return [dict(value=following, doubled=doubled) for _ in range(4)]


def program_two_readers():
    data = Dataset.range(5).map(lambda x: x + 1, num_parallel_calls=2).prefetch(2)
    first, second = [tf.data.make_one_shot_iterator(data).get_next() for _ in range(2)]
    return [dict(first=first, second=second), dict(second=second), dict(first=first, second=second)]


def program_same_step_twice():
    iterator = tf.data.make_one_shot_iterator(Dataset.range(8).prefetch(2))
    pair = tf.sort(tf.stack([iterator.get_next(), iterator.get_next()]))
    return [dict(pair=pair) for _ in range(3)]


def program_optionals():
    iterator = tf.data.make_one_shot_iterator(Dataset.range(2).map(lambda x: x + 5, 2).prefetch(1))
    optional = experimental.get_next_as_optional(iterator)
    has = optional.has_value()
    value = tf.cond(has, optional.get_value, lambda: tf.constant(-1, tf.int64))
    return [dict(has=has, value=value) for _ in range(3)]


def program_large_elements():
    data = Dataset.range(6).map(lambda x: tf.fill([300, 200], tf.cast(x, tf.float32)), num_parallel_calls=3).prefetch(2)
    return dict(sums=walk(data.map(tf.reduce_sum)))


def program_training():
    x = Dataset.range(40).map(lambda i: tf.cast(i, tf.float32) / 40, num_parallel_calls=2)
    batches = x.map(lambda v: ([v], [3 * v + 1])).batch(8).repeat().prefetch(2)
    features, labels = tf.data.make_one_shot_iterator(batches).get_next()
    w = tf.get_variable("w", [1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(features * w + b - labels))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    losses = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(30):
            losses.append(session.run([loss, train])[0])
    return dict(losses=losses)
