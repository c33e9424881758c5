"""A training job that reads a shuffled, parallel input pipeline and saves where it stands.

usage: pipeline_job.py FOLDER STEPS [KILLED_AT]: appends a line "STEP WEIGHT NUMBERS..." to FOLDER/log after each step,
goes on from the last checkpoint if there is one, and is killed after a step if asked to.
"""
import os
import signal
import sys

import tensorflow as tf

BETWEEN_SAVES = 7


def batches():
    dataset = tf.data.Dataset.range(200).shuffle(64, seed=5).repeat()
    dataset = dataset.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=4,
                                 num_parallel_calls=2)
    dataset = dataset.map(lambda x: x * 3, num_parallel_calls=3).filter(lambda x: tf.not_equal(x % 5, 0))
    return dataset.batch(8).prefetch(4)


def main():
    folder, steps = sys.argv[1], int(sys.argv[2])
    killed_at = int(sys.argv[3]) if len(sys.argv) > 3 else None
    iterator = batches().make_initializable_iterator()
    numbers = iterator.get_next()
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, tf.data.experimental.make_saveable_from_iterator(iterator))
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", initializer=1.)
    loss = tf.square(weight - tf.reduce_mean(tf.cast(numbers, tf.float32)) / 100)
    train = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=step)
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as session, open(os.path.join(folder, "log"), "a") as log:
        session.run([tf.global_variables_initializer(), iterator.initializer])
        checkpoint = tf.train.latest_checkpoint(folder)
        if checkpoint:
            saver.restore(session, checkpoint)
        while session.run(step) < steps:
            _, given = session.run([train, numbers])
            now, value = session.run([step, weight])
            log.write(f"{now} {value!r} {' '.join(map(str, given))}\n")
            log.flush()
            if now == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
            if now % BETWEEN_SAVES == 0:
                saver.save(session, os.path.join(folder, "model"), global_step=now)


if __name__ == "__main__":
    main()
