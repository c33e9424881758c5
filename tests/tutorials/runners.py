"""Threads that fill a queue, and their coordinator. The C++ twin is runners.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

queue = tf.train.range_input_producer(4, num_epochs=1, shuffle=False)
index = queue.dequeue()
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    try:
        while not coord.should_stop():
            show("index", sess.run(index))
    except tf.errors.OutOfRangeError:
        print("the end")
    coord.request_stop()
    coord.join(threads)
