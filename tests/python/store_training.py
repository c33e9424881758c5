"""Run as a program with a directory: a training that goes on from the newest checkpoint there, saves after each step, and
says what it has saved. Every element of its variable is the number of the step."""
import sys

import rill as tf

TOP, STEPS = sys.argv[1], int(sys.argv[2])

tf.logging.set_verbosity(tf.logging.ERROR)
step = tf.train.get_or_create_global_step()
v = tf.get_variable("v", shape=[100_000], initializer=tf.zeros_initializer())
train = tf.group(v.assign_add(tf.ones([100_000])), step.assign_add(1))
saver = tf.train.Saver(max_to_keep=2)
with tf.Session() as session:
    newest = tf.train.latest_checkpoint(TOP)
    if newest is None:
        session.run(tf.global_variables_initializer())
    else:
        saver.restore(session, newest)
    values, at = session.run([v, step])
    assert (values == at).all(), (newest, at, values[:5])
    print("from", at, flush=True)
    for _ in range(STEPS):
        session.run(train)
        saver.save(session, f"{TOP}/model", global_step=step)
        print("saved", session.run(step), flush=True)
